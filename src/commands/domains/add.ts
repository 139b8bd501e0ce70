import { stagingCall } from '../../api/call.ts';
import { defineCommand, type Result } from '../../cli/define/define.ts';
import { chooseService } from '../../cli/read/pick.ts';
import { parseApex } from '../../cli/values/names.ts';
import {
  fileOption,
  flag,
  OPTIONAL_SERVICE_OPTION,
  required,
} from '../../cli/values/parameters.ts';
import { usageError } from '../../errors.ts';
import { state } from '../../terminal/screen.ts';
import { previewRequest } from '../shared/dry-run.ts';
import { findNamedResolver } from './dns.ts';
import { gatherFromFile, gatherFromScan } from './gather.ts';
import { getAddCommand } from './move.ts';
import { settleRecords } from './records.ts';
import { showStaged } from './show-staged.ts';
import { stageAndWait } from './stage-and-wait.ts';
import { confirmStaging, previewScan, type Staged, warnOfDoubts } from './staging.ts';
import { createWaitFlags } from './wait.ts';

export default defineCommand({
  summary: "Stage a domain's records on a service, to move it there",
  effect: 'moves-dns',
  args: { domain: required('apex domain, such as example.com (no www)') },
  options: {
    ...OPTIONAL_SERVICE_OPTION,
    import: flag('scan the current DNS, save it, and stage it'),
    records: fileOption('file|-', 'stage these instead: a plan, JSON or a zone file'),
    skipInvalid: flag('skip records that the platform does not support'),
    ...createWaitFlags('wait until the new nameservers serve the records'),
    dryRun: flag('show the request without sending it'),
  },
  tool: {
    title: 'Move a domain to a service',
    description:
      'Stages the DNS records of a domain on a service. Call domains_import first. Answers with the nameservers that a person sets at the registrar; then call domains_status. 500 tokens or more.',
    arguments: {
      domain: 'apex domain, such as example.com',
      service: 'id of the service; default: the one that a person chose',
      skipInvalid: 'leave out records that the platform does not support',
      wait: 'wait until the nameservers are switched',
      waitTimeout: { type: 'seconds', description: 'wait at most so long' },
      dryRun: 'only show the request',
    },
    fixedOptions: ['--import'],
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
    const getCommand = (domain: string) => getAddCommand(domain, options, context.globals);
    if (!options.import) {
      const message = 'svc adds a domain only by moving its DNS to the platform (--import).';
      throw usageError(message, getCommand(options.domain)).withLines(
        'The public API reference does not show how to verify a domain by a DNS record.',
        'svc api sends any other request.',
      );
    }

    const domain = await parseApex(options.domain, getCommand);
    if (!dryRun) {
      // An agent hands the line to a person, with the service that a setting names.
      const isTyped = options.service !== undefined;
      await context.io.requireInteractive(isTyped ? undefined : context.settings.service()?.value);
      // Reports a mistake in SVC_DNS_SERVER before the scan.
      findNamedResolver(context);
    }
    const service = await chooseService(context, options.service);
    if (dryRun && file === undefined) return previewScan(context, domain, service);

    const gathered = await (file === undefined
      ? gatherFromScan(context, domain, getCommand)
      : gatherFromFile(context, domain, file));
    const records = await settleRecords(context, gathered, domain.ascii, skipInvalid);
    const choice = { domain, service, gathered, records, file };
    if (dryRun) {
      await warnOfDoubts(context, choice);
      const call = stagingCall(service, domain.ascii, records);
      return previewRequest(await context.api.client(), call);
    }
    return stageAndWait(context, await confirmStaging(context, choice), options);
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
      cells: ({ service, records, judged: { failure, status, nameservers }, ds }) => [
        state(failure === undefined ? (status ?? 'staged') : 'failed'),
        service,
        String(records.length),
        nameservers.join(', '),
        ds.state === 'present' ? 'on' : '',
      ],
    },
  },
});
