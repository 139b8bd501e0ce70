import { link, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { builtProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/svc.ts';
import { onTerminal, TERMINAL_ENV } from '../terminal/script.ts';
import { countingService, type Deed, FINE } from './counting-service.ts';
import { linesOf } from './lines.ts';

const IDS = ['s0', 's1', 's2', 's3', 's4', 's5'];

/** A list of services to restart, and svc as a program of its own. */
async function restarts(decide: (id: string) => Deed) {
  const service = await countingService(decide);
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'list.txt'), IDS.join('\n'));
  const { command } = await builtProgram();
  const [program, script] = command;
  const env = { ...TERMINAL_ENV, SVC_API_URL: service.url, SVC_TOKEN: 'svc_test', SVC_CONFIG_DIR: cwd };
  const argv = ['restart', '--services', 'list.txt', '--concurrency', '1'];
  return {
    cwd,
    times: () => IDS.map(service.timesOf),
    run: (...more: string[]) =>
      execa(program, [script, ...argv, '--yes', '--json', ...more], { cwd, env, extendEnv: false, reject: false }),
    /** The same on a terminal, where svc asks. */
    asks: (...more: string[]) => onTerminal(command, { args: [...argv, ...more], env, before: `cd ${cwd}` }),
  };
}

/** A platform that holds back its answers from the third one on, until it is let go. */
function slow() {
  let answers = 0;
  let [reach, go] = [() => {}, () => {}];
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const letGo = new Promise<void>((resolve) => (go = resolve));
  const decide = (): Deed => {
    answers += 1;
    if (answers !== 3) return FINE;
    reach();
    return { ...FINE, after: letGo };
  };
  return { decide, reached, go };
}

const IN_USE = /^Another svc is using the log "(?:run|link)\.ndjson"\. Nothing was sent\.$/;

test.each([
  ['goes on with it', ['--resume', 'run.ndjson']],
  ['begins it anew', ['--log', 'run.ndjson']],
  ['goes on with a link to it', ['--resume', 'link.ndjson']],
])('while a svc writes a log, another one that %s is refused', async (_name, more) => {
  const { decide, reached, go } = slow();
  const { run, times, cwd } = await restarts(decide);
  const first = run('--resume', 'run.ndjson');
  await reached;
  await symlink('run.ndjson', join(cwd, 'link.ndjson'));
  const second = await run(...more);
  go();
  expect((await first).exitCode).toBe(0);
  expect(times()).toEqual(IDS.map(() => 1));
  expect(second.exitCode).toBe(2);
  expect(JSON.parse(second.stderr)['error']).toMatch(IN_USE);
});

test('a second svc that knows the log by another name (a hard link) is refused, then and later', async () => {
  const { decide, reached, go } = slow();
  const { run, times, cwd } = await restarts(decide);
  const first = run('--log', 'run.ndjson');
  await reached;
  await link(join(cwd, 'run.ndjson'), join(cwd, 'hard.ndjson'));
  const second = await run('--resume', 'hard.ndjson');
  go();
  await first;
  const third = await run('--resume', 'run.ndjson');
  expect([second.exitCode, third.exitCode]).toEqual([2, 2]);
  expect(JSON.parse(second.stderr)['error']).toContain('it has several names');
  expect(times()).toEqual(IDS.map(() => 1));
});

test('a second svc on a terminal is refused before it asks; later it asks about what is left then', async () => {
  const { decide, reached, go } = slow();
  const { run, asks, times } = await restarts(decide);
  const first = run('--log', 'run.ndjson');
  await reached;
  const second = asks('--resume', 'run.ndjson');
  // A svc that asks here is answered once the first has done all.
  await Promise.race([second.ended(), second.shows('Run svc restart')]);
  go();
  await first;
  second.type('y\r');
  expect(await second.ended()).toBe(2);
  expect(second.output()).toContain('Another svc is using the log "run.ndjson"');
  expect(times()).toEqual(IDS.map(() => 1));
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
  expect(times()).toEqual(IDS.map(() => 1));
});
