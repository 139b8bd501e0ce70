import type { Context } from '../../command/context.ts';
import { flag, option } from '../../command/parameters.ts';
import type { Domain } from '../../command/values/domain.ts';
import { parseDuration } from '../../command/values/time.ts';
import type { DomainCheck } from '../../dns/domain-check.ts';
import { isBroken } from '../../dns/verdict.ts';
import { CliError } from '../../errors.ts';
import { withProgress } from '../shared/with-progress.ts';
import type { Staging } from './move.ts';
import { checkMove, type Move, openMove } from './move.ts';
import { isKnowable } from './resolver.ts';
import type { MoveStatus } from './show-status.ts';
import { failureOf, sentenceOf } from './show-status.ts';

/** How a look at a move ended, and what ends the command where it is not complete. */
export interface Looked {
  readonly status: MoveStatus;
  readonly failure: CliError | undefined;
}

/** The DNS changes within minutes and hours, and the servers are other people's. */
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 300_000;
const PAUSE_GROWTH = 1.5;

const RESERVED = 'SVC_DNS_SERVER=<host[:port]>, a server that knows this name; the public DNS does not';

/** Looks at a move once. */
export async function lookOnce(context: Context, move: Move): Promise<Looked> {
  const check = await withProgress(context.io, `Asking the DNS about ${move.domain.ascii}`, () => checkMove(move));
  return looked(context, move, check);
}

/**
 * Looks at a move again and again, every 10 s at first and every 5 min later, until it is complete, broken or the time
 * is up. A look that nobody answers is passed over.
 * @throws CliError `unavailable` where the last look was such a one too.
 */
export async function waitForMove(context: Context, move: Move, timeoutSeconds = WAIT_SECONDS): Promise<Looked> {
  const until = context.system.clock.monotonic() + timeoutSeconds * 1000;
  const progress = context.io.progress(`Asking the DNS about ${move.domain.ascii}`);
  let pauseMs = FIRST_PAUSE_MS;
  try {
    for (;;) {
      const check = await checkMove(move).catch(unanswered);
      const isOver = check instanceof CliError ? false : check.verdict === 'complete' || isBroken(check.verdict);
      const remainingMs = until - context.system.clock.monotonic();
      if (isOver || remainingMs <= 0) {
        if (check instanceof CliError) throw check;
        return looked(context, move, check);
      }
      progress.update(`${move.domain.ascii}: ${check instanceof CliError ? check.message : sentenceOf(check)}`);
      await context.system.clock.sleep(Math.min(pauseMs, remainingMs), context.system.signal);
      pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * PAUSE_GROWTH);
    }
  } finally {
    progress.stop();
  }
}

/**
 * Goes on from a staging: what was staged just now is what is looked for. That the move cannot be watched takes nothing
 * away from what was done, so it counts as not complete yet.
 */
export async function waitAfterStaging(
  context: Context,
  domain: Domain,
  staging: Staging,
  timeoutSeconds: number | undefined,
): Promise<Partial<Looked>> {
  try {
    return await waitForMove(context, await openMove(context, domain, [], staging), timeoutSeconds);
  } catch (error) {
    const sentence = `The records of ${domain.ascii} are staged`;
    const hint = `svc domains status ${domain.ascii} --wait`;
    if (context.system.signal.aborted) throw new CliError('interrupted', `Interrupted. ${sentence}.`, { hint });
    if (!(error instanceof CliError)) throw error;
    return {
      failure: new CliError('still_running', `${sentence}, and then: ${error.message}`, { hint, cause: error }),
    };
  }
}

function looked(context: Context, move: Move, check: DomainCheck): Looked {
  const failure = failureOf(check, move.domain.ascii);
  const isReserved = check.verdict === 'not_delegated' && !isKnowable(context, move.domain.ascii);
  return {
    status: { move, check, checkedAt: new Date(context.system.clock.now()).toISOString() },
    failure: isReserved ? failure?.with({ hint: RESERVED }) : failure,
  };
}

/** Nameservers fail to answer now and then; every other error ends the wait. */
function unanswered(error: unknown): CliError {
  if (error instanceof CliError && error.code === 'unavailable') return error;
  throw error;
}

/** Seconds that `--wait` waits unless told otherwise: long enough to sign in at a registrar and for most caches. */
const WAIT_SECONDS = 3600;

/** `--wait` and `--wait-timeout`. */
export function waitFlags(meaning: string) {
  return {
    wait: flag(meaning),
    waitTimeout: option('duration', 'wait at most this long (default: 1h)', parseDuration),
  };
}
