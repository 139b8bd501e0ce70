import { expect, test } from 'vitest';
import { onTerminal, TERMINAL_ENV } from '../terminal/script.ts';
import { countingService, type Deed, FINE, idsOf, programOn } from './counting-service.ts';
import { linesOf } from './lines.ts';

const IDS = idsOf(6);
const ONCE = IDS.map(() => 1);

/** A list of services to restart, and svc as a program of its own. */
async function restarts(decide: () => Deed) {
  const service = await countingService(decide);
  const { cwd, command, env, run } = await programOn(service, IDS);
  const argv = ['restart', '--services', 'list.txt', '--concurrency', '1'];
  return {
    times: () => IDS.map(service.timesOf),
    run: (...more: string[]) => run([...argv, '--yes', '--json', ...more]),
    /** The same on a terminal, where svc asks. */
    asks: (...more: string[]) =>
      onTerminal(command, { args: [...argv, ...more], env: { ...TERMINAL_ENV, ...env }, before: `cd ${cwd}` }),
  };
}

/** A run that is under way: the platform holds back its answers from the third one on, until it is let go. */
async function underWay(...more: string[]) {
  let answers = 0;
  let [reach, go] = [() => {}, () => {}];
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const letGo = new Promise<void>((resolve) => (go = resolve));
  const stage = await restarts(() => {
    answers += 1;
    if (answers !== 3) return FINE;
    reach();
    return { ...FINE, after: letGo };
  });
  const first = stage.run(...more);
  await reached;
  return { ...stage, go, first };
}

test('a second svc on a terminal is refused before it asks; later it asks about what is left then', async () => {
  const { asks, times, go, first } = await underWay('--log', 'run.ndjson');
  const second = asks('--resume', 'run.ndjson');
  // A svc that asks here is answered once the first has done all.
  await Promise.race([second.ended(), second.shows('Run svc restart')]);
  go();
  await first;
  second.type('y\r');
  expect(await second.ended()).toBe(2);
  expect(second.output()).toContain('Another svc is using the log "run.ndjson"');
  expect(times()).toEqual(ONCE);
  const third = asks('--resume', 'run.ndjson');
  expect(await third.ended()).toBe(0);
  expect(third.output()).toContain('6 done before');
});

test('while svc asks, nobody else can carry out what it asks about', async () => {
  let areGone = true;
  const { run, asks, times } = await restarts(() => (areGone ? { carriesOut: false, answer: 404 } : FINE));
  await run('--log', 'run.ndjson');
  areGone = false;
  const asking = asks('--resume', 'run.ndjson');
  await asking.shows('Run svc restart for 6 services');
  const other = await run('--resume', 'run.ndjson');
  expect([other.exitCode, linesOf(other.stdout)]).toEqual([2, []]);
  await asking.shows('└');
  await asking.answer('y');
  expect(await asking.ended()).toBe(0);
  expect(times()).toEqual(ONCE);
});
