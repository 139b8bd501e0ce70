import { appendFile, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { svc, temporaryFolder } from '../support/svc.ts';
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
    run: (...argv: string[]) => svc(['restart', 's1', 's2', 's3', '-y', '--json', ...argv], { url: wire.url, cwd }),
    log: async () => linesOf(await readFile(path, 'utf8')),
    sent: () => wire.requests.map(({ path }) => path.split('/')[3]),
  };
}

const FINE = { success: true };

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
      items: 3,
      list: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
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

  test('that cannot be written stops before anything is sent', async () => {
    const { run, wire } = await restarts();
    expect((await run('--log', 'no-folder/run.ndjson')).exitCode).toBe(2);
    expect((await run('--log', '.')).exitCode).toBe(2);
    expect(wire.requests).toEqual([]);
  });

  test.runIf(process.platform === 'linux')('on a full disk says so once', async () => {
    const { run, wire, path } = await restarts();
    await symlink('/dev/full', path);
    const { exitCode, error } = await run('--log', 'run.ndjson');
    expect(exitCode).toBe(2);
    expect(error['error']).toMatch(/^The log \S+ cannot be written: (?!The log)[^.]+\.$/);
    expect(wire.requests).toEqual([]);
  });
});

describe('a resumed run', () => {
  test('leaves out what is done and repeats what failed', async () => {
    const { on, run, sent } = await restarts();
    on('s1').reply(200, FINE);
    on('s2').reply(404, { error: 'gone' }).reply(200, FINE);
    on('s3').reply(200, FINE);
    const first = await run('--log', 'run.ndjson');
    expect(first).toMatchObject({
      exitCode: 11,
      error: { next: ['svc restart s1 s2 s3 --yes --resume run.ndjson'] },
    });
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
    expect(first).toMatchObject({ exitCode: 11, error: { outcome: 'unknown' } });
    // Torn by a kill: what is left of the last line does not matter.
    await appendFile(path, '{"index":0,"be');
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
    const entries = (await log()).filter(({ index, exitCode }) => !(index === 2 && exitCode === 0));
    await writeFile(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    const { exitCode, stdout } = await run('--resume', 'run.ndjson');
    expect(exitCode).toBe(11);
    expect(linesOf(stdout)).toMatchObject([{ index: 2, item: 's3', code: 'unavailable' }]);
    expect(sent()).toHaveLength(3);
  });

  test('into another log carries over what is known', async () => {
    const { on, run, path } = await restarts();
    on('s1').reply(200, FINE);
    on('s2').reset();
    on('s3').reply(404, {}).reply(200, FINE);
    await run('--log', 'run.ndjson');
    await run('--resume', 'run.ndjson', '--log', 'next.ndjson');
    const { stdout } = await run('--resume', join(path, '../next.ndjson'));
    expect(linesOf(stdout)).toMatchObject([{ index: 1, exitCode: 8 }]);
  });

  test.each([
    [['restart', 's1', 's3', '--resume', 'run.ndjson', '-y'], 'another list'],
    [['metrics', 's1', 's2', 's3', '--resume', 'run.ndjson'], 'another command: "restart"'],
    [['restart', 's1', 's2', 's3', '--org', 'o', '--resume', 'run.ndjson', '-y'], 'another organization'],
    [['restart', 's1', 's2', 's3', '--resume', 'none.ndjson', '-y'], 'cannot be read'],
    [['restart', 's1', 's2', 's3', '--retry-unknown', '-y'], '--retry-unknown belongs to --resume'],
  ])('svc %j: refused', async (argv, message) => {
    const { on, run, wire, path } = await restarts();
    for (const id of ['s1', 's2', 's3']) on(id).reply(200, FINE);
    await run('--log', 'run.ndjson');
    const refused = await svc(argv, { url: wire.url, cwd: join(path, '..') });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain(message);
    expect(wire.requests).toHaveLength(3);
  });

  test('takes the logs of several parts in one file', async () => {
    const { on, run, path, wire } = await restarts();
    for (const id of ['s1', 's2', 's3']) on(id).reply(200, FINE);
    const parts = ['1/2', '2/2'];
    for (const [index, shard] of parts.entries()) await run('--shard', shard, '--log', `part${index}.ndjson`);
    expect(wire.requests).toHaveLength(3);
    const logs = await Promise.all(parts.map((_, index) => readFile(join(path, `../part${index}.ndjson`), 'utf8')));
    await writeFile(path, logs.join(''));
    expect(await run('--resume', 'run.ndjson')).toMatchObject({ exitCode: 0, stdout: '' });
  });
});
