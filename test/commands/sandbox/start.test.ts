import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLES } from '../../../sandbox/samples.ts';
import { ownerMark } from '../../../src/store/lock.ts';
import { machineOf } from '../../../src/store/machine.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';
import { until } from '../../support/until.ts';

const START = ['sandbox', 'start', '--port', '0'];

/** Starts a sandbox on a free port and stops it after its greeting. */
async function started(...more: readonly string[]) {
  const run = await svc([...START, ...more], { onStart: (send) => send('SIGINT') });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  return run;
}

test('people read how to sign in; of a thousand services the first, and how to get the ids of all', async () => {
  const { stdout } = await started('--services', '1000', '--limit', '50/s');
  expect(stdout).toMatch(/^The sandbox is ready on \S+ \(limit 50\/s\)\. Ctrl-C stops it\.$/m);
  expect(stdout).toMatch(/^ {2}export SVC_TOKEN=svc_sandbox_\S+$/m);
  expect(stdout).toMatch(/^ {2}# export SVC_SESSION_TOKEN=\S+$/m);
  expect(stdout).toContain(`The ids of all 1,000: svc api /sandbox --jq '.services[].id' > services.txt\n`);
  expect(stdout).toContain('  svc_wp_7k2m9qx4   kola-blog');
  expect(stdout).not.toContain('svc_wp_00000006');
  // A terminal wraps what a pipe does not.
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((row) => Math.max(1, Math.ceil(row.length / 80)));
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(23);
});

test('scripts get one line of JSON with every service, whose fields are fixed', async () => {
  const { stdout, json } = await started('--services', '10000', '--json');
  expect(stdout.split('\n')).toHaveLength(2);
  const fields = ['url', 'token', 'services', 'deployments', 'databases', 'plans', 'domains', 'dnsServer'];
  expect(Object.keys(json as object)).toEqual(fields);
  expect((json as { readonly services: unknown[] }).services).toHaveLength(10_000);
});

test('the page about the sandbox and its help name every id', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/sandbox.md'), 'utf8');
  const { stdout: help } = await svc(['help', 'sandbox']);
  const samples = SAMPLES.flat().join(', ');
  const ids = samples.match(/[a-z]+_\w+|[\w-]+\.example|\+\d+|\w+\.\w+/g) ?? [];
  expect(ids.length).toBeGreaterThan(20);
  for (const id of ids) expect([id, page.includes(id), help.includes(id)]).toEqual([id, true, true]);
});

/** The path of a data file, and how it is reached through a link. */
async function dataFile() {
  const folder = await temporaryFolder();
  const file = join(folder, 'data', 'sandbox.json');
  mkdirSync(dirname(file));
  symlinkSync(dirname(file), join(folder, 'link'));
  return { file, link: join(folder, 'link', 'sandbox.json'), names: () => readdirSync(dirname(file)) };
}

test.each<[options: string, said: string, make?: (file: string) => void]>([
  ['--services 3', '--services "3" is not a whole number from 4 to 10000.'],
  ['--limit 50', '--limit "50" is not a rate from 1/s to 1000/s.\nTry: svc sandbox start --port 0 --limit 50/s'],
  ['--limit 0/s', '--limit "0/s" is not a rate'],
  ['--limit 1001/s', '--limit "1001/s" is not a rate'],
  ['--interval 5', '--interval "5" has no unit.\n  For example: --interval 5s'],
  ['--data .', 'is a folder.\nTry: svc sandbox start --data sandbox.json\n'],
  ['--data sandbox.json', 'a link that leads nowhere', (file) => symlinkSync('/nowhere/file', file)],
  ['--data none/sandbox.json', 'none/sandbox.json cannot be written: ', () => undefined],
])('svc sandbox start %s is refused', async (options, said, make) => {
  const { file } = await dataFile();
  make?.(file);
  const run = await svc([...START, ...options.split(' ')], { cwd: dirname(file) });
  expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(said) });
});

test('a second sandbox on the same data file is refused, however the file is named, until the first ends', async () => {
  const { file, link, names } = await dataFile();
  let stop: (signal: 'SIGINT') => void = () => {};
  const first = svc([...START, '--data', file], { onStart: (send) => (stop = send) });
  await until(() => existsSync(file));
  const before = readFileSync(file, 'utf8');
  for (const name of [file, link, 'sandbox.json']) {
    const { exitCode, stdout, stderr } = await svc([...START, '--data', name], { cwd: dirname(file) });
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Another sandbox keeps its state in ');
    expect(stderr).toContain(`If no other svc is running, remove ${file}.lock`);
  }
  expect(readFileSync(file, 'utf8')).toBe(before);
  const [owner = ''] = readdirSync(`${file}.lock`);
  const mark = join(`${file}.lock`, owner);
  utimesSync(mark, 1, 1);
  // It renews its lock, so that no other takes over.
  await until(() => statSync(mark).mtimeMs > 1_000);
  stop('SIGINT');
  expect((await first).exitCode).toBe(0);
  expect(names()).toEqual(['sandbox.json']);
  await started('--data', link);
  expect(names()).toEqual(['sandbox.json']);
});

test('the data file of a sandbox that was killed is taken over at once', async () => {
  const { file, names } = await dataFile();
  mkdirSync(`${file}.lock`);
  const gone = ownerMark({ ...machineOf(process, 'marie-laptop'), pid: 4_194_305 });
  writeFileSync(join(`${file}.lock`, `${gone}-abc`), '');
  await started('--data', file);
  expect(names()).toEqual(['sandbox.json']);
});
