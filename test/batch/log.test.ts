import {
  appendFile,
  link,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.ts';
import { type Run, type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { until } from '../support/until.ts';
import { testWire } from '../support/wire.ts';
import { type Act, send } from '../support/wire-plan.ts';
import { programOn } from './counting-service.ts';
import { linesOf } from './lines.ts';

/** What the platform says to a restart, time after time. */
type Says = number | 'reset' | Act;

const IDS = ['s1', 's2', 's3'];
const NEVER = { s1: [], s2: [], s3: [] };
const FINE = { success: true };

/** `svc restart s1 s2 s3` with a log; each service answers as it says, or once that all is fine. */
async function restarts(says: Readonly<Record<string, readonly Says[]>> = {}) {
  const wire = await testWire();
  const cwd = await temporaryFolder();
  const path = join(cwd, 'run.ndjson');
  for (const id of IDS) {
    const plan = wire.on('POST', `/v1/services/${id}/restart`);
    for (const one of says[id] ?? [200]) {
      if (one === 'reset') plan.reset();
      else if (typeof one === 'function') plan.act(one);
      else plan.reply(one, one === 200 ? FINE : { error: 'no' });
    }
  }
  const line = (argv: string, more: RunOptions = {}) =>
    svc(argv.split(' ').filter(Boolean), { url: wire.url, cwd, ...more });
  return {
    ...{ wire, path, cwd, line },
    run: (flags: string, more?: RunOptions) => line(`restart s1 s2 s3 -y --json ${flags}`, more),
    text: () => readFile(path, 'utf8'),
    log: async () => linesOf(await readFile(path, 'utf8')),
    list: (text: string) => writeFile(join(cwd, 'list.txt'), text),
    sent: () => wire.requests.map((request) => request.path.split('/')[3]),
  };
}

const LOG = '--log run.ndjson';
const ONE_BY_ONE = `${LOG} --concurrency 1`;

test('a log says what it belongs to, then how each item began and ended; only its owner may read it', async () => {
  const { run, path, text, log, wire } = await restarts({ s1: [503], s2: [404] });
  expect((await run(ONE_BY_ONE)).exitCode).toBe(11);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const options = expect.stringMatching(/^sha256:[0-9a-f]{64}$/);
  const end = { attempts: 1, ms: expect.any(Number) };
  expect(await log()).toEqual([
    { log: 1, command: 'restart', address: wire.url, organization: null, options },
    { item: 's1', begun: true },
    // Of a 503 that names no time it is not known whether it was carried out.
    { item: 's1', exitCode: 8, code: 'unavailable', ...end, inDoubt: true },
    { item: 's2', begun: true },
    { item: 's2', exitCode: 6, code: 'not_found', ...end },
    { item: 's3', begun: true },
    { item: 's3', exitCode: 0, code: null, ...end },
  ]);
  expect(await text()).not.toContain('success');
});

/** Takes an ended entry of `s3` away, as if svc had been killed. */
const killed = (text: string) => text.replace(/^\{"item":"s3","exitCode":0.*\n/m, '');
const OTHERS =
  '{"item":"s1","begun":true}\n{"item":"s2","exitCode":8,"inDoubt":true}\n{"item":"s3","exitCode":6}\n';
const TORN = '{"item":"s1","be';

test.each<
  [
    what: string,
    says: Record<string, Says[]>,
    change: (log: string) => string,
    flags: string,
    exitCode: number,
    again: string[],
    lines: object[],
  ]
>([
  [
    'leaves out what is done and repeats what failed',
    { s2: [404, 200] },
    String,
    '',
    0,
    ['s2'],
    [{ index: 1, item: 's2', exitCode: 0 }],
  ],
  [
    'never repeats what is in doubt, and says so',
    { s2: ['reset'] },
    String,
    '',
    11,
    [],
    [{ index: 1, exitCode: 8, error: { outcome: 'unknown' }, attempts: 0 }],
  ],
  [
    'repeats what is in doubt if it is told to',
    { s2: ['reset', 200] },
    String,
    '--retry-unknown',
    0,
    ['s2'],
    [{ item: 's2', exitCode: 0 }],
  ],
  [
    'counts what was begun and has no end as in doubt',
    {},
    killed,
    '',
    11,
    [],
    [{ index: 2, item: 's3', code: 'unavailable' }],
  ],
  ['never doubts what is done, whatever else was begun', {}, (log) => log + OTHERS, '', 0, [], []],
  [
    'ignores a torn last line',
    { s1: [404, 200] },
    (log) => log + TORN,
    '',
    0,
    ['s1'],
    [{ item: 's1', exitCode: 0 }],
  ],
])('a resumed run %s', async (_what, says, change, flags, exitCode, again, lines) => {
  const { run, path, text, sent } = await restarts(says);
  // One line serves the first run and every retry.
  const { error } = await run(`${LOG} --concurrency 1`);
  const resume = `svc restart s1 s2 s3 -y --json ${LOG} --concurrency 1 --retry-unknown`;
  // A refusal has its reason in the summary; a repeat gets no further by itself.
  const next = says['s2']?.[0] === 'reset' ? { next: [resume], nextBy: 'person' } : {};
  expect({ next: error['next'], nextBy: error['nextBy'] }).toEqual(next);
  const changed = change(await text());
  await writeFile(path, changed);
  const { exitCode: second, stdout } = await run(`${LOG} ${flags}`);
  expect([second, sent()]).toEqual([exitCode, [...IDS, ...again]]);
  expect(linesOf(stdout)).toMatchObject(lines);
  // A torn line costs nothing but itself.
  expect((await text()).startsWith(changed.endsWith(TORN) ? `${changed}\n` : changed)).toBe(true);
  if (exitCode === 0) expect(await run(LOG)).toMatchObject({ exitCode: 0, stdout: '' });
});

test.each([
  ['restart s1 s2 s3 -y', 'mine\n', LOG, 'is not a log of svc'],
  ['wp run b --service s1 --service s2 -y', 'LOG', LOG, 'another command: "restart"'],
  ['restart s1 s2 s3 -y --org o', 'LOG', LOG, 'another organization'],
  ['restart s1 -y --api-url http://127.0.0.1:1', 'LOG', LOG, 'another address'],
  ['restart s1 s2 s3 -y', `LOG${TORN}LOG`, LOG, 'the lines of several logs'],
])(
  'svc %s with a log that is %j is refused before anything is sent',
  async (line, content, flags, message) => {
    const {
      run,
      line: svc,
      path,
      text,
      sent,
    } = await restarts({ s1: [404], s2: [404], s3: [404] });
    await run(LOG);
    const changed = content.replaceAll('LOG', await text());
    await writeFile(path, changed);
    const { exitCode, stderr } = await svc(`${line} ${flags}`);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect([sent().length, await text()]).toEqual([3, changed]);
  },
);

test.each([
  ['in a folder that does not exist', 'no-folder/run.ndjson', 'no such file or folder'],
  ['that has another name', 'hard', 'several names (hard links)'],
  ['that is a link to a device', 'full', 'not a plain file'],
  ['that is a stream', '-', 'needs a file'],
])('a log %s is refused before anything is sent', async (_name, file, why) => {
  const { run, cwd } = await restarts(NEVER);
  await symlink('/dev/full', join(cwd, 'full'));
  await writeFile(join(cwd, 'hard'), '');
  await link(join(cwd, 'hard'), join(cwd, 'other'));
  const refused = { exitCode: 2, error: { error: expect.stringContaining(why) } };
  expect(await run(`--log ${file}`)).toMatchObject(refused);
  expect((await readdir(cwd)).sort()).toEqual(['full', 'hard', 'other']);
});

test('a full disk stops the run before anything is sent; later, the queued job is named and not called unsent', async () => {
  const { wire, path, line, cwd } = await restarts(NEVER);
  const { command, env } = await programOn(wire, []);
  const limited = (kibibytes: number, argv: string) =>
    execa('bash', ['--norc', '-c', `ulimit -f ${kibibytes}; exec ${command.join(' ')} ${argv}`], {
      ...{ cwd, env, extendEnv: false, reject: false },
    });
  const { exitCode, stderr } = await limited(0, `restart s1 s2 --yes --json ${LOG}`);
  const full = expect.stringContaining('cannot be written');
  expect([exitCode, JSON.parse(stderr), wire.requests]).toMatchObject([2, { error: full }, []]);

  const action = wire.on('POST', '/v1/services/s1/actions').reply(404, {});
  const backups = 'wp run backup --service s1 --service s2 --yes --json --concurrency 1';
  await rm(path);
  await line(`${backups} ${LOG} --max-failures 1`);
  // Room for the line that the change is about to be sent, and no more.
  await appendFile(path, '\n'.repeat(1024 - 40 - (await stat(path)).size));
  action.reply(202, { jobId: 'job_1', status: 'queued' });
  const late = await limited(1, `${backups} ${LOG}`);
  const error = { jobId: 'job_1', error: full };
  expect([late.exitCode, linesOf(late.stdout)]).toMatchObject([1, [{ item: 's1', error }]]);
});

test.each([
  [200, 'that it is done', [{ exitCode: 0 }], 2],
  [404, 'nothing of it, and may send it', [], 2],
  [429, 'nothing of it, and may send it', [], 3],
  [500, 'that it is in doubt', [{ exitCode: 8, inDoubt: true }], 2],
])(
  'an svc that takes the log over ends the run: after a %i it is told %s',
  async (status, _what, entries, left) => {
    // As one does that finds the lock of an svc stopped for long.
    const takenOver: Act = async ({ response }) => {
      for (const owner of await readdir(`${stage.path}.lock`))
        await rm(join(`${stage.path}.lock`, owner));
      send(response, status, status === 200 ? FINE : { error: 'no' }, { 'retry-after': '1' });
    };
    const stage = await restarts({ ...NEVER, s1: [takenOver] });
    const { error, stdout } = await stage.run(ONE_BY_ONE);
    expect(error).toMatchObject({ summary: { total: 3, left } });
    expect(JSON.stringify(error).split('Another svc has taken over the log')).toHaveLength(2);
    expect([linesOf(stdout).length, stage.sent()]).toEqual([3 - left, ['s1']]);
    const told = (await stage.log()).filter(({ item }) => item === 's1');
    expect(told).toMatchObject([{ begun: true }, ...entries]);
  },
);

test('the lock of a log is kept however long the run takes', async () => {
  let other: Run | undefined;
  const meanwhile: Act = async ({ response }) => {
    const [owner = ''] = await readdir(`${stage.path}.lock`);
    const lock = join(`${stage.path}.lock`, owner);
    // As old as that of a run that has taken hours.
    await utimes(lock, 0, 0);
    await until(async () => (await stat(lock)).mtimeMs > 0);
    other = await stage.run(LOG);
    send(response, 200, FINE);
  };
  const stage = await restarts({ s1: [meanwhile] });
  expect(await stage.run(ONE_BY_ONE)).toMatchObject({ exitCode: 0 });
  expect(other).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Another svc is using the log'),
  });
  expect(stage.sent()).toEqual(IDS);
});

test('a change that was put off was not carried out: after a kill it is not in doubt', async () => {
  const later: Act = ({ response }) => send(response, 429, {}, { 'retry-after': '300' });
  const { run, sent } = await restarts({ s1: [later, 200] });
  let stop = () => {};
  // The pause that the platform asks for begins once the refusal is written.
  const sleep: Clock['sleep'] = (ms, signal) => {
    if (ms > 60_000) stop();
    return systemClock.sleep(ms, signal);
  };
  const onStart: RunOptions['onStart'] = (kill) => (stop = () => kill('SIGTERM'));
  expect((await run(ONE_BY_ONE, { clock: { ...systemClock, sleep }, onStart })).exitCode).toBe(143);
  expect(await run(LOG)).toMatchObject({ exitCode: 0 });
  expect(sent().sort()).toEqual(['s1', 's1', 's2', 's3']);
});

test('a resumed run takes the list as it is now, in any order, and however its items are spelled', async () => {
  const { run, line, wire, list } = await restarts();
  await run(LOG);
  wire.on('POST', '/v1/services/s4/restart').reply(200, FINE);
  await list('# ours\ns4\n  s3\n{"service": "s1"}\n');
  const resumed = await line(
    `restart --services list.txt -y --json --timeout 50s --concurrency 2 ${LOG}`,
  );
  expect(linesOf(resumed.stdout)).toMatchObject([{ item: 's4', exitCode: 0 }]);
  expect(resumed).toMatchObject({
    exitCode: 0,
    error: { summary: { total: 3, done: 1, skipped: 2 } },
  });
});

test('a resumed action may wait longer, but has the same action, parameters and organization', async () => {
  const { line, wire, list, text } = await restarts(NEVER);
  const done = { jobId: 'j', status: 'completed' };
  const run = (flags: string) => line(`wp run ${flags} --services list.txt -y --json`);
  for (const id of ['s1', 's2']) wire.on('POST', `/v1/services/${id}/actions`).reply(200, done);
  await list('s1\n{"service": "s2", "params": {"slug": "akismet"}}\n');
  expect(
    (await run(`backup --param a=1 --param b=2 ${LOG} --wait --wait-timeout 5s`)).exitCode,
  ).toBe(0);
  const resume = `${LOG} --wait --wait-timeout 50s`;
  await list('{"params": { "slug" : "akismet" }, "service": "s2"}\ns1\n');
  expect(await run(`backup --param b=2 --param a=1 ${resume}`)).toMatchObject({
    exitCode: 0,
    stdout: '',
  });
  for (const other of ['backup --param a=1', 'restore --param a=1 --param b=2', 'backup --org o']) {
    expect(await run(`${other} ${resume}`), other).toMatchObject({ exitCode: 2, stdout: '' });
  }
  // Other parameters of a line make it another item.
  await list('{"service": "s2", "params": {"slug": "jetpack"}}\n');
  wire.on('POST', '/v1/services/s2/actions').reply(200, done);
  expect(linesOf((await run(`backup --param a=1 --param b=2 ${resume}`)).stdout)).toMatchObject([
    { exitCode: 0 },
  ]);
  expect(await text()).not.toContain('akismet');
});

test.each([
  ['without naming its job', { status: 'queued' }, 'still_running'],
  [
    'with an answer that contradicts itself',
    { jobId: 'job_1', status: 'completed', error: 'disk full' },
    'unavailable',
  ],
])(
  'an action that is queued %s is in doubt, and is not queued again',
  async (_what, answer, code) => {
    const { line, wire } = await restarts(NEVER);
    for (const id of ['s1', 's2']) wire.on('POST', `/v1/services/${id}/actions`).reply(202, answer);
    const backups = 'wp run backup --service s1 --service s2 --wait -y --json';
    const first = await line(`${backups} ${LOG}`);
    // Items that are in doubt make the whole run so.
    expect(first).toMatchObject({
      exitCode: 8,
      error: { outcome: 'unknown', summary: { inDoubt: 2 } },
    });
    expect(linesOf(first.stdout)).toMatchObject([{ code }, { code }]);
    expect((await line(`${backups} ${LOG}`)).exitCode).toBe(8);
    expect(wire.requests).toHaveLength(2);
  },
);
