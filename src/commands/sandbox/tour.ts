import type { Listing } from '../../../sandbox/server.ts';
import type { Needs } from '../../cli/define/context.ts';
import { defineCommand } from '../../cli/define/define.ts';
import { printed } from '../../cli/define/result.ts';
import { parseWholeNumber } from '../../cli/values/number.ts';
import { flag, optional } from '../../cli/values/parameters.ts';
import { CliError } from '../../errors.ts';
import { repeatLine } from '../../shell-line.ts';
import { code, dim, type Screen, strong } from '../../terminal/screen.ts';
import { runChild } from '../shared/programs.ts';
import { TOUR_STOP } from '../shared/tour-stop.ts';
import { type Workshop, withSandbox } from './with-sandbox.ts';

/** A test holds that the tour has as many stops. */
const MAX_STOPS = 20;

interface Stop {
  readonly words: readonly string[];
  readonly meaning: string;
  readonly exitCode: number;
  readonly stored?: boolean;
  /** The words where nobody can press a key to leave a live view: a picture of it. */
  readonly picture?: string;
}

/** Every documented command, as a story. */
function tourStops({ deployments, databases, plans, domains }: Listing): readonly Stop[] {
  const deployment = deployments[0];
  const [ownDatabase, otherDatabase] = databases;
  const domain = domains[0] ?? '';
  const free = plans.find((plan) => plan.free)?.id ?? '';
  const paid = plans.find((plan) => !plan.free)?.id ?? '';
  const payer = '--phone +237670000042 --network mtn';
  return [
    stop('sign in; the tour approves the code on the web page', 'login --no-browser', {
      stored: true,
    }),
    stop('who am I?', 'whoami', { stored: true }),
    stop('restart the service', 'restart'),
    stop(
      'is this deployment live?',
      `deployments inspect ${deployment?.id} --service ${deployment?.service}`,
    ),
    stop('flush a cache and wait for it', 'wp run cache.flush --wait'),
    stop('how is the service doing?', 'metrics'),
    stop(
      'and its processor over the last day?',
      'metrics --history --since 24h --series cpuPercent',
    ),
    stop('watch it live; q leaves', 'metrics --watch', { picture: 'metrics --history --since 1h' }),
    stop('a database, with its password masked', `db inspect ${ownDatabase?.id}`),
    stop('and in the clear', `db inspect ${ownDatabase?.id} --reveal`),
    stop('which records does the DNS of a domain have today?', `domains import ${domain}`),
    stop(
      'move it: scan, stage, and what to do at the registrar',
      `domains add ${domain} --import --yes`,
    ),
    stop('what would an order send?', `buy --plan ${paid} ${payer} --dry-run`),
    stop('order a free plan', `buy --plan ${free} --payment credit_card --yes --no-browser`),
    stop('order a plan; the payment prompt goes to the phone', `buy --plan ${paid} ${payer} --yes`),
    stop('a paid order by card is refused', `buy --plan ${paid} --payment credit_card --yes`, {
      exitCode: 3,
    }),
    stop('how are renewals paid?', 'billing autopay'),
    stop('any other request', 'api /v1/user --jq .user.email'),
    stop('a script reads JSON', `db inspect ${otherDatabase?.id} --jq .database.engine`),
    stop('sign out again', 'logout', { stored: true }),
  ];
}

/** The line is split at spaces, so no word may have one. */
function stop(meaning: string, line: string, more: Partial<Stop> = {}): Stop {
  return { words: line.split(' '), meaning, exitCode: 0, ...more };
}

export default defineCommand({
  path: 'sandbox tour',
  summary: 'See every documented command in action, in a fresh sandbox',
  effect: 'local',
  args: {
    stop: optional('the number of the stop to start at; the tour signs in first', {
      read: (text, field) => parseWholeNumber(text, field, { min: 1, max: MAX_STOPS }),
    }),
  },
  options: {
    fast: flag('do not wait for Enter between the commands'),
    list: flag('list the stops, and run nothing'),
  },
  examples: [
    ['svc sandbox tour', 'every documented command, one after the other'],
    ['svc sandbox tour 12 --fast', 'from stop 12 on, without a pause'],
  ],
  exitCodes: [[9, 'a command of the tour failed']],

  async run(context, { stop: first = 1, fast, list }) {
    const { io } = context;
    if (list) {
      await withSandbox(context, {}, ({ sandbox }) =>
        io.show((screen) => listStops(screen, sandbox.listing)),
      );
      return printed();
    }
    const pauses = !fast && io.isAttended && io.out.isTty;
    const failed = await withSandbox(context, {}, (workshop) =>
      takeTour(context, workshop, first, pauses),
    );
    await io.show((screen) => {
      screen.line();
      // In a clone, where npm runs the tour, svc is not on PATH.
      const npx = context.env['npm_lifecycle_event'] === undefined ? '' : 'npx ';
      screen.line([strong('End of the tour.'), ' Try it: ', code(`${npx}svc sandbox shell`)]);
    });
    if (failed.length === 0) return printed();
    return printed({
      failure: new CliError('failed', `The tour met a failure: ${failed.map(lineOf).join(', ')}`),
    });
  },
});

const lineOf = ({ words }: Stop): string => repeatLine(words);

function listStops(screen: Screen, listing: Listing): void {
  screen.steps(tourStops(listing).map((stop) => [`${stop.meaning}  `, code(lineOf(stop))]));
  screen.next([['svc sandbox tour 6', 'start at a stop']]);
}

/** Runs the commands until the end or `q`; resolves with those that ended unexpectedly. */
async function takeTour(
  context: Needs<'io' | 'time' | 'program'>,
  workshop: Workshop,
  first: number,
  pauses: boolean,
): Promise<Stop[]> {
  const { io } = context;
  const stops = tourStops(workshop.sandbox.listing);
  const failures: Stop[] = [];
  for (const [index, given] of stops.entries()) {
    // Later stops use the stored sign-in.
    if (index > 0 && index + 1 < first) continue;
    const stop =
      pauses || given.picture === undefined ? given : { ...given, words: given.picture.split(' ') };
    const question = `Press Enter for stop ${index + 1} of ${stops.length} · q to quit`;
    if (pauses && index > 0 && !(await wantsMore(context, question))) break;
    context.time.signal.throwIfAborted();
    await io.show((screen) => {
      screen.line();
      screen.line(dim(`# ${stop.meaning}`));
      screen.line(['$ ', code(lineOf(stop))]);
    });
    const exitCode = await runStop(context, workshop, stop, `${index + 1} of ${stops.length}`);
    if (exitCode === stop.exitCode) continue;
    failures.push(stop);
    await io.show((screen) =>
      screen.warning(`This ended with exit code ${exitCode}, not ${stop.exitCode}.`),
    );
  }
  return failures;
}

/**
 * Resolves with true after Enter or space, and with false after `q`. Does not wait in the
 * background.
 */
async function wantsMore({ io, time }: Needs<'io' | 'time'>, question: string): Promise<boolean> {
  let answer = (_isMore: boolean): void => undefined;
  const answered = new Promise<boolean>((resolve) => {
    answer = resolve;
  });
  const stop = await io.onKey((key) => {
    if (key === 'q' || key === 'Q') answer(false);
    else if (key === '\r' || key === ' ') answer(true);
  });
  if (stop === undefined) return true;
  time.signal.addEventListener('abort', () => answer(true), { once: true });
  await io.show((screen) => {
    screen.line();
    screen.line(dim(question));
  });
  return answered.finally(stop);
}

const LOOK_EVERY_MS = 100;

/** Runs one command of the tour in a process of its own; resolves with its exit code. */
async function runStop(
  context: Needs<'io' | 'time' | 'program'>,
  workshop: Workshop,
  stop: Stop,
  place: string,
): Promise<number> {
  const ended = new AbortController();
  const approval =
    stop.words[0] === 'login' ? approveWhenAsked(context, workshop, ended.signal) : undefined;
  const { SVC_TOKEN, ...withoutToken } = workshop.env;
  // The tour approves its own login even in CI, and must never wait for an answer; only a live view
  // takes keys.
  const takesKeys = stop.picture !== undefined && stop.words.join(' ') !== stop.picture;
  const own = {
    CI: undefined,
    SVC_NO_INPUT: takesKeys ? undefined : '1',
    [TOUR_STOP]: takesKeys ? place : undefined,
    ...(!stop.stored && { SVC_TOKEN }),
  };
  const env = { ...withoutToken, ...own };
  try {
    return await runChild([...context.program.runtime.self, ...stop.words], {
      env,
      cwd: workshop.folder,
      signal: context.time.signal,
      sharesTerminal: context.io.stdinIsTty,
    });
  } finally {
    ended.abort();
    await approval;
  }
}

async function approveWhenAsked(
  { time }: Needs<'time'>,
  { sandbox }: Workshop,
  ended: AbortSignal,
) {
  while (!ended.aborted) {
    const [waiting] = sandbox.pendingLogins();
    if (waiting !== undefined) return void sandbox.approve(waiting);
    await time.clock.sleep(LOOK_EVERY_MS, ended).catch(() => undefined);
  }
}
