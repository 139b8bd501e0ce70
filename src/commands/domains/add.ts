import { SERVICE_OPTION } from '../../command/ask.ts';
import type { Context } from '../../command/context.ts';
import { defineCommand } from '../../command/define.ts';
import { flag, option, required } from '../../command/parameters.ts';
import { answered, asWritten, document, type Result, unprinted } from '../../command/result.ts';
import { type Domain, parseApex } from '../../command/values/domain.ts';
import { CliError } from '../../errors.ts';
import { scanCall, stagingCall } from '../../service/operations.ts';
import { plural } from '../../terminal/numbers.ts';
import type { Screen } from '../../terminal/screen.ts';
import { type Preview, showPreview } from '../shared/dry-run.ts';
import { gatherFromFile, gatherFromScan } from './gather.ts';
import { bothNames, namedResolver } from './resolver.ts';
import { doubtsOf, settleRecords, showRecords } from './show-records.ts';
import { type DsLookup, dsAdvice, lookUpDs, type Staged, showStaged } from './show-staged.ts';
import { type MoveStatus, showMoveStatus } from './show-status.ts';
import { stage } from './stage.ts';
import { waitAfterStaging, waitFlags } from './wait.ts';

/** The request that `domains add` would send first and, where that is a scan, the staging that would follow. */
type AddPreview = Preview & { readonly followedBy?: Omit<Preview, 'body'> };

/** What a preview is made for. */
interface Previewed {
  readonly domain: Domain;
  readonly service: string;
  /** The file with the records; absent where they would be scanned. */
  readonly records: string | undefined;
  readonly skipInvalid: boolean;
}

/**
 * The result of `--dry-run`. With records at hand it is the staging request, checked as for sending. Without, it is the
 * scan: which records the staging would carry is known only after a request that needs a sign-in, so its body is left out.
 */
async function previewAdd(context: Context, given: Previewed): Promise<Result<{ preview: AddPreview }>> {
  const preview = await (given.records === undefined ? previewScan(context, given) : previewStaging(context, given));
  return { ...document(preview), value: { preview } };
}

/** Shows what would be sent. */
function showAddPreview(screen: Screen, preview: AddPreview): void {
  showPreview(screen, preview);
  if (preview.followedBy === undefined) return;
  screen.line();
  screen.line(`Then the records of the scan would be staged: ${preview.followedBy.method} ${preview.followedBy.url}`);
}

async function previewScan(context: Context, { domain, service }: Previewed): Promise<AddPreview> {
  const client = await context.api.client();
  const { body: _, ...followedBy } = client.preview(stagingCall(service, domain.ascii, []));
  return { ...client.preview(scanCall(domain.ascii)), followedBy };
}

async function previewStaging(context: Context, given: Previewed): Promise<AddPreview> {
  const { domain, service, skipInvalid } = given;
  const gathered = await gatherFromFile(context, domain, given.records ?? '', skipInvalid);
  const records = await settleRecords(context, gathered, skipInvalid);
  for (const doubt of doubtsOf(gathered, records, domain.ascii)) await context.io.warn(doubt);
  return (await context.api.client()).preview(stagingCall(service, domain.ascii, records));
}

type Value =
  | { readonly preview: AddPreview }
  | { readonly staged: Staged }
  /** After a wait; nothing is left to show where the move could not be watched. */
  | { readonly status: MoveStatus | undefined };

/** Rows of records that are shown before the question. */
const ROWS_BEFORE_THE_QUESTION = 20;

export default defineCommand({
  path: 'domains add',
  summary: "Stage a domain's records at a service, to move it there",
  description: "Move a domain's DNS to a service: stage its records, then switch nameservers at the registrar",
  effect: 'moves-dns',
  args: { domain: required('the domain itself, without www or another name in front') },
  options: {
    ...SERVICE_OPTION,
    import: flag("scan the domain's current DNS and stage what is found"),
    records: option(
      'file',
      'stage these records instead: a plan, a JSON array or a zone file; - for stdin',
      undefined,
      { offer: 'files' },
    ),
    skipInvalid: flag('leave out records that the service cannot hold'),
    ...waitFlags('wait until the nameservers are switched and the records answer'),
    dryRun: flag('show the request without sending it'),
  },
  examples: [
    ['svc domains add kola-studio.example --import', 'stage what the DNS of a domain holds now'],
    [
      'svc domains add kola-studio.example --import --records plan.json',
      'stage a plan of svc domains import that you have edited',
    ],
  ],
  exitCodes: [
    [2, 'a record cannot be staged, or nobody confirmed; nothing was staged'],
    [8, 'with outcome "unknown": no answer said whether the records were staged'],
    [9, 'the answer has fewer records than were sent or says no, or --wait found that the move is broken'],
    [10, '--wait gave up before the move was complete'],
  ],

  async run(context, options): Promise<Result<Value>> {
    const { records: file, skipInvalid, wait, waitTimeout } = options;
    if (!options.import) throw withoutImport(options.domain);
    const domain = await parseApex(options.domain, 'The domain');
    const service = context.settings.serviceId(options.service);
    if (options.dryRun) return previewAdd(context, { domain, service, records: file, skipInvalid });
    context.io.requireInteractive();
    // A mistake in the variable is better told before the scan than after it.
    namedResolver(context);
    const gathered =
      file === undefined
        ? await gatherFromScan(context, domain)
        : await gatherFromFile(context, domain, file, skipInvalid);
    const records = await settleRecords(context, gathered, skipInvalid);
    const ds = await lookUpDs(context, domain.ascii);
    await tellDoubts(context, domain, doubtsOf(gathered, records, domain.ascii), ds);
    await context.io.confirmOrStop(
      `Stage ${plural(records.length, 'record')} of ${bothNames(domain)} on service ${service}?`,
      (screen) => showRecords(screen, records, domain.ascii, ROWS_BEFORE_THE_QUESTION),
    );
    const { answer, staging, verdict, failure: unstaged } = await stage(context, domain, service, records);
    const { currentNameservers, warnings } = gathered;
    const staged: Staged = {
      domain,
      service,
      records,
      answer: asWritten(answer),
      verdict,
      currentNameservers,
      warnings,
      ds,
    };
    const done = `The staging of ${domain.ascii} was accepted.`;
    const waits = wait || waitTimeout !== undefined;
    if (verdict === 'unclear' && unstaged !== undefined) return unprinted({ staged }, unstaged);
    if (!waits || unstaged !== undefined) return { ...answered(answer, { staged }, unstaged), done };
    await context.io.show((screen) => showStaged(screen, staged));
    const { status, failure } = await waitAfterStaging(context, domain, staging, waitTimeout);
    return { ...answered(answer, { status }, failure), done };
  },

  human(screen, value) {
    if ('preview' in value) showAddPreview(screen, value.preview);
    else if ('staged' in value) showStaged(screen, value.staged);
    else if (value.status !== undefined) showMoveStatus(screen, value.status);
  },
});

/** What people should know before they are asked. */
async function tellDoubts({ io }: Context, { ascii }: Domain, doubts: readonly string[], ds: DsLookup): Promise<void> {
  for (const doubt of doubts) await io.warn(doubt);
  if (ds.state === 'present') await io.warn(dsAdvice(ascii));
  if (ds.state === 'unknown') await io.note(`Whether DNSSEC is on for ${ascii} could not be looked up (${ds.reason}).`);
}

function withoutImport(domain: string): CliError {
  return new CliError('usage', 'A domain can be added with --import only: by moving its DNS to the service.', {
    lines: [
      'The other way, verification by a DNS record, is not shown in the API document of the service.',
      'svc api reaches any operation that you know of from elsewhere.',
    ],
    hint: `svc domains add ${domain} --import`,
  });
}
