import type { Needs } from '../../cli/define/context.ts';
import { flag, option } from '../../cli/values/parameters.ts';
import { parseDuration } from '../../cli/values/time.ts';
import type { MoveFields } from '../../contract/fields/move.ts';
import { checkDomain } from '../../dns/domain-check.ts';
import { showServer } from '../../dns/server.ts';
import { CliError } from '../../errors.ts';
import { isResolvable } from './dns.ts';
import { addCommand, type Move, openMove, statusCommand } from './move.ts';
import { isBroken, type MoveStatus, VERDICTS } from './show-status.ts';
import type { Staged } from './staging.ts';

interface MoveResult {
  readonly status: MoveStatus;
  /** Undefined only if the move is complete. */
  readonly failure: CliError | undefined;
}

/** Long enough to sign in at a registrar, and for most caches to expire. */
const WAIT_SECONDS = 3600;

/** DNS changes take minutes to hours, and the servers belong to others. */
const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 300_000;
const PAUSE_GROWTH = 1.5;

/** `--wait`, with this meaning, and `--wait-timeout`. */
export function waitFlags(meaning: string) {
  return {
    wait: flag(meaning, { short: 'w' }),
    waitTimeout: option('duration', 'wait at most this long (default: 1h)', parseDuration),
  };
}

/** Asks the DNS once how far a move is. */
export async function checkMove(
  context: Needs<'globals' | 'time' | 'env'>,
  move: Move,
): Promise<MoveResult> {
  const { domain, resolver, expected, remembered, expectedFrom, staging, sets } = move;
  const { ascii } = domain;
  const { verdict, delegation, nameservers, viaResolver, dnssec } = await checkDomain(
    { domain: ascii, expected, alsoNew: remembered, sets },
    resolver,
  );
  const staged = staging && {
    staged: staging.records.length,
    sets: sets.length,
    stagedAt: staging.stagedAt || null,
  };
  const found = {
    domain: ascii,
    verdict,
    message: VERDICTS[verdict][0],
    checkedAt: new Date(context.time.clock.now()).toISOString(),
    expected: { nameservers: expected.map(showServer), from: expectedFrom },
    delegation,
    records: staged ?? null,
    nameservers,
    viaResolver,
    dnssec,
  };
  return { status: { domain, found }, failure: failureOf(context, move, found) };
}

/**
 * A move that only takes its time is no failure; one whose server leaves out some of the records
 * is.
 */
function failureOf(
  context: Needs<'globals' | 'env'>,
  move: Move,
  found: MoveFields,
): CliError | undefined {
  const { verdict, viaResolver, nameservers } = found;
  if (verdict === 'complete') return undefined;
  const { domain, staging, command, given } = move;
  const leavesOut = (viaResolver ? [viaResolver] : nameservers).some(
    ({ matching, different, unanswered }) => unanswered > 0 && matching + different.length > 0,
  );
  const broken = isBroken(verdict);
  if (verdict === 'not_delegated' && !isResolvable(context, domain.ascii)) {
    const message = `The move of ${domain.ascii} cannot be checked: public DNS has no names like it.`;
    const hint = 'Set SVC_DNS_SERVER=<host[:port]> to a server that has it.';
    return new CliError('no_data', message, { hint });
  }
  const typed = { service: staging?.service || undefined, records: staging?.file };
  const stage = addCommand(domain.ascii, typed, context.globals);
  // The records of an answer are in no file to stage; a new scan could find others.
  const restage =
    given !== undefined && staging?.file === undefined ? `${stage} --records <file>` : stage;
  const hint = verdict === 'broken_records' ? restage : `${command}${broken ? '' : ' --wait'}`;
  const code = broken || (verdict === 'incomplete' && leavesOut) ? 'failed' : 'still_running';
  // The screen says what is the matter, so the error does not say it again.
  return new CliError(
    code,
    `The move of ${domain.ascii} is ${broken ? 'broken' : 'not complete'}. ${VERDICTS[verdict][1]}`,
    {
      hint,
    },
  );
}

/**
 * Checks a move until it is complete or broken, or the time is up. One without an answer is
 * repeated, since nameservers fail now and then; the last one throws `unavailable`.
 */
export async function waitForMove(
  context: Needs<'io' | 'globals' | 'time' | 'env'>,
  move: Move,
  timeoutSeconds = WAIT_SECONDS,
): Promise<MoveResult> {
  const { ascii } = move.domain;
  const until = context.time.clock.monotonic() + timeoutSeconds * 1000;
  const progress = context.io.progress(`Asking the DNS about ${ascii}`);
  let pauseMs = FIRST_PAUSE_MS;
  try {
    for (;;) {
      const looked = await checkMove(context, move).catch((error: unknown) => {
        if (error instanceof CliError && error.code === 'unavailable') return error;
        throw error;
      });
      const found = looked instanceof CliError ? undefined : looked.status.found;
      const isOver =
        found?.verdict === 'complete' || (found !== undefined && isBroken(found.verdict));
      const remainingMs = until - context.time.clock.monotonic();
      if (isOver || remainingMs <= 0) {
        if (looked instanceof CliError) throw looked;
        return looked;
      }
      progress.update(`${ascii}: ${looked instanceof CliError ? looked.message : found?.message}`);
      await context.time.clock.sleep(Math.min(pauseMs, remainingMs), context.time.signal);
      pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * PAUSE_GROWTH);
    }
  } finally {
    progress.stop();
  }
}

/** Records that were just staged stay so if the wait fails, which is `still_running`. */
export async function waitAfterStaging(
  context: Needs<'io' | 'globals' | 'store' | 'time' | 'env'>,
  { domain, staging, isRemembered }: Staged,
  timeoutSeconds: number | undefined,
): Promise<Partial<MoveResult>> {
  const named = isRemembered ? [] : staging.nameservers;
  try {
    return await waitForMove(
      context,
      await openMove(context, domain, named, staging),
      timeoutSeconds,
    );
  } catch (error) {
    const sentence = `The records of ${domain.ascii} are staged`;
    const hint =
      staging.nameservers.length === 0 ? undefined : `${statusCommand(domain.ascii, named)} --wait`;
    if (context.time.signal.aborted)
      throw new CliError('interrupted', `Stopped waiting. ${sentence}.`, { hint });
    if (!(error instanceof CliError)) throw error;
    const message = `${sentence}, but svc could not watch the switch: ${error.message}`;
    return { failure: new CliError('still_running', message, { hint, cause: error }) };
  }
}
