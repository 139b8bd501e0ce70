import type { Needs } from '../../cli/define/context.ts';
import { flag, option, type Values } from '../../cli/values/parameters.ts';
import { parseDuration } from '../../cli/values/time.ts';
import type { MoveFields } from '../../contract/fields/dns.ts';
import { findResolverDoubt, type Resolver, showServer } from '../../dns/client.ts';
import { checkDomain } from '../../dns/domain-check.ts';
import { CliError } from '../../errors.ts';
import { WAIT_SECONDS_IN_BATCH } from '../shared/wait.ts';
import { isResolvable, toNoAnswer } from './dns.ts';
import { getAddCommand, type Move } from './move.ts';
import { isBroken, VERDICTS } from './show-status.ts';

/** Long enough to sign in at a registrar, and for most caches to expire. */
const WAIT_SECONDS = 3600;

/** DNS changes take minutes to hours, and the servers belong to others. */
const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 300_000;
const PAUSE_GROWTH = 1.5;

/** Returns the options `--wait`, with this meaning, and `--wait-timeout`. */
export function createWaitFlags(meaning: string) {
  return {
    wait: flag(meaning, { short: 'w' }),
    waitTimeout: option('duration', 'wait at most this long (default: 1h)', parseDuration),
  };
}

/** Asks the DNS once how far a move is. A failure is the error of one that is not complete. */
async function checkMove(context: Needs<'globals' | 'time' | 'env'>, move: Move) {
  const { domain, resolver, expected, remembered, expectedFrom, staging, sets } = move;
  const { ascii } = domain;
  const { verdict, delegation, ...answers } = await checkDomain(
    { domain: ascii, expected, alsoNew: remembered, sets },
    resolver,
  );
  if (verdict === 'not_delegated' && delegation.registry === null && isResolvable(context, ascii)) {
    await requirePublicDns(ascii, resolver);
  }
  const records = staging
    ? {
        staged: staging.records.length,
        sets: sets.length,
        stagedAt: staging.stagedAt ?? null,
      }
    : null;
  const found = {
    domain: ascii,
    verdict,
    message: VERDICTS[verdict][0],
    checkedAt: new Date(context.time.clock.now()).toISOString(),
    expected: { nameservers: expected.map(showServer), from: expectedFrom },
    delegation,
    records,
    ...answers,
  };
  return { status: { move, found }, failure: createMoveFailure(context, move, found) };
}

async function requirePublicDns(domain: string, resolver: Resolver): Promise<void> {
  const doubt = await findResolverDoubt(domain, resolver);
  if (doubt === undefined) return;
  throw new CliError('unavailable', `No DNS server told about ${domain}: ${doubt}.`, {
    lines: [
      'If this network has a sign-in page, open it in a browser first.',
      'To ask another server, set SVC_DNS_SERVER=<host[:port]>.',
    ],
  });
}

/**
 * Makes the error of a move that is not complete. One that only takes its time is no failure; one
 * whose server leaves out some of the records is.
 */
function createMoveFailure(
  context: Needs<'globals' | 'env'>,
  move: Move,
  found: MoveFields,
): CliError | undefined {
  const { verdict } = found;
  const { ascii } = move.domain;
  if (verdict === 'complete') return undefined;
  if (verdict === 'not_delegated' && !isResolvable(context, ascii)) {
    const message = `The move of ${ascii} cannot be checked: public DNS has no names like it.`;
    const hint = 'Set SVC_DNS_SERVER=<host[:port]> to a server that has it.';
    return new CliError('no_data', message, { hint });
  }

  const isFailure = isBroken(verdict) || (verdict === 'incomplete' && leavesRecordsOut(found));
  const state = isBroken(verdict) ? 'broken' : 'not complete';
  const [, advice] = VERDICTS[verdict];
  // The screen says what is the matter, so the error does not say it again.
  return new CliError(
    isFailure ? 'failed' : 'still_running',
    `The move of ${ascii} is ${state}. ${advice}`,
    { hint: suggestNext(context, move, verdict) },
  );
}

function leavesRecordsOut({ viaResolver, nameservers }: MoveFields): boolean {
  return (viaResolver ? [viaResolver] : nameservers).some(
    ({ matching, different, unanswered }) => unanswered > 0 && matching + different.length > 0,
  );
}

function suggestNext(
  { globals }: Needs<'globals'>,
  { domain, staging, command }: Move,
  verdict: MoveFields['verdict'],
): string {
  if (verdict !== 'broken_records') return isBroken(verdict) ? command : `${command} --wait`;
  const { service, file, recordsFile } = staging ?? {};
  const typed = { service, records: file };
  const stage = getAddCommand(domain.ascii, typed, globals);
  // The records of an answer are in no file to stage; a new scan could find others.
  const isOfAnswer = recordsFile !== undefined && file === undefined;
  return isOfAnswer ? `${stage} --records <file>` : stage;
}

/**
 * Checks a move once, or until it is complete or broken, or the time is up. One without an answer is
 * repeated, since nameservers fail now and then; the last one throws `unavailable`.
 */
export async function watchMove(
  context: Needs<'io' | 'globals' | 'time' | 'env' | 'batch'>,
  move: Move,
  { wait, waitTimeout }: Values<ReturnType<typeof createWaitFlags>>,
): ReturnType<typeof checkMove> {
  const { clock, signal } = context.time;
  const { ascii } = move.domain;
  const usualSeconds = context.batch === undefined ? WAIT_SECONDS : WAIT_SECONDS_IN_BATCH;
  const seconds = waitTimeout ?? (wait ? usualSeconds : 0);
  const until = clock.monotonic() + seconds * 1000;
  const progress = context.io.progress(`Asking the DNS about ${ascii}`);
  let pauseMs = FIRST_PAUSE_MS;
  try {
    for (;;) {
      const result = await checkMove(context, move).catch(toNoAnswer);
      const remainingMs = until - clock.monotonic();
      if (result instanceof CliError) {
        if (remainingMs <= 0) throw result;
        progress.update(`${ascii}: ${result.message}`);
      } else {
        const { verdict, message } = result.status.found;
        if (verdict === 'complete' || isBroken(verdict) || remainingMs <= 0) return result;
        progress.update(`${ascii}: ${message}`);
      }

      await clock.sleep(Math.min(pauseMs, remainingMs), signal);
      pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * PAUSE_GROWTH);
    }
  } finally {
    progress.stop();
  }
}
