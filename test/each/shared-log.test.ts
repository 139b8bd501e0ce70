import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { figure } from '../support/figure.ts';
import { builtProgram } from '../support/program.ts';
import { tries } from '../support/property.ts';
import { temporaryFolder } from '../support/svc.ts';
import { onTerminal, TERMINAL_ENV } from '../terminal/script.ts';
import { countingService, type Deed } from './counting-service.ts';
import { linesOf } from './lines.ts';

const { numRuns, seed } = tries(300, 20_261_125);
/** How many svc are started on one log, and how many services they restart. */
const [STARTS, SERVICES] = [5, 12];
const IDS = Array.from({ length: SERVICES }, (_, index) => `s${index}`);
const QUESTION = 'Run svc restart';

interface Counts {
  refused: number;
  asked: number;
  killed: number;
  doubtful: number;
}

/** A svc that is started beside others. */
interface Start {
  /** Milliseconds after the start of the round. */
  readonly atMs: number;
  /** What it calls the log. */
  readonly log: string;
  /** Is asked on a terminal, and answered so many milliseconds after the question; undefined with `--yes`. */
  readonly answeredMs: number | undefined;
  /** Killed so many milliseconds after the start of the round. */
  readonly killedMs: number | undefined;
}

const START: fc.Arbitrary<Start> = fc.record({
  atMs: fc.integer({ min: 0, max: 900 }),
  log: fc.constantFrom('run.ndjson', './run.ndjson', 'link.ndjson'),
  answeredMs: fc.option(fc.integer({ min: 50, max: 400 }), { nil: undefined, freq: 2 }),
  killedMs: fc.option(fc.integer({ min: 300, max: 1_500 }), { nil: undefined, freq: 2 }),
});

const DEED: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({ carriesOut: true, answer: 200 }) },
  { weight: 2, arbitrary: fc.constant({ carriesOut: false, answer: 404 }) },
  { weight: 1, arbitrary: fc.boolean().map((carriesOut): Deed => ({ carriesOut, answer: 'reset' })) },
);

interface Round {
  readonly starts: readonly Start[];
  readonly deeds: readonly Deed[];
  /** How long the platform takes, in milliseconds. */
  readonly answerMs: number;
}

const ROUND: fc.Arbitrary<Round> = fc.record({
  starts: fc.array(START, { minLength: STARTS, maxLength: STARTS }),
  deeds: fc.array(DEED, { minLength: 40, maxLength: 40 }),
  answerMs: fc.integer({ min: 0, max: 60 }),
});

test(`of ${numRuns} svc that are started on the log of another at any time, none does twice what another has done`, {
  timeout: 1_800_000,
}, async () => {
  const rounds = fc.sample(ROUND, { numRuns: Math.ceil(numRuns / STARTS), seed });
  const counts = { refused: 0, asked: 0, killed: 0, doubtful: 0 };
  for (const round of rounds) await play(round, counts);
  figure(
    'Two svc on one log',
    rounds.length * STARTS,
    `${counts.refused} refused, ${counts.asked} asked, ${counts.killed} killed, ${counts.doubtful} services in doubt`,
  );
});

/** A service, a list, and ways to start svc beside others. */
async function stage(decide: () => Deed, counts: Counts) {
  const { command } = await builtProgram();
  const [program, script] = command;
  const service = await countingService(decide);
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'list.txt'), IDS.join('\n'));
  await symlink('run.ndjson', join(cwd, 'link.ndjson'));
  const env = { ...TERMINAL_ENV, SVC_API_URL: service.url, SVC_TOKEN: 'svc_test', SVC_CONFIG_DIR: cwd };
  const argv = ['restart', '--services', 'list.txt', '--concurrency', '2'];
  return {
    timesOf: service.timesOf,
    async run(more: readonly string[], killedMs?: number): Promise<string> {
      const child = spawn(program, [script, ...argv, '--yes', '--json', ...more], { cwd, env });
      const chunks: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
      const timer = killedMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killedMs);
      await once(child, 'close');
      clearTimeout(timer);
      if (child.signalCode === 'SIGKILL') counts.killed += 1;
      if (child.exitCode === 2) counts.refused += 1;
      return Buffer.concat(chunks).toString();
    },
    async ask(more: readonly string[], answeredMs: number): Promise<void> {
      const asking = onTerminal(command, { args: [...argv, ...more], env, before: `cd ${cwd}` });
      const ended = asking.ended();
      const isAsked = await Promise.race([ended.then(() => false), asking.shows(QUESTION).then(() => true)]);
      if (isAsked) {
        counts.asked += 1;
        await after(answeredMs);
        await asking.answer('y');
      }
      if ((await ended) === 2) counts.refused += 1;
    },
  };
}

async function play({ starts, deeds, answerMs }: Round, counts: Counts): Promise<void> {
  const left = [...deeds];
  const decide = (): Deed => ({ ...(left.pop() ?? { carriesOut: true, answer: 200 }), after: after(answerMs) });
  const { timesOf, run, ask } = await stage(decide, counts);
  await Promise.all(
    starts.map(async ({ atMs, log, answeredMs, killedMs }, index) => {
      if (index === 0) return run(['--resume', 'run.ndjson'], killedMs);
      await after(atMs);
      const more = ['--resume', log];
      return answeredMs === undefined ? run(more, killedMs) : ask(more, answeredMs);
    }),
  );
  left.length = 0;
  const last = linesOf(await run(['--resume', 'run.ndjson']));
  const doubtful = new Set(last.flatMap(({ item, exitCode }) => (exitCode === 8 ? [item] : [])));
  counts.doubtful += doubtful.size;
  for (const id of IDS) {
    if (doubtful.has(id)) expect(timesOf(id), id).toBeLessThanOrEqual(1);
    else expect(timesOf(id), id).toBe(1);
  }
}
