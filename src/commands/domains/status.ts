import { defineCommand, document } from '../../cli/define/define.ts';
import { parseApex } from '../../cli/values/names.ts';
import { fileOption, list, required } from '../../cli/values/parameters.ts';
import { readStagedFile } from './gather.ts';
import { getStatusCommand, openMove } from './move.ts';
import { describeOldNames, isBroken, showMoveStatus } from './show-status.ts';
import { createWaitFlags, watchMove } from './wait.ts';

/** The columns of `--csv`; the last three count record sets. */
const COLUMNS = [
  'nameserver',
  'address',
  'state',
  'setsAsStaged',
  'different',
  'unanswered',
] as const;

export default defineCommand({
  summary: 'Check the progress of a move in the DNS',
  description: 'Check in the DNS whether the nameservers are switched and serve the records',
  effect: 'reads',
  args: { domain: required('apex domain, such as example.com (no www)') },
  options: {
    nameserver: list('host', 'a new nameserver, host or host:port; may repeat'),
    records: fileOption('file|-', 'compare with a saved answer, a plan or a zone file'),
    ...createWaitFlags('wait until the move is complete or broken'),
  },
  tool: {
    title: 'How far a domain move is',
    description:
      'Asks the DNS how far the move of a domain is: verdict, and what each nameserver answers. To see what could be moved call domains_import. About 400 tokens.',
    arguments: {
      domain: 'apex domain, such as example.com',
      nameserver: 'new nameservers; default: those of the last move from this machine',
      wait: 'wait until the move is complete or broken',
      waitTimeout: { type: 'seconds', description: 'wait at most so long' },
    },
  },
  examples: [
    ['svc domains status kola-studio.example', 'check a move from this machine'],
    [
      'svc domains status kola-studio.example --nameserver ns1.sandbox-dns.example',
      'check any other move',
    ],
    ['svc domains status --domains moves.csv', 'the state of many moves in one table'],
  ],
  exitCodes: [
    [0, 'the move is complete'],
    [8, 'no DNS server answered'],
    [9, 'something is broken, or a nameserver that answers leaves out some of the records'],
    [10, 'the move is not complete, or nobody answered'],
    [12, 'public DNS has no such names, or the list is empty'],
  ],

  async run(context, { domain: typedDomain, nameserver, records, csv, ...waiting }) {
    const domain = await parseApex(typedDomain, (apex) =>
      getStatusCommand(apex, nameserver, records),
    );
    const staging =
      records === undefined ? undefined : await readStagedFile(context, domain, records);
    const move = await openMove(context, domain, nameserver, staging);
    const { status, failure } = await watchMove(context, move, waiting);

    const oldNames = describeOldNames(status.found);
    // A person reads it on the screen.
    const isUnseen = context.io.json || csv !== undefined || context.batch !== undefined;
    if (oldNames && isUnseen) {
      await context.io.warn(oldNames, 'old_nameservers_named');
    }
    return { ...document('domains status', status.found, failure), value: status };
  },

  human: showMoveStatus,

  batch: {
    of: 'domain',
    checks: 'always',
    row: {
      head: ['State', 'At the registry', 'Records right', 'DNSSEC'],
      cells({ found: { verdict, delegation, nameservers, records, dnssec } }) {
        const unfinished = isBroken(verdict) ? 'bad' : 'warn';
        const matching = nameservers
          .filter(({ state }) => state === 'serves')
          .map((report) => report.matching);
        const sets = records?.sets ?? 0;
        return [
          {
            text: verdict.replaceAll('_', ' '),
            tone: verdict === 'complete' ? 'good' : unfinished,
          },
          (delegation.registry ?? delegation.resolver)?.nameservers.join(', ') ?? '',
          matching.length > 0 && sets > 0 ? `${Math.min(...matching)} of ${sets}` : '',
          dnssec.state,
        ];
      },
    },
  },

  csv: {
    what: 'the new nameservers',
    columns: COLUMNS,
    table({ found: { nameservers } }) {
      const rows = nameservers.map(
        ({ nameserver, asked, state, matching, different, unanswered }) => {
          return [nameserver, asked, state, matching, different.length, unanswered];
        },
      );
      return { head: COLUMNS, rows };
    },
  },
});
