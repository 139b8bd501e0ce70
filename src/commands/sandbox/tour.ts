import type { Needs } from '../../cli/define/context.ts';
import { defineCommand, printed } from '../../cli/define/define.ts';
import { flag, optional } from '../../cli/values/parameters.ts';
import { parseWholeNumber } from '../../cli/values/text.ts';
import { CliError } from '../../errors.ts';
import { code, dim, strong } from '../../terminal/screen.ts';
import { runChild } from '../shared/programs.ts';
import { TOUR_STOP } from '../shared/tour-stop.ts';
import { type SandboxSession, withSandbox } from './with-sandbox.ts';

/** A test holds that the tour has as many stops. */
const MAX_STOPS = 20;

/** A command of the tour. Its line is split at spaces, so no word may have one. */
type Stop = readonly [meaning: string, line: string, options?: StopOptions];

interface StopOptions {
  /** The exit code that it ends with if all is well; default: 0. */
  readonly exitCode?: number;
  /** Whether it uses the sign-in that the first stop has stored. */
  readonly isStored?: boolean;
  /** The line where nobody can press a key to leave a live view: a picture of it. */
  readonly picture?: string;
}

/** Lists every documented command, as a story. */
function listStops({ listing }: SandboxSession['sandbox']): readonly Stop[] {
  const { deployments, databases, plans, domains } = listing;
  const deployment = deployments[0];
  const [ownDatabase, otherDatabase] = databases;
  const [domain] = domains;
  const free = plans.find((plan) => plan.free)?.id;
  const paid = plans.find((plan) => !plan.free)?.id;
  const payer = '--phone +237670000042 --network mtn';
  return [
    [
      'sign in; the tour approves the code on the web page',
      'login --no-browser',
      { isStored: true },
    ],
    ['who am I?', 'whoami', { isStored: true }],
    ['restart the service', 'restart'],
    [
      'is this deployment live?',
      `deployments inspect ${deployment?.id} --service ${deployment?.service}`,
    ],
    ['flush a cache and wait for it', 'wp run cache.flush --wait'],
    ['how is the service doing?', 'metrics'],
    ['and its processor over the last day?', 'metrics --history --since 24h --series cpuPercent'],
    ['watch it live; q leaves', 'metrics --watch', { picture: 'metrics --history --since 1h' }],
    ['a database, with its password masked', `db inspect ${ownDatabase?.id}`],
    ['and in the clear', `db inspect ${ownDatabase?.id} --reveal`],
    ['which records does the DNS of a domain have today?', `domains import ${domain}`],
    [
      'move it: scan, stage, and what to do at the registrar',
      `domains add ${domain} --import --yes`,
    ],
    ['what would an order send?', `buy --plan ${paid} ${payer} --dry-run`],
    ['order a free plan', `buy --plan ${free} --payment credit_card --yes --no-browser`],
    ['order a plan; the payment prompt goes to the phone', `buy --plan ${paid} ${payer} --yes`],
    [
      'a paid order by card is refused',
      `buy --plan ${paid} --payment credit_card --yes`,
      { exitCode: 3 },
    ],
    ['how are renewals paid?', 'billing autopay'],
    ['any other request', 'api /v1/user --jq .user.email'],
    ['a script reads JSON', `db inspect ${otherDatabase?.id} --jq .database.engine`],
    ['sign out again', 'logout', { isStored: true }],
  ];
}

export default defineCommand({
  summary: 'See every documented command in action, in a fresh sandbox',
  effect: 'local',
  args: {
    stop: optional('the number of the stop to start at; the tour signs in first', {
      read: (text, field) => parseWholeNumber(text, field, { min: 1, max: MAX_STOPS }),
    }),
  },
  options: { fast: flag('do not wait for Enter between the commands') },
  examples: [
    ['svc sandbox tour', 'every documented command, one after the other'],
    ['svc sandbox tour 12 --fast', 'from stop 12 on, without a pause'],
  ],
  exitCodes: [[9, 'a command of the tour failed']],

  async run(context, { stop: first = 1, fast }) {
    const { io, env } = context;
    const pauses = !fast && io.isAttended && io.out.isTty;
    const failedLines = await withSandbox(context, {}, (session) =>
      takeTour(context, session, first, pauses),
    );

    await io.show((screen) => {
      screen.line();
      // In a clone, where npm runs the tour, svc is not on PATH.
      const npx = env['npm_lifecycle_event'] === undefined ? '' : 'npx ';
      screen.line([strong('End of the tour.'), ' Try it: ', code(`${npx}svc sandbox shell`)]);
    });
    if (failedLines.length === 0) return printed();
    const message = `The tour met a failure: ${failedLines.join(', ')}`;
    return printed({ failure: new CliError('failed', message) });
  },
});

/** Runs the commands until the end or `q`; returns the lines that ended unexpectedly. */
async function takeTour(
  context: Needs<'io' | 'time' | 'program'>,
  session: SandboxSession,
  first: number,
  pauses: boolean,
) {
  const { io, time } = context;
  const stops = listStops(session.sandbox);
  const failedLines: string[] = [];
  for (const [index, [meaning, usualLine, options = {}]] of stops.entries()) {
    // Later stops use the stored sign-in.
    if (index > 0 && index + 1 < first) continue;
    const place = `${index + 1} of ${stops.length}`;
    if (pauses && index > 0 && !(await waitForKey(context, place))) break;
    time.signal.throwIfAborted();

    const { exitCode: expected = 0, picture } = options;
    const line = pauses ? usualLine : (picture ?? usualLine);
    await io.show((screen) => {
      screen.line();
      screen.line(dim(`# ${meaning}`));
      screen.line(['$ ', code(`svc ${line}`)]);
    });
    const keyPlace = pauses && picture !== undefined ? place : undefined;
    const exitCode = await runStop(context, session, line, { ...options, keyPlace });
    if (exitCode === expected) continue;

    failedLines.push(`svc ${line}`);
    await io.show((screen) =>
      screen.warning(`This ended with exit code ${exitCode}, not ${expected}.`),
    );
  }
  return failedLines;
}

/** Returns true after Enter or space, and false after `q`. Does not wait in the background. */
async function waitForKey({ io, time }: Needs<'io' | 'time'>, place: string) {
  let answer = (_goesOn: boolean): void => undefined;
  const goesOn = new Promise<boolean>((resolve) => {
    answer = resolve;
  });
  const stopListening = await io.onKey((key) => {
    if (key === 'q' || key === 'Q') answer(false);
    else if (key === '\r' || key === ' ') answer(true);
  });
  if (stopListening === undefined) return true;

  time.signal.addEventListener('abort', () => answer(true), { once: true });
  await io.show((screen) => {
    screen.line();
    screen.line(dim(`Press Enter for stop ${place} · q to quit`));
  });
  return goesOn.finally(stopListening);
}

/**
 * Runs one command of the tour in a process of its own; returns its exit code. Looks for a login to
 * approve with each: only `login` leaves one pending.
 */
async function runStop(
  context: Needs<'io' | 'time' | 'program'>,
  session: SandboxSession,
  line: string,
  { isStored, keyPlace }: StopOptions & { readonly keyPlace: string | undefined },
) {
  const words = line.split(' ');
  const ended = new AbortController();
  const approval = approveWhenAsked(context, session, ended.signal);
  const env = {
    ...session.env,
    // It approves its own login even in CI.
    CI: undefined,
    SVC_TOKEN: isStored ? undefined : session.env['SVC_TOKEN'],
    // The tour must never wait for an answer; only a live view takes keys.
    SVC_NO_INPUT: keyPlace === undefined ? '1' : undefined,
    [TOUR_STOP]: keyPlace,
  };
  try {
    const command = [...context.program.runtime.self, ...words];
    return await runChild(command, { env, cwd: session.folder }, context);
  } finally {
    ended.abort();
    await approval;
  }
}

const LOOK_EVERY_MS = 100;

async function approveWhenAsked(
  { time }: Needs<'time'>,
  { sandbox }: SandboxSession,
  ended: AbortSignal,
) {
  while (!ended.aborted) {
    const [userCode] = sandbox.pendingLogins();
    if (userCode !== undefined) return void sandbox.approve(userCode);
    await time.clock.sleep(LOOK_EVERY_MS, ended).catch(() => undefined);
  }
}
