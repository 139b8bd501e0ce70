import { defineCommand } from '../../command/define.ts';
import { list, required } from '../../command/parameters.ts';
import { parseApex } from '../../command/parse/domain.ts';
import { document } from '../../command/result.ts';
import { showServer } from '../../dns/server.ts';
import type { CsvTable } from '../../io/csv.ts';
import { openMove } from './move.ts';
import { type MoveStatus, showMoveStatus } from './show-status.ts';
import { addressOf, toStatusDocument } from './status-document.ts';
import { lookOnce, waitForMove } from './wait-for-move.ts';
import { waitFlags } from './wait-options.ts';

export default defineCommand({
  path: 'domains status',
  summary: 'Ask the DNS how far a move has come',
  description: 'Ask the DNS whether the nameservers are switched and the records answer',
  effect: 'reads',
  args: { domain: required('the domain itself, without www or another name in front') },
  options: {
    nameserver: list(
      'host',
      'a new nameserver, host or host:port; may be repeated (default: those of the last staging on this machine)',
    ),
    ...waitFlags('wait until the move is complete or something is broken'),
  },
  examples: [
    ['svc domains status kola-studio.example', 'how far a move has come that was staged on this machine'],
    ['svc domains status kola-studio.example --nameserver ns1.sandbox-dns.example', 'look at any other move'],
  ],
  exitCodes: [
    [0, 'the move is complete'],
    [8, 'no DNS server answered'],
    [9, 'something is broken, and waiting will not fix it'],
    [10, 'the move is not complete yet'],
  ],

  async run(context, { domain: given, nameserver, wait, waitTimeout }) {
    const domain = await parseApex(given, 'The domain');
    const move = await openMove(context, domain, nameserver);
    const waits = wait || waitTimeout !== undefined;
    const { status, failure } = await (waits ? waitForMove(context, move, waitTimeout) : lookOnce(context, move));
    return document(status, failure, toStatusDocument);
  },

  human: showMoveStatus,

  csv: { what: 'the new nameservers', table: toTable },
});

/** The last three count sets of records. */
function toTable({ check }: MoveStatus): CsvTable {
  const rows = check.reports.map(({ nameserver, server, state, matching, different, unanswered }) => {
    const asked = server === undefined ? undefined : addressOf(server);
    return [showServer(nameserver), asked, state, matching, different.length, unanswered];
  });
  return { head: ['nameserver', 'asked', 'state', 'matching', 'different', 'unanswered'], rows };
}
