import type { Context } from '../../command/context.ts';
import type { Attach, Declaration } from '../../command/declaration.ts';
import { parseApex } from '../../command/parse/domain.ts';
import { repeated } from '../../command/parse/repeated.ts';
import { document, type Result } from '../../command/result.ts';
import { showServer } from '../../dns/server.ts';
import type { CsvTable } from '../../io/csv.ts';
import type { Screen } from '../../io/screen.ts';
import { openMove } from './move.ts';
import { type MoveStatus, showMoveStatus } from './show-status.ts';
import { addressOf, toStatusDocument } from './status-document.ts';
import { lookOnce, waitForMove } from './wait-for-move.ts';
import { waitOptions } from './wait-options.ts';

export interface StatusOptions {
  readonly domain: string;
  /** The new nameservers, each `host[:port]`. */
  readonly nameserver?: readonly string[];
  readonly wait?: boolean;
  /** Seconds to wait at most. */
  readonly waitTimeout?: number;
}

export function define(parent: Declaration, attach: Attach): void {
  const command = parent
    .command('status')
    .summary('Ask the DNS how far a move has come')
    .description('Ask the DNS whether the nameservers are switched and the records answer')
    .argument('<domain>', 'the domain itself, without www or another name in front')
    .option(
      '--nameserver <host>',
      'a new nameserver, host or host:port; may be repeated (default: those of the last staging on this machine)',
      repeated,
    );
  waitOptions(command, 'wait until the move is complete or something is broken');
  attach(command, {
    run,
    human,
    csv: ['the new nameservers', toTable],
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
  });
}

export async function run(context: Context, options: StatusOptions): Promise<Result<MoveStatus>> {
  const domain = await parseApex(options.domain, 'The domain');
  const move = await openMove(context, domain, options.nameserver ?? []);
  const waits = options.wait === true || options.waitTimeout !== undefined;
  const { status, failure } = await (waits ? waitForMove(context, move, options.waitTimeout) : lookOnce(context, move));
  return document(status, failure, toStatusDocument);
}

/** The last three count sets of records. */
function toTable({ check }: MoveStatus): CsvTable {
  const rows = check.reports.map(({ nameserver, server, state, matching, different, unanswered }) => {
    const asked = server === undefined ? undefined : addressOf(server);
    return [showServer(nameserver), asked, state, matching, different.length, unanswered];
  });
  return { head: ['nameserver', 'asked', 'state', 'matching', 'different', 'unanswered'], rows };
}

export function human(screen: Screen, status: MoveStatus): void {
  showMoveStatus(screen, status);
}
