import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { figure } from '../support/figure.ts';
import { holdLock, isWaitedFor } from '../support/held-lock.ts';
import { builtProgram, type Program, preloading } from '../support/program.ts';
import { tries } from '../support/property.ts';
import { IN_MEMORY } from '../support/svc.ts';
import { send } from '../support/wire-plan.ts';
import type { WireRecord } from '../support/wire-record.ts';
import { onTerminal, TERMINAL_ENV } from '../terminal/script.ts';
import { testService } from './service.ts';
import { aboutUse, isAbout, SECRETS, USES, type Use, wellAnswered } from './uses.ts';

const { numRuns, seed } = tries(1, 20_260_404);

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

/** Signals, and the exit codes that they end svc with. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** When which signal comes. */
const anyStrike = fc.record({
  signal: fc.constantFrom(...(Object.keys(SIGNALS) as (keyof typeof SIGNALS)[])),
  /** As a part of the time that a command takes by itself. */
  moment: fc.noBias(fc.integer({ min: 0, max: 2_000 })).map((thousandths) => thousandths / 1000),
  /** Whether the API answers at all; otherwise only the signal ends the command. */
  answers: fc.boolean(),
});
type Strike = typeof anyStrike extends fc.Arbitrary<infer S> ? S : never;

/** Milliseconds that the platform takes for an answer. */
const ANSWER_MS = 40;
/** Names of locks, of unfinished files, and of the room that a login reserves. */
const UNFINISHED = /\.lock|\.tmp$|^login-|^pending-login/;
/** The login that `--no-wait` keeps for later, once it has told how to go on with it. */
const KEPT = /^pending-login\.json$/;

/** What the terminal shows when svc begins to load: an earlier signal would only meet the shell. */
const GO = '<go>';

/** A file that another svc keeps locked, a command line that has to change it, and its stdin. */
type Busy = readonly [file: string, line: string, stdin?: string];

const BUSY: readonly Busy[] = [
  ['config.json', 'config set org acme'],
  ['orders.json', `buy --plan p --network mtn --phone ${SECRETS.phone} --yes`],
  ['credentials.json', 'login --with-token', SECRETS.issuedToken],
  ['pending-login.json', 'login --no-wait'],
];

/** A configuration folder that goes with the run. */
async function inFolder<T>(run: (folder: string, config: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(IN_MEMORY, 'svc-signal-'));
  return run(folder, join(folder, 'config')).finally(() => rmSync(folder, { recursive: true, force: true }));
}

const filesIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];

const tokenOf = (needed: boolean) => (needed ? { SVC_TOKEN: SECRETS.token } : {});

/** Runs a command line that needs the locked file, and strikes some milliseconds after it has begun to wait. */
function runWhileBusy([file, line, stdin = '']: Busy, { signal, moment }: Strike) {
  return inFolder(async (_folder, config) => {
    const service = await testService();
    const goodFor = (request: WireRecord) => USES.find((one) => isAbout(one, request))?.good ?? {};
    service.expect(({ request, response }) => send(response, 200, goodFor(request)));
    const letGo = holdLock(config, file);
    const own = { PATH: process.env['PATH'], SVC_API_URL: service.url, SVC_CONFIG_DIR: config };
    const env = { ...own, ...tokenOf(!line.startsWith('login')) };
    const [node, script] = program.command;
    const child = spawn(node, [script, ...line.split(' ')], { env, stdio: ['pipe', 'ignore', 'pipe'] });
    const ended = once(child, 'close');
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk));
    child.stdin.end(stdin);
    try {
      await isWaitedFor(config, file);
      await systemClock.sleep(moment * 300);
      child.kill(signal);
      const [exitCode] = await ended;
      return { exitCode, output, left: filesIn(config), sent: service.requests };
    } finally {
      child.kill('SIGKILL');
      letGo();
    }
  });
}

/** Runs the command line of a use on a terminal; `strike` is struck at its moment. */
function runOnTerminal(use: Use, strike?: Strike & { readonly usualMs: number }) {
  return inFolder(async (folder, config) => {
    const service = await testService();
    const well = wellAnswered(use);
    const late = (...[exchange]: Parameters<typeof well>) => void setTimeout(() => well(exchange), ANSWER_MS);
    service.expect(strike?.answers === false ? aboutUse(use, () => {}) : late);
    const [records, go] = [join(folder, 'records.json'), join(folder, 'go.cjs')];
    await writeFile(records, use.stdin ?? '');
    await writeFile(go, `require('node:fs').writeSync(2, '${GO}');`);
    const own = { SVC_API_URL: service.url, SVC_CONFIG_DIR: config, ...preloading(go) };
    const env = { ...TERMINAL_ENV, ...own, ...tokenOf(use.operation.credentials !== 'none') };
    const args = use.argv.map((word) => (word === '-' ? records : word));
    const ends: Array<() => void> = [];
    const startedAt = performance.now();
    const atEnd = (end: () => void) => void ends.push(end);
    const run = onTerminal(program.command, { args, env, before: 'trap : HUP', atEnd });
    try {
      await run.shows(GO);
      const timer = strike && setTimeout(() => run.signal(strike.signal), strike.moment * strike.usualMs);
      const exitCode = await run.ended();
      clearTimeout(timer);
      const sent = service.requests.find((request) => isAbout(use, request));
      return { exitCode, output: run.output(), left: filesIn(config), sent, ms: performance.now() - startedAt };
    } finally {
      for (const end of ends) end();
    }
  });
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
    const isTold = output.includes('svc login --complete');
    const unfinished = end.left.filter((name) => UNFINISHED.test(name) && !(isTold && KEPT.test(name)));
    expect(unfinished, about).toEqual([]);
    const isCursorShown = output.lastIndexOf('\u001b[?25h') >= output.lastIndexOf('\u001b[?25l');
    expect(isCursorShown, about).toBe(true);
    expect(output, about).not.toMatch(/did not expect|^ +at .*:\d+:\d+/m);
    const key = end.sent?.headers['idempotency-key'];
    // Who does not see the order must be able to go on with it.
    if (key !== undefined && !output.includes('Order ord_1 created')) expect(output, about).toContain(key);
  };
  const lanes = [0, 1, 2].map(async (first) => {
    for (let index = first; index < USES.length; index += 3)
      for (const one of fc.sample(anyStrike, { numRuns, seed: seed + index })) await strike(USES[index] as Use, one);
  });
  await Promise.all(lanes);
  figure('Signals', USES.length * numRuns);
}, 1_200_000);

test(`a signal while a lock is waited for ends the command as well (4 x ${numRuns}, seed ${seed})`, async () => {
  for (const [index, busy] of BUSY.entries()) {
    for (const strike of fc.sample(anyStrike, { numRuns, seed: seed + 100 + index })) {
      const { exitCode, output, left, sent } = await runWhileBusy(busy, strike);
      const [, line] = busy;
      const about = `${line} ${JSON.stringify(strike)} ${output} ${left}`;
      // Who does not hear the signal waits for the lock, and ends with the error that it is taken.
      expect(exitCode, about).toBe(SIGNALS[strike.signal]);
      const journals = left.filter((name) => name.startsWith('login-'));
      expect(journals, about).toHaveLength(line.includes('--with-token') ? 1 : 0);
      expect(output.replace(/\s/g, ''), about).toContain(journals[0] ?? 'Interrupted');
      const unfinished = left.filter((name) => name.includes('.lock-') || name.endsWith('.tmp'));
      expect(unfinished, about).toEqual([]);
      if (line.startsWith('buy')) expect(sent, about).toEqual([]);
    }
  }
  figure('Signals', BUSY.length * numRuns, 'while a lock is waited for');
}, 600_000);

test('a sandbox ends well on each of them, and its port is free again', async () => {
  for (const signal of Object.keys(SIGNALS) as (keyof typeof SIGNALS)[]) {
    const env = { ...TERMINAL_ENV, SVC_CONFIG_DIR: '/nonexistent/svc' };
    const args = ['sandbox', 'start', '--port', '0', '--json'];
    const run = onTerminal(program.command, { args, env, before: 'trap : HUP' });
    await run.shows('"url":"');
    const [, url = ''] = /"url":"([^"]+)"/.exec(run.output()) ?? [];
    await fetch(`${url}/v1/user`);
    run.signal(signal);
    expect([signal, await run.ended()]).toEqual([signal, 0]);
    await expect(fetch(`${url}/v1/user`)).rejects.toThrow();
  }
});
