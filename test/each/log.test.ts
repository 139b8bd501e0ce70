import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, link, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/clock.ts';
import { builtProgram } from '../support/program.ts';
import { type Run, svc, temporaryFolder } from '../support/svc.ts';
import { until } from '../support/until.ts';
import { testWire } from '../support/wire.ts';
import { linesOf } from './lines.ts';

const restartOf = (id: string) => `/v1/services/${id}/restart`;

/** A wire, and `svc restart` of three services with a log. */
async function restarts() {
  const wire = await testWire();
  const cwd = await temporaryFolder();
  const path = join(cwd, 'run.ndjson');
  return {
    wire,
    path,
    on: (id: string) => wire.on('POST', restartOf(id)),
    cwd,
    run: (...argv: string[]) => svc(['restart', 's1', 's2', 's3', '-y', '--json', ...argv], { url: wire.url, cwd }),
    log: async () => linesOf(await readFile(path, 'utf8')),
    sent: () => wire.requests.map(({ path }) => path.split('/')[3]),
  };
}

const FINE = { success: true };

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** What the last line of stderr counts. */
function summaryIn({ error }: Run): unknown {
  return error['summary'];
}

describe('a log', () => {
  test('says first what it belongs to, then how each item began and ended; only its owner may read it', async () => {
    const { on, run, path, log, wire } = await restarts();
    for (const id of ['s1', 's2', 's3']) on(id).reply(200, FINE);
    expect((await run('--log', 'run.ndjson')).exitCode).toBe(0);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const [head, ...entries] = await log();
    expect(head).toEqual({
      log: 1,
      command: 'restart',
      address: wire.url,
      organization: null,
      options: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    expect(new Set(entries.map(({ item }) => item))).toEqual(new Set(['s1', 's2', 's3']));
    expect(entries.filter(({ begun }) => begun === true)).toHaveLength(3);
    expect(entries.filter(({ exitCode }) => exitCode === 0)).toHaveLength(3);
    expect(JSON.stringify(entries)).not.toContain('success');
  });

  test('is never begun anew over another', async () => {
    const { run, path, wire } = await restarts();
    await writeFile(path, 'mine\n');
    const { exitCode, error } = await run('--log', 'run.ndjson');
    expect(exitCode).toBe(2);
    expect(error['error']).toContain('exists already');
    expect(await readFile(path, 'utf8')).toBe('mine\n');
    expect(wire.requests).toEqual([]);
  });

  test.each([
    ['in a folder that does not exist', 'no-folder/run.ndjson', 'no such file or folder (ENOENT)'],
    ['that is a folder', '.', 'it is not a plain file'],
    ['that is a device', '/dev/null', 'it is not a plain file'],
    ['that is a pipe', 'pipe', 'it is not a plain file'],
    ['that has another name', 'hard', 'it has several names (hard links)'],
    ['that is a link to a device', 'full', 'it is not a plain file'],
  ])('%s is refused before anything is sent', async (_name, file, why) => {
    const { run, wire, cwd } = await restarts();
    spawnSync('mkfifo', [join(cwd, 'pipe')]);
    await symlink('/dev/full', join(cwd, 'full'));
    await writeFile(join(cwd, 'hard'), '');
    await link(join(cwd, 'hard'), join(cwd, 'other'));
    for (const option of ['--log', '--resume']) {
      const { exitCode, error } = await run(option, file);
      expect(exitCode).toBe(2);
      expect(error).toMatchObject({ error: `The log "${file}" cannot be used: ${why}.`, hint: 'Name a plain file.' });
    }
    expect(wire.requests).toEqual([]);
    expect((await readdir(cwd)).sort()).toEqual(['full', 'hard', 'other', 'pipe']);
  });

  test('on a full disk stops before anything is sent', async () => {
    const { wire, cwd } = await restarts();
    const { command } = await builtProgram();
    const env = { PATH: process.env['PATH'], SVC_API_URL: wire.url, SVC_TOKEN: 'svc_test', SVC_CONFIG_DIR: cwd };
    const line = `ulimit -f 0; exec ${command.join(' ')} restart s1 s2 --yes --json --log run.ndjson`;
    const { status, stderr } = spawnSync('sh', ['-c', line], { cwd, env, encoding: 'utf8' });
    expect(status, stderr).toBe(2);
    expect(JSON.parse(stderr)['error']).toBe(
      'The log "run.ndjson" cannot be written: the file size limit is reached (EFBIG).',
    );
    expect(wire.requests).toEqual([]);
  });

  test('that becomes full while a job is queued ends the run; the job is named, and not called unsent', async () => {
    const wire = await testWire();
    const cwd = await temporaryFolder();
    const action = wire.on('POST', '/v1/services/s1/actions').reply(404, {});
    const argv = ['wp', 'run', 'backup', '--service', 's1', '--service', 's2', '--yes', '--json', '--concurrency', '1'];
    await svc([...argv, '--log', 'run.ndjson', '--max-failures', '1'], { url: wire.url, cwd });
    // Room for the line that the change is about to be sent, and no more.
    const path = join(cwd, 'run.ndjson');
    await appendFile(path, '\n'.repeat(1024 - 40 - (await stat(path)).size));
    action.reply(202, { jobId: 'job_1', status: 'queued' });
    const { command } = await builtProgram();
    const env = { PATH: process.env['PATH'], SVC_API_URL: wire.url, SVC_TOKEN: 'svc_test', SVC_CONFIG_DIR: cwd };
    const line = `ulimit -f 1; exec ${command.join(' ')} ${argv.join(' ')} --resume run.ndjson`;
    const child = spawn('bash', ['-c', line], { cwd, env });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(child, 'close');
    expect(child.exitCode).toBe(1);
    const error = { jobId: 'job_1', error: expect.stringContaining('cannot be written') };
    expect(linesOf(Buffer.concat(chunks).toString())).toMatchObject([{ item: 's1', error }]);
  });

  test('that another svc has taken over gets no further line, and nothing more is sent', async () => {
    const { on, run, path, log, sent } = await restarts();
    on('s1').act(async ({ response }) => {
      // As a svc does that finds the lock of one that was stopped for long.
      const lock = `${path}.lock`;
      for (const owner of await readdir(lock)) await rm(join(lock, owner));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true}');
    });
    const { exitCode, stdout, error } = await run('--log', 'run.ndjson', '--concurrency', '1');
    expect(exitCode).toBe(11);
    expect(error).toMatchObject({ code: 'partial', summary: { total: 3, done: 1, left: 2 } });
    expect(error['error']).toContain('Another svc has taken over the log "run.ndjson"');
    expect(sent()).toEqual(['s1']);
    expect(linesOf(stdout)).toMatchObject([{ item: 's1', exitCode: 0 }]);
    // What is done is done, whoever holds the log.
    expect(await log()).toContainEqual(expect.objectContaining({ item: 's1', exitCode: 0 }));
  });

  test.each([404, 429])(
    'that another svc has taken over is told nothing of a %i: that svc may send it',
    async (status) => {
      const { on, run, path, log } = await restarts();
      on('s1').act(async ({ response }) => {
        const lock = `${path}.lock`;
        for (const owner of await readdir(lock)) await rm(join(lock, owner));
        response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' }).end('{"error":"no"}');
      });
      await run('--log', 'run.ndjson', '--concurrency', '1');
      expect((await log()).filter(({ item }) => item === 's1')).toEqual([{ item: 's1', begun: true }]);
    },
  );

  test('stays locked however long the run takes: no other svc takes it over', async () => {
    const { on, run, path, sent } = await restarts();
    let other: Run | undefined;
    on('s1').act(async ({ response }) => {
      const [owner = ''] = await readdir(`${path}.lock`);
      const lock = join(`${path}.lock`, owner);
      // As old as that of a run that has taken hours.
      await utimes(lock, 0, 0);
      await until(async () => (await stat(lock)).mtimeMs > 0);
      other = await run('--resume', 'run.ndjson');
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true}');
    });
    for (const id of ['s2', 's3']) on(id).reply(200, FINE);
    expect(await run('--log', 'run.ndjson', '--concurrency', '1')).toMatchObject({ exitCode: 0 });
    expect(other).toMatchObject({
      exitCode: 2,
      error: { error: expect.stringContaining('Another svc is using the log') },
    });
    expect(sent()).toEqual(['s1', 's2', 's3']);
  });

  test('says that a refused change was not carried out: after a kill it is not in doubt', async () => {
    const { on, run, sent, wire, cwd } = await restarts();
    on('s1').reply(429, {}, { 'retry-after': '300' }).reply(200, FINE);
    for (const id of ['s2', 's3']) on(id).reply(200, FINE);
    let stop = () => {};
    // The pause that the platform asks for begins once the refusal is written.
    const sleep: Clock['sleep'] = (ms, signal) => {
      if (ms > 60_000) stop();
      return systemClock.sleep(ms, signal);
    };
    const first = await svc(['restart', 's1', 's2', 's3', '-y', '--concurrency', '1', '--log', 'run.ndjson'], {
      url: wire.url,
      cwd,
      clock: { ...systemClock, sleep },
      onStart: (send) => (stop = () => send('SIGTERM')),
    });
    expect(first.exitCode).toBe(143);
    expect(await run('--resume', 'run.ndjson')).toMatchObject({ exitCode: 0 });
    expect(sent().sort()).toEqual(['s1', 's1', 's2', 's3']);
  });

  test('never says so of a 503 that names no time to wait: it may have been carried out', async () => {
    const { on, run, log } = await restarts();
    on('s1').reply(503, {});
    for (const id of ['s2', 's3']) on(id).reply(200, FINE);
    expect((await run('--log', 'run.ndjson')).exitCode).toBe(11);
    const lines = (await log()).filter(({ item }) => item === 's1');
    expect(lines).toEqual([
      { item: 's1', begun: true },
      { item: 's1', exitCode: 8, code: 'unavailable', attempts: 1, ms: expect.any(Number), inDoubt: true },
    ]);
  });
});

describe('a resumed run', () => {
  test('begins the log that is not there: one line serves the first run and every retry', async () => {
    const { on, run, sent, log } = await restarts();
    on('s1').reply(404, {}).reply(200, FINE);
    for (const id of ['s2', 's3']) on(id).reply(200, FINE);
    const first = await run('--resume', 'run.ndjson');
    expect(first.exitCode).toBe(11);
    // A refusal has its reason in the summary; a repeat gets no further by itself.
    expect(first.error).not.toHaveProperty('next');
    expect((await log())[0]).toMatchObject({ log: 1, command: 'restart' });
    expect(await run('--resume', 'run.ndjson')).toMatchObject({ exitCode: 0 });
    expect(await run('--resume', 'run.ndjson')).toMatchObject({ exitCode: 0, stdout: '' });
    expect(sent().sort()).toEqual(['s1', 's1', 's2', 's3']);
  });

  test.each(['', 'mine\n', '{"item":"s1","exitCode":0}\n'])(
    'begins an empty file, and refuses any other that is no log: %j',
    async (text) => {
      const { on, run, path, wire } = await restarts();
      await writeFile(path, text);
      for (const id of ['s1', 's2', 's3']) on(id).maybe(200, FINE);
      const { exitCode, stderr } = await run('--resume', 'run.ndjson');
      expect([exitCode, wire.requests.length]).toEqual(text === '' ? [0, 3] : [2, 0]);
      if (text !== '') expect(stderr).toContain('is not a log of svc');
    },
  );

  test('leaves out what is done and repeats what failed', async () => {
    const { on, run, sent } = await restarts();
    on('s1').reply(200, FINE);
    on('s2').reply(404, { error: 'gone' }).reply(200, FINE);
    on('s3').reply(200, FINE);
    const first = await run('--log', 'run.ndjson');
    expect(first.exitCode).toBe(11);
    // A refusal has its reason in the summary; a repeat gets no further by itself.
    expect(first.error).not.toHaveProperty('next');
    const second = await run('--resume', 'run.ndjson');
    expect(second.exitCode).toBe(0);
    expect(linesOf(second.stdout)).toMatchObject([{ index: 1, item: 's2', exitCode: 0 }]);
    expect(sent().sort()).toEqual(['s1', 's2', 's2', 's3']);
    const third = await run('--resume', 'run.ndjson');
    expect(third).toMatchObject({ exitCode: 0, stdout: '' });
  });

  test('never repeats what is in doubt, and says so, unless it is told to', async () => {
    const { on, run, sent, path } = await restarts();
    on('s1').reply(200, FINE);
    on('s2').reset().reply(200, FINE);
    on('s3').reply(200, FINE);
    const first = await run('--log', 'run.ndjson');
    const next = ['svc restart s1 s2 s3 --yes --resume run.ndjson --retry-unknown'];
    expect(first).toMatchObject({ exitCode: 11, error: { outcome: 'unknown', next, nextBy: 'person' } });
    // Torn by a kill: what is left of the last line does not matter.
    await appendFile(path, '{"item":"s1","be');
    const second = await run('--resume', 'run.ndjson');
    expect(second.exitCode).toBe(11);
    expect(linesOf(second.stdout)).toMatchObject([
      { index: 1, exitCode: 8, error: { outcome: 'unknown' }, attempts: 0 },
    ]);
    expect(sent()).toHaveLength(3);
    const third = await run('--resume', 'run.ndjson', '--retry-unknown');
    expect(third.exitCode).toBe(0);
    expect(sent()).toHaveLength(4);
    expect(await run('--resume', 'run.ndjson')).toMatchObject({ exitCode: 0, stdout: '' });
  });

  test('counts what was begun and has no end as in doubt', async () => {
    const { on, run, path, log, sent } = await restarts();
    for (const id of ['s1', 's2', 's3']) on(id).reply(200, FINE);
    await run('--log', 'run.ndjson');
    const entries = (await log()).filter(({ item, exitCode }) => !(item === 's3' && exitCode === 0));
    await writeFile(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    const { exitCode, stdout } = await run('--resume', 'run.ndjson');
    expect(exitCode).toBe(11);
    expect(linesOf(stdout)).toMatchObject([{ index: 2, item: 's3', code: 'unavailable' }]);
    expect(sent()).toHaveLength(3);
  });

  test.each([
    [['metrics', 's1', 's2', 's3', '--resume', 'run.ndjson'], 'another command: "restart"'],
    [['restart', 's1', 's2', 's3', '--org', 'o', '--resume', 'run.ndjson', '-y'], 'another organization'],
    [['wp', 'run', 'backup', '--resume', 'run.ndjson', '-y', '--service', 's1'], 'another command: "restart"'],
    [['restart', 's1', 's2', 's3', '--retry-unknown', '-y'], '--retry-unknown needs --resume'],
  ])('svc %j: refused', async (argv, message) => {
    const { on, run, wire, path } = await restarts();
    for (const id of ['s1', 's2', 's3']) on(id).reply(200, FINE);
    await run('--log', 'run.ndjson');
    const refused = await svc(argv, { url: wire.url, cwd: join(path, '..') });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain(message);
    expect(wire.requests).toHaveLength(3);
  });

  test('of another platform is refused', async () => {
    const { on, run, cwd } = await restarts();
    for (const id of ['s1', 's2', 's3']) on(id).reply(404, {});
    await run('--log', 'run.ndjson');
    const other = await testWire();
    const refused = await svc(['restart', 's1', '--resume', 'run.ndjson', '-y'], { url: other.url, cwd });
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('log of another platform address') });
  });

  test('begins on a line of its own, so that a torn last line costs nothing but itself', async () => {
    const { on, run, path } = await restarts();
    on('s1').reply(404, {}).reply(200, FINE);
    for (const id of ['s2', 's3']) on(id).reply(200, FINE);
    await run('--log', 'run.ndjson');
    const torn = '{"item":"s1","be';
    await appendFile(path, torn);
    expect((await run('--resume', 'run.ndjson')).exitCode).toBe(0);
    const damaged = (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '' && !isJson(line));
    expect(damaged).toEqual([torn]);
  });

  test('takes the list as it is now, in any order, and however its items are spelled', async () => {
    const { run, on, wire, cwd } = await restarts();
    for (const id of ['s1', 's2', 's3']) on(id).reply(200, FINE);
    await run('--log', 'run.ndjson');
    on('s4').reply(200, FINE);
    await writeFile(join(cwd, 'list.txt'), '# ours\ns4\n  s3\n{"service": "s1"}\n');
    const argv = ['restart', '--services', 'list.txt', '-y', '--json', '--timeout', '50s', '--concurrency', '2'];
    const resumed = await svc([...argv, '--resume', 'run.ndjson'], { url: wire.url, cwd });
    expect(resumed.exitCode).toBe(0);
    expect(linesOf(resumed.stdout)).toMatchObject([{ item: 's4', exitCode: 0 }]);
    expect(summaryIn(resumed)).toMatchObject({ total: 3, done: 1, skipped: 2 });
  });

  test('of an action may wait longer, but has the same action, parameters and organization', async () => {
    const wire = await testWire();
    const cwd = await temporaryFolder();
    const action = (id: string) => wire.on('POST', `/v1/services/${id}/actions`);
    for (const id of ['s1', 's2']) action(id).reply(200, { jobId: 'j', status: 'completed' });
    const line = (list: string) => writeFile(join(cwd, 'list.txt'), list);
    const run = (...argv: string[]) =>
      svc(['wp', 'run', ...argv, '--services', 'list.txt', '-y', '--json'], { url: wire.url, cwd });
    const PARAMS = ['--param', 'a=1', '--param', 'b=2'];
    await line('s1\n{"service": "s2", "params": {"slug": "akismet"}}\n');
    const log = ['--log', 'run.ndjson', '--wait', '--wait-timeout', '5s'];
    expect((await run('backup', ...PARAMS, ...log)).exitCode).toBe(0);
    const resume = ['--resume', 'run.ndjson', '--wait', '--wait-timeout', '50s'];
    await line('{"params": { "slug" : "akismet" }, "service": "s2"}\ns1\n');
    const again = await run('backup', '--param', 'b=2', '--param', 'a=1', ...resume);
    expect(again).toMatchObject({ exitCode: 0, stdout: '' });
    for (const argv of [['backup', '--param', 'a=1'], ['backup'], ['restore', ...PARAMS], ['backup', '--org', 'o']])
      expect(await run(...argv, ...resume), argv.join(' ')).toMatchObject({ exitCode: 2, stdout: '' });
    // Other parameters of a line make it another item.
    await line('{"service": "s2", "params": {"slug": "jetpack"}}\n');
    action('s2').reply(200, { jobId: 'k', status: 'completed' });
    expect(linesOf((await run('backup', ...PARAMS, ...resume)).stdout)).toMatchObject([{ exitCode: 0 }]);
    expect(await readFile(join(cwd, 'run.ndjson'), 'utf8')).not.toContain('akismet');
  });

  test.each([
    ['first', (older: string, newer: string) => older + newer],
    ['last, behind a torn line', (older: string, newer: string) => `${newer}{"item":"s2","be${older}`],
  ])('is refused if several logs stand in one file, the older one %s', async (_name, join) => {
    const { on, run, path, sent } = await restarts();
    for (const id of ['s1', 's2', 's3']) on(id).reply(404, {});
    await run('--log', 'run.ndjson');
    const log = await readFile(path, 'utf8');
    await writeFile(path, join(log, log));
    const { exitCode, error } = await run('--resume', 'run.ndjson');
    expect([exitCode, error['error']]).toEqual([2, '"run.ndjson" has the lines of several logs.']);
    expect(sent()).toHaveLength(3);
  });

  test('never doubts what is done, whatever else was begun', async () => {
    const { on, run, path, sent } = await restarts();
    for (const id of ['s1', 's2', 's3']) on(id).reply(200, FINE);
    await run('--log', 'run.ndjson');
    const other = [
      { item: 's1', begun: true },
      { item: 's2', exitCode: 8, inDoubt: true },
      { item: 's3', exitCode: 6 },
    ];
    await appendFile(path, other.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    expect(await run('--resume', 'run.ndjson')).toMatchObject({ exitCode: 0, stdout: '' });
    expect(sent()).toHaveLength(3);
  });
});

test('an action that is queued without naming its job is in doubt, and is not queued again', async () => {
  const wire = await testWire();
  const cwd = await temporaryFolder();
  for (const id of ['s1', 's2']) wire.on('POST', `/v1/services/${id}/actions`).reply(202, { status: 'queued' });
  const services = join(cwd, 'list.txt');
  await writeFile(services, 's1\ns2\n');
  const argv = ['wp', 'run', 'backup', '--services', services, '--wait', '-y', '--json'];
  const first = await svc([...argv, '--log', 'run.ndjson'], { url: wire.url, cwd });
  // Items that are in doubt make the whole run so.
  expect(first).toMatchObject({ exitCode: 8, error: { outcome: 'unknown', summary: { inDoubt: 2 } } });
  expect(linesOf(first.stdout)).toMatchObject([{ code: 'still_running' }, { code: 'still_running' }]);
  expect((await svc([...argv, '--resume', 'run.ndjson'], { url: wire.url, cwd })).exitCode).not.toBe(0);
  expect(wire.requests).toHaveLength(2);
});
