import type { Context } from '../../command/context.ts';
import { defineCommand } from '../../command/define.ts';
import { flag, option, required } from '../../command/parameters.ts';
import { type Domain, parseApex } from '../../command/parse/domain.ts';
import { answered, asWritten, type Result, unprinted } from '../../command/result.ts';
import { CliError } from '../../errors.ts';
import { plural } from '../../io/numbers.ts';
import { SERVICE_OPTION } from '../shared/service-option.ts';
import { type AddPreview, previewAdd, showAddPreview } from './add-preview.ts';
import { type DsLookup, dsAdvice, lookUpDs } from './ds-lookup.ts';
import { gatherFromFile, gatherFromScan } from './gather.ts';
import { bothNames } from './names.ts';
import { namedResolver } from './resolver.ts';
import { doubtsOf, settleRecords } from './settle.ts';
import { showRecords } from './show-records.ts';
import { type Staged, showStaged } from './show-staged.ts';
import { type MoveStatus, showMoveStatus } from './show-status.ts';
import { stage } from './stage.ts';
import { waitAfterStaging, waitFlags } from './wait-for-move.ts';

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
    context.io.needSomebody();
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
