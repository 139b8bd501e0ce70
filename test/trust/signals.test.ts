import { existsSync, readdirSync, rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { figure } from '../support/figure.ts';
import { builtProgram, preloading } from '../support/program.ts';
import { tries } from '../support/property.ts';
import { IN_MEMORY } from '../support/svc.ts';
import { onTerminal, TERMINAL_ENV } from '../terminal/script.ts';
import { testService } from './service.ts';
import { aboutUse, isAbout, SECRETS, USES, type Use, wellAnswered } from './uses.ts';

const { numRuns, seed } = tries(1, 20_260_404);

/** Signals, and the exit codes that they end svc with. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
type Signal = keyof typeof SIGNALS;
const ALL = Object.keys(SIGNALS) as Signal[];

/** When which signal comes. */
interface Strike {
  readonly signal: Signal;
  /** In thousandths of the time that a command takes by itself. */
  readonly moment: number;
  /** Whether the API answers at all; otherwise only the signal ends the command. */
  readonly answers: boolean;
}
const anyStrike: fc.Arbitrary<Strike> = fc.record({
  signal: fc.constantFrom(...ALL),
  moment: fc.noBias(fc.integer({ min: 0, max: 2_000 })),
  answers: fc.boolean(),
});

/** Milliseconds that the platform takes for an answer. */
const ANSWER_MS = 40;
/** Names of locks, of unfinished files, and of the room that a login reserves. */
const UNFINISHED = /\.lock|\.tmp$|^login-|^pending-login/;
/** What the terminal shows when svc begins to load: an earlier signal would only meet the shell. */
const GO = '<go>';

/** Runs the command line of a use on a terminal; `strike` is struck at its moment. */
async function runOnTerminal(use: Use, strike?: Strike & { readonly usualMs: number }) {
  const folder = await mkdtemp(join(IN_MEMORY, 'svc-signal-'));
  const service = await testService();
  const well = wellAnswered(use);
  const late = (...[exchange]: Parameters<typeof well>) =>
    void setTimeout(() => well(exchange), ANSWER_MS);
  service.expect(strike?.answers === false ? aboutUse(use, () => {}) : late);
  const [config, records, go] = [
    join(folder, 'config'),
    join(folder, 'records.json'),
    join(folder, 'go.cjs'),
  ];
  await writeFile(records, use.stdin ?? '');
  await writeFile(go, `require('node:fs').writeSync(2, '${GO}');`);
  const token = use.operation.credentials === 'none' ? {} : { SVC_TOKEN: SECRETS.token };
  const own = { SVC_API_URL: service.url, SVC_CONFIG_DIR: config, ...preloading(go) };
  const args = use.argv.map((word) => (word === '-' ? records : word));
  const ends: Array<() => void> = [];
  const startedAt = performance.now();
  const atEnd = (end: () => void) => void ends.push(end);
  const env = { ...TERMINAL_ENV, ...own, ...token };
  const run = onTerminal((await builtProgram()).command, {
    args,
    env,
    before: 'trap : HUP',
    atEnd,
  });
  try {
    await run.shows(GO);
    const timer =
      strike &&
      setTimeout(() => run.signal(strike.signal), (strike.moment / 1000) * strike.usualMs);
    const exitCode = await run.ended();
    clearTimeout(timer);
    const sent = service.requests.find((request) => isAbout(use, request));
    const left = existsSync(config)
      ? readdirSync(config, { recursive: true, encoding: 'utf8' })
      : [];
    return { exitCode, output: run.output(), left, sent, ms: performance.now() - startedAt };
  } finally {
    for (const end of ends) end();
    rmSync(folder, { recursive: true, force: true });
  }
}

test(`a signal at any moment of any operation ends it as it should (12 x ${numRuns}, seed ${seed})`, async () => {
  const { ms: usualMs, exitCode } = await runOnTerminal(USES[0] as Use);
  expect(exitCode).toBe(0);
  const strike = async (use: Use, one: Strike): Promise<void> => {
    const end = await runOnTerminal(use, { ...one, usualMs });
    const { output } = end;
    const about = `${use.argv.join(' ')} ${JSON.stringify(one)} ${JSON.stringify(end)}`;
    const code = SIGNALS[one.signal];
    expect(one.answers ? [0, code] : [code], about).toContain(end.exitCode);
    // `login --no-wait` keeps its login for later, once it has told how to go on with it.
    const isKept = (name: string) =>
      name === 'pending-login.json' && output.includes('svc login --complete');
    expect(
      end.left.filter((name) => UNFINISHED.test(name) && !isKept(name)),
      about,
    ).toEqual([]);
    const isCursorShown = output.lastIndexOf('\u001b[?25h') >= output.lastIndexOf('\u001b[?25l');
    expect(isCursorShown, about).toBe(true);
    expect(output, about).not.toMatch(/did not expect|^ +at .*:\d+:\d+/m);
    const key = end.sent?.headers['idempotency-key'];
    // Who does not see the order must be able to go on with it.
    if (key !== undefined && !output.includes('ord_1 · ')) expect(output, about).toContain(key);
  };
  const lanes = [0, 1, 2].map(async (first) => {
    for (let index = first; index < USES.length; index += 3)
      for (const one of fc.sample(anyStrike, { numRuns, seed: seed + index }))
        await strike(USES[index] as Use, one);
  });
  await Promise.all(lanes);
  figure('Signals', USES.length * numRuns);
}, 1_200_000);

test('a sandbox ends well on each of them, and its port is free again', async () => {
  for (const signal of ALL) {
    const env = { ...TERMINAL_ENV, SVC_CONFIG_DIR: '/nonexistent/svc' };
    const args = ['sandbox', 'start', '--port', '0', '--json'];
    const run = onTerminal((await builtProgram()).command, { args, env, before: 'trap : HUP' });
    await run.shows('"url":"');
    const [, url = ''] = /"url":"([^"]+)"/.exec(run.output()) ?? [];
    await fetch(`${url}/v1/user`);
    run.signal(signal);
    expect([signal, await run.ended()]).toEqual([signal, 0]);
    await expect(fetch(`${url}/v1/user`)).rejects.toThrow();
  }
});
