import { readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { figure } from '../support/figure.ts';
import { tries } from '../support/property.ts';
import { onTerminal, TERMINAL_ENV } from '../terminal/script.ts';
import { countingService, type Deed, expectOnce, FINE, idsOf, programOn } from './counting-service.ts';

const { numRuns, seed } = tries(300, 20_261_125);
/** How many svc are started on one log, and the services that they restart. */
const STARTS = 5;
const IDS = idsOf(12);
const QUESTION = 'Run svc restart';

type Counts = Record<'refused' | 'asked' | 'killed' | 'doubtful', number>;

/** A svc that is started beside others; times are milliseconds. */
const START = fc.record({
  /** After the start of the round. */
  atMs: fc.integer({ min: 0, max: 900 }),
  /** What it calls the log. */
  log: fc.constantFrom('run.ndjson', './run.ndjson', 'link.ndjson'),
  /** Is asked on a terminal, and answered so long after the question; undefined with `--yes`. */
  answeredMs: fc.option(fc.integer({ min: 50, max: 400 }), { nil: undefined, freq: 2 }),
  /** Killed so long after the start of the round. */
  killedMs: fc.option(fc.integer({ min: 300, max: 1_500 }), { nil: undefined, freq: 2 }),
});

const DEED: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({ carriesOut: true, answer: 200 }) },
  { weight: 2, arbitrary: fc.constant({ carriesOut: false, answer: 404 }) },
  { weight: 1, arbitrary: fc.boolean().map((carriesOut): Deed => ({ carriesOut, answer: 'reset' })) },
);

const ROUND = fc.record({
  starts: fc.array(START, { minLength: STARTS, maxLength: STARTS }),
  deeds: fc.array(DEED, { minLength: 40, maxLength: 40 }),
  /** How long the platform takes. */
  answerMs: fc.integer({ min: 0, max: 60 }),
});
type Round = typeof ROUND extends fc.Arbitrary<infer R> ? R : never;

test(`of ${numRuns} svc that are started on the log of another at any time, none does twice what another has done`, {
  timeout: 1_800_000,
}, async () => {
  const rounds = fc.sample(ROUND, { numRuns: Math.ceil(numRuns / STARTS), seed });
  const counts = { refused: 0, asked: 0, killed: 0, doubtful: 0 };
  for (const round of rounds) await play(round, counts);
  const { refused, asked, killed, doubtful } = counts;
  const said = `${refused} refused, ${asked} asked, ${killed} killed, ${doubtful} services in doubt`;
  figure('Two svc on one log', rounds.length * STARTS, said);
});

/** A service, a list, and ways to start svc beside others. */
async function stage(decide: () => Deed, ids: readonly string[] = IDS) {
  const service = await countingService(decide);
  const { cwd, command, env, run } = await programOn(service, ids);
  await symlink('run.ndjson', join(cwd, 'link.ndjson'));
  const argv = ['restart', '--services', 'list.txt', '--concurrency', '2'];
  return {
    ...{ ...service, cwd },
    run: (more: readonly string[], killedMs?: number) =>
      run([...argv, '--yes', '--json', ...more], (child) => {
        const timer = killedMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killedMs);
        child.on('close', () => clearTimeout(timer));
      }),
    /** The same on a terminal, where svc asks. */
    asks: (more: readonly string[]) =>
      onTerminal(command, { args: [...argv, ...more], env: { ...TERMINAL_ENV, ...env }, before: `cd ${cwd}` }),
  };
}

async function play({ starts, deeds, answerMs }: Round, counts: Counts): Promise<void> {
  const left = [...deeds];
  const service = await stage(() => ({ ...(left.pop() ?? FINE), after: after(answerMs) }));
  const resume = async (log: string, killedMs?: number) => {
    const { exitCode, signalCode } = await service.run(['--resume', log], killedMs);
    if (signalCode === 'SIGKILL') counts.killed += 1;
    if (exitCode === 2) counts.refused += 1;
  };
  const ask = async (log: string, answeredMs: number) => {
    const asking = service.asks(['--resume', log]);
    const ended = asking.ended();
    const isAsked = await Promise.race([ended.then(() => false), asking.shows(QUESTION).then(() => true)]);
    if (isAsked) {
      counts.asked += 1;
      await after(answeredMs);
      await asking.answer('y');
    }
    if ((await ended) === 2) counts.refused += 1;
  };
  await Promise.all(
    starts.map(async ({ atMs, log, answeredMs, killedMs }, index) => {
      if (index === 0) return resume('run.ndjson', killedMs);
      await after(atMs);
      return answeredMs === undefined ? resume(log, killedMs) : ask(log, answeredMs);
    }),
  );
  left.length = 0;
  const last = await service.run(['--resume', 'run.ndjson']);
  // A stopped one may hold all items that are left.
  counts.doubtful += expectOnce(IDS, service, { ...last, exitCode: last.exitCode === 8 ? 11 : last.exitCode }).size;
}

const SIX = idsOf(6);

test('while svc asks, nobody else can carry out what it asks about', async () => {
  let areGone = true;
  const { run, asks, timesOf } = await stage(() => (areGone ? { carriesOut: false, answer: 404 } : FINE), SIX);
  await run(['--log', 'run.ndjson']);
  areGone = false;
  const asking = asks(['--resume', 'run.ndjson']);
  await asking.shows(`${QUESTION} for 6 services`);
  expect(await run(['--resume', 'run.ndjson'])).toMatchObject({ exitCode: 2, stdout: '' });
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
