import { resolve } from 'node:path';
import { scanCall, stagingCall } from '../../api/operations.ts';
import { OPTIONAL_SERVICE_OPTION } from '../../cli/define/ask.ts';
import type { Needs } from '../../cli/define/context.ts';
import { defineCommand } from '../../cli/define/define.ts';
import { document } from '../../cli/define/document.ts';
import { answered, type Result, withView } from '../../cli/define/result.ts';
import { chooseService } from '../../cli/read/pick.ts';
import { type Domain, parseApex } from '../../cli/values/domain.ts';
import { fileOption, flag, required } from '../../cli/values/parameters.ts';
import { writeZone } from '../../dns/write-zone.ts';
import { CliError } from '../../errors.ts';
import { plural } from '../../terminal/numbers.ts';
import { state } from '../../terminal/screen.ts';
import { previewRequest } from '../shared/dry-run.ts';
import { showPreview } from '../shared/show-preview.ts';
import { bothNames, dsFailure, lookUpDs, namedResolver } from './dns.ts';
import { addCommand } from './move.ts';
import { doubtsOf, settleRecords, showRecords } from './records.ts';
import { gatherFromFile, gatherFromScan, saveZone } from './scan.ts';
import { showStaged } from './show-staged.ts';
import { showMoveStatus } from './show-status.ts';
import { type Staged, stage, type ToStage } from './staging.ts';
import { waitAfterStaging, waitFlags } from './wait.ts';

export default defineCommand({
  path: 'domains add',
  summary: "Stage a domain's records on a service, to move it there",
  effect: 'moves-dns',
  args: { domain: required('apex domain, such as example.com (no www)') },
  options: {
    ...OPTIONAL_SERVICE_OPTION,
    import: flag('scan the current DNS, save it, and stage it'),
    records: fileOption('file|-', 'stage these instead: a plan, JSON or a zone file'),
    skipInvalid: flag('skip records that the platform does not support'),
    ...waitFlags('wait until the new nameservers serve the records'),
    dryRun: flag('show the request without sending it'),
  },
  tool: {
    title: 'Move a domain to a service',
    says: 'Stages the DNS records of a domain on a service. Call domains_import first. Answers with the nameservers that a person sets at the registrar; then call domains_status. 500 tokens or more.',
    takes: {
      domain: 'apex domain, such as example.com',
      service: 'id of the service; default: the one that a person chose',
      skipInvalid: 'leave out records that the platform does not support',
      wait: 'wait until the nameservers are switched',
      waitTimeout: { type: 'seconds', says: 'wait at most so long' },
      dryRun: 'only show the request',
    },
    always: ['--import'],
    isRepeatable: true,
  },
  examples: [
    ['svc domains add kola-studio.example --import', 'scan it, stage what was found'],
    [
      'svc domains add kola-studio.example --import --records plan.json',
      'stage a plan that you have edited',
    ],
    ['svc domains add --domains moves.csv --import', 'a list: domain, service, records'],
  ],
  exitCodes: [
    [2, 'a record cannot be staged, or nobody confirmed; nothing was staged'],
    [8, 'no clear answer: the records may have been staged'],
    [9, 'not all were staged, the move is broken, or of several domains one has DNSSEC'],
    [10, '--wait gave up before the move was complete'],
  ],

  async run(context, options): Promise<Result<Staged>> {
    const { records: file, skipInvalid, dryRun } = options;
    const { io } = context;
    const commandFor = (domain: string) => addCommand(domain, options, context.globals);
    if (!options.import) throw withoutImport(commandFor(options.domain));
    const domain = await parseApex(options.domain, commandFor);
    if (!dryRun) {
      await io.requireInteractive(findServiceInUse(context, options.service));
      // Reports a mistake in SVC_DNS_SERVER before the scan.
      namedResolver(context);
    }
    const service = await chooseService(context, options.service);
    if (dryRun && file === undefined) return previewScan(context, domain, service);
    const gathered = await (file === undefined
      ? gatherFromScan(context, domain, commandFor)
      : gatherFromFile(context, domain, file));
    const records = await settleRecords(context, gathered, domain.ascii, skipInvalid);
    const ds = dryRun ? undefined : await lookUpDs(context, domain.ascii);
    const remark = gathered.scan?.remarks.sentence;
    if (remark !== undefined) await io.warn(remark, 'scan_says_more');
    for (const doubt of doubtsOf(gathered, records, domain.ascii, ds))
      await io.warn(doubt, 'records_doubtful');
    if (ds === undefined)
      return previewRequest(
        await context.api.client(),
        stagingCall(service, domain.ascii, records),
      );
    const failure = dsFailure(domain.ascii, ds);
    if (failure?.code === 'no_data') await io.warn(failure.message, 'dnssec_unknown');
    await io.confirmOrStop(
      `Stage ${plural(records.length, 'record')} of ${bothNames(domain)} on service ${service}?`,
      (screen) => showRecords(screen, records, domain.ascii),
    );
    const saved = gathered.scan && (await saveZone(context, gathered.scan));
    const { currentNameservers, warnings } = gathered;
    const given = file === undefined || file === '-' ? file : resolve(context.program.cwd(), file);
    // A zone file has no form for some records; staging it again would lose them.
    const { isWhole } = writeZone(records, domain.ascii);
    const kept = { file: given ?? (isWhole ? saved : undefined), saved };
    const plan = { domain, service, records, currentNameservers, warnings, ds, ...kept };
    return stageAndWait(context, plan, options);
  },

  human: showStaged,

  batch: {
    of: 'domain',
    single: ['wait', 'waitTimeout'],
    row: {
      head: [
        'State',
        'Service',
        { name: 'Records', align: 'right' },
        'Nameservers to set',
        'DNSSEC',
      ],
      of: ({ service, records, judged: { failure, status, nameservers }, ds }) => [
        state(failure === undefined ? (status ?? 'staged') : 'failed'),
        service,
        String(records.length),
        nameservers.join(', '),
        ds.state === 'present' ? 'on' : '',
      ],
    },
  },
});

/** Finds the service that a setting names, if the line names none. */
function findServiceInUse(
  { settings }: Needs<'settings'>,
  typed: string | undefined,
): string | undefined {
  return typed === undefined ? settings.service()?.value : undefined;
}

/** If the staging or the wait ends without success, the error names the saved zone. */
async function stageAndWait(
  context: Needs<'api' | 'assume' | 'io' | 'globals' | 'store' | 'time' | 'env' | 'batch'>,
  plan: ToStage,
  { wait, waitTimeout }: { readonly wait: boolean; readonly waitTimeout: number | undefined },
): Promise<Result<Staged>> {
  const { ds, saved: savedZone } = plan;
  const { ascii } = plan.domain;
  const stop = (error: unknown): never => {
    throw error instanceof CliError ? error.with({ savedZone }) : error;
  };
  const staged = await stage(context, plan).catch(stop);
  const unstaged = staged.judged.failure?.with({ savedZone });
  const done = `The staging of ${ascii} was accepted.`;
  if (unstaged !== undefined || !(wait || waitTimeout !== undefined)) {
    // Of several nobody reads each screen: the switch that comes next must not pass for safe.
    const isUnseen = context.batch !== undefined && ds.state === 'present';
    const failure = unstaged ?? (isUnseen ? dsFailure(ascii, ds) : undefined);
    return { ...answered(staged.answer, staged, failure), done };
  }
  await context.io.show((screen) => showStaged(screen, staged));
  const { status, failure } = await waitAfterStaging(context, staged, waitTimeout).catch(stop);
  const result = answered(staged.answer, status, failure?.with({ savedZone }));
  return { ...withView(result, (screen) => status && showMoveStatus(screen, status)), done };
}

/** Only the scan tells which records the body of the staging would have. */
async function previewScan(
  context: Needs<'api'>,
  { ascii }: Domain,
  service: string,
): Promise<Result<never>> {
  const client = await context.api.client();
  const { body: _, ...followedBy } = client.preview(stagingCall(service, ascii, []));
  const scan = client.preview(scanCall(ascii));
  return withView(document('dry-run', { ...scan, followedBy }), (screen) => {
    showPreview(screen, scan);
    screen.line();
    screen.line(
      `Then svc would stage the records of the scan: ${followedBy.method} ${followedBy.url}`,
    );
  });
}

function withoutImport(command: string): CliError {
  return new CliError(
    'usage',
    'svc adds a domain only by moving its DNS to the platform (--import).',
    {
      lines: [
        'The public API reference does not show how to verify a domain by a DNS record.',
        'svc api sends any other request.',
      ],
      hint: command,
    },
  );
}
