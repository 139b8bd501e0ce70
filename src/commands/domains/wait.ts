import type { DomainCheck } from '../../dns/domain-check.ts';
import { isBroken } from '../../dns/verdict.ts';
import { CliError } from '../../errors.ts';
import type { Context } from '../../kit/context.ts';
import { flag, option } from '../../kit/parameters.ts';
import type { Domain } from '../../kit/values/domain.ts';
import { parseDuration } from '../../kit/values/time.ts';
import { isResolvable } from './dns.ts';
import { addCommand, checkMove, type Move, openMove, type Staging, statusCommand } from './move.ts';
import { type MoveStatus, moveFailure, type NextCommands, SENTENCES } from './show-status.ts';

interface MoveResult {
  readonly status: MoveStatus;
  /** Undefined only if the move is complete. */
  readonly failure: CliError | undefined;
}

/** Long enough to sign in at a registrar, and for most caches to expire. */
const WAIT_SECONDS = 3600;

/** Slow growth to minutes: DNS changes take minutes to hours, and the servers belong to others. */
const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 300_000;
const PAUSE_GROWTH = 1.5;

/** Returns `--wait`, with this meaning, and `--wait-timeout`. */
export function waitFlags(meaning: string) {
  return {
    wait: flag(meaning),
    waitTimeout: option('duration', 'wait at most this long (default: 1h)', parseDuration),
  };
}

/** Asks the DNS once how far a move is. */
export async function checkOnce(context: Context, move: Move): Promise<MoveResult> {
  const check = await context.io.during(`Asking the DNS about ${move.domain.ascii}`, () => checkMove(move));
  return withStatus(context, move, check);
}

/**
 * Checks a move until it is complete or broken, or the time is up: every 10 s at first, every 5 min later. A check without
 * an answer is repeated.
 * @throws CliError `unavailable` if the last check had no answer.
 */
export async function waitForMove(context: Context, move: Move, timeoutSeconds = WAIT_SECONDS): Promise<MoveResult> {
  const until = context.clock.monotonic() + timeoutSeconds * 1000;
  const progress = context.io.progress(`Asking the DNS about ${move.domain.ascii}`);
  let pauseMs = FIRST_PAUSE_MS;
  try {
    for (;;) {
      const check = await checkMove(move).catch(unanswered);
      const isOver = check instanceof CliError ? false : check.verdict === 'complete' || isBroken(check.verdict);
      const remainingMs = until - context.clock.monotonic();
      if (isOver || remainingMs <= 0) {
        if (check instanceof CliError) throw check;
        return withStatus(context, move, check);
      }
      progress.update(`${move.domain.ascii}: ${check instanceof CliError ? check.message : SENTENCES[check.verdict]}`);
      await context.clock.sleep(Math.min(pauseMs, remainingMs), context.signal);
      pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * PAUSE_GROWTH);
    }
  } finally {
    progress.stop();
  }
}

/** Waits for the move of records that were just staged. They stay staged if the wait fails, so that is `still_running`. */
export async function waitAfterStaging(
  context: Context,
  domain: Domain,
  { staging, isRemembered }: { readonly staging: Staging; readonly isRemembered: boolean },
  timeoutSeconds: number | undefined,
): Promise<Partial<MoveResult>> {
  try {
    const move = await openMove(context, domain, { named: isRemembered ? [] : staging.nameservers, staging });
    return await waitForMove(context, move, timeoutSeconds);
  } catch (error) {
    const sentence = `The records of ${domain.ascii} are staged`;
    const { nameservers } = staging;
    const look = statusCommand(domain.ascii, isRemembered ? {} : { nameservers });
    const hint = nameservers.length === 0 ? undefined : `${look} --wait`;
    if (context.signal.aborted) throw new CliError('interrupted', `Stopped waiting. ${sentence}.`, { hint });
    if (!(error instanceof CliError)) throw error;
    const message = `${sentence}, but svc could not watch the switch: ${error.message}`;
    return { failure: new CliError('still_running', message, { hint, cause: error }) };
  }
}

function withStatus(context: Context, move: Move, check: DomainCheck): MoveResult {
  const { ascii } = move.domain;
  const isReserved = check.verdict === 'not_delegated' && !isResolvable(context, ascii);
  const advice = isReserved
    ? `Public DNS has no names like ${ascii}. Set SVC_DNS_SERVER=<host[:port]> to a server that has it.`
    : undefined;
  return {
    status: { move, check, checkedAt: new Date(context.clock.now()).toISOString() },
    failure: moveFailure(check, ascii, nextFor(context, move), advice),
  };
}

function nextFor({ settings }: Context, { domain: { ascii }, typed, staging }: Move): NextCommands {
  const service = staging?.service || undefined;
  // The records of an answer are in no file to stage; a new scan could find others.
  const isAnswer = typed.records !== undefined && staging?.file === undefined;
  const stage = addCommand(ascii, { service, records: staging?.file }, settings.globals);
  return { look: statusCommand(ascii, typed), stage: isAnswer ? `${stage} --records <file>` : stage };
}

/** Nameservers fail to answer now and then. */
function unanswered(error: unknown): CliError {
  if (error instanceof CliError && error.code === 'unavailable') return error;
  throw error;
}
