import { readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { figure } from '../support/figure.ts';
import { tries } from '../support/property.ts';
import { onTerminal, TERMINAL_ENV } from '../terminal/script.ts';
import {
  countingService,
  type Deed,
  expectOnce,
  FINE,
  GONE,
  idsOf,
  programOn,
} from './counting-service.ts';

const { numRuns, seed } = tries(300, 20_261_125);
/** How many svc are started on one log. */
const STARTS = 5;
const QUESTION = 'Run svc restart';
const RESUME = ['--log', 'run.ndjson'];

/** A svc that is started beside others; times are milliseconds, and begin with the round. */
const START = fc.record({
  atMs: fc.integer({ min: 0, max: 900 }),
  /** What it calls the log. */
  log: fc.constantFrom('run.ndjson', './run.ndjson', 'link.ndjson'),
  /** Is asked on a terminal, and answered so long after the question; undefined with `--yes`. */
  answeredMs: fc.option(fc.integer({ min: 50, max: 400 }), { nil: undefined, freq: 2 }),
  killedMs: fc.option(fc.integer({ min: 300, max: 1_500 }), { nil: undefined, freq: 2 }),
});

const ROUND = fc.record({
  starts: fc.array(START, { minLength: STARTS, maxLength: STARTS }),
  deeds: fc.array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constant(FINE) },
      { weight: 2, arbitrary: fc.constant(GONE) },
      {
        weight: 1,
        arbitrary: fc.boolean().map((carriesOut): Deed => ({ carriesOut, answer: 'reset' })),
      },
    ),
    { minLength: 40, maxLength: 40 },
  ),
  /** How long the platform takes. */
  answerMs: fc.integer({ min: 0, max: 60 }),
});

/** A service, a list, and ways to start svc beside others. */
async function stage(decide: () => Deed, ids: readonly string[]) {
  const service = await countingService(decide);
  const { cwd, command, env, run } = await programOn(service, ids);
  await symlink('run.ndjson', join(cwd, 'link.ndjson'));
  const argv = ['restart', '--services', 'list.txt', '--concurrency', '2'];
  return {
    ...{ ...service, cwd },
    run: (more: readonly string[], killedMs = 600_000) =>
      run([...argv, '--yes', '--json', ...more], (child) => {
        setTimeout(() => child.kill('SIGKILL'), killedMs).unref();
      }),
    /** The same on a terminal, where svc asks. */
    asks: (more: readonly string[]) =>
      onTerminal(command, {
        args: [...argv, ...more],
        env: { ...TERMINAL_ENV, ...env },
        before: `cd ${cwd}`,
      }),
  };
}

test(`of ${numRuns} svc that are started on the log of another at any time, none does twice what another has done`, {
  timeout: 1_800_000,
}, async () => {
  const rounds = fc.sample(ROUND, { numRuns: Math.ceil(numRuns / STARTS), seed });
  let [killed, doubtful] = [0, 0];
  const ids = idsOf(12);
  for (const { starts, deeds, answerMs } of rounds) {
    const service = await stage(() => ({ ...(deeds.pop() ?? FINE), after: after(answerMs) }), ids);
    const resume = async (log: string, killedMs?: number) => {
      const { signal } = await service.run(['--log', log], killedMs);
      if (signal === 'SIGKILL') killed += 1;
    };
    const ask = async (log: string, answeredMs: number) => {
      const asking = service.asks(['--log', log]);
      const ended = asking.ended();
      const isAsked = await Promise.race([
        ended.then(() => false),
        asking.shows(QUESTION).then(() => true),
      ]);
      if (isAsked) {
        await after(answeredMs);
        await asking.answer('y');
      }
      await ended;
    };
    await Promise.all(
      starts.map(async ({ atMs, log, answeredMs, killedMs }, index) => {
        if (index === 0) return resume('run.ndjson', killedMs);
        await after(atMs);
        return answeredMs === undefined ? resume(log, killedMs) : ask(log, answeredMs);
      }),
    );
    deeds.length = 0;
    const { stdout, exitCode } = await service.run(RESUME);
    // A stopped one may hold all items that are left.
    doubtful += expectOnce(ids, service, { stdout, exitCode: exitCode === 8 ? 11 : exitCode }).size;
  }
  figure(
    'Two svc on one log',
    rounds.length * STARTS,
    `${killed} killed, ${doubtful} services in doubt`,
  );
});

const SIX = idsOf(6);

test('while svc asks, nobody else can carry out what it asks about', async () => {
  let deed = GONE;
  const { run, asks, timesOf } = await stage(() => deed, SIX);
  await run(['--log', 'run.ndjson']);
  deed = FINE;
  const asking = asks(RESUME);
  await asking.shows(`${QUESTION} for 6 services`);
  expect(await run(RESUME)).toMatchObject({ exitCode: 2, stdout: '' });
  await asking.shows('└');
  await asking.answer('y');
  expect(await asking.ended()).toBe(0);
  expect(SIX.map(timesOf)).toEqual(SIX.map(() => 1));
});

test('a log that another svc has taken over while svc asks is not written to', async () => {
  const { asks, cwd, requests } = await stage(() => FINE, SIX);
  const asking = asks(['--log', 'run.ndjson']);
  await asking.shows(`${QUESTION} for 6 services`);
  await rm(join(cwd, 'run.ndjson.lock'), { recursive: true });
  await asking.shows('└');
  await asking.answer('y');
  expect([await asking.ended(), requests()]).toEqual([11, 0]);
  expect(asking.output()).toContain('Another svc has taken over the log');
  expect(await readdir(cwd)).not.toContain('run.ndjson');
});
