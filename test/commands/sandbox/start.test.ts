import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLES } from '../../../sandbox/samples.ts';
import { ownerMark } from '../../../src/store/lock.ts';
import { machineOf } from '../../../src/store/machine.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';
import { until } from '../../support/until.ts';

/** Starts a sandbox on a free port and stops it after its greeting. */
function started(...more: readonly string[]) {
  return svc(['sandbox', 'start', '--port', '0', ...more], { onStart: (send) => send('SIGINT') });
}

test('a sandbox tells people how to sign in, with a token or as a dashboard session', async () => {
  const { exitCode, stdout, stderr } = await started();
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/^ {2}export SVC_TOKEN=svc_sandbox_\S+$/m);
  expect(stdout).toMatch(/^ {2}# export SVC_SESSION_TOKEN=\S+$/m);
});

test('scripts get one line of JSON, whose fields are fixed', async () => {
  const { exitCode, stdout, json } = await started('--json');
  expect(exitCode).toBe(0);
  expect(stdout.split('\n')).toHaveLength(2);
  const fields = ['url', 'token', 'services', 'deployments', 'databases', 'plans', 'domains', 'dnsServer'];
  expect(Object.keys(json as object)).toEqual(fields);
});

test('of a thousand services it names the first, and says how to get the ids of all', async () => {
  const { exitCode, stdout } = await started('--services', '1000', '--limit', '50/s');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^The sandbox is ready on \S+ \(limit 50\/s\)\. Ctrl-C stops it\.$/m);
  expect(stdout).toContain(`The ids of all 1,000: svc api /sandbox --jq '.services[].id' > services.txt\n`);
  expect(stdout).toContain('  svc_wp_7k2m9qx4   kola-blog');
  expect(stdout).not.toContain('svc_wp_00000006');
  const rows = stdout.trimEnd().split('\n');
  // A terminal wraps what a pipe does not.
  const lines = rows.map((row) => Math.max(1, Math.ceil(row.length / 80)));
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(23);
});

test('the page about the sandbox and its help name every id', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/sandbox.md'), 'utf8');
  const { stdout: help } = await svc(['help', 'sandbox']);
  const ids =
    SAMPLES.flat()
      .join(', ')
      .match(/[a-z]+_\w+|[\w-]+\.example|\+\d+|\w+\.\w+/g) ?? [];
  expect(ids.length).toBeGreaterThan(20);
  for (const id of ids) expect([id, page.includes(id), help.includes(id)]).toEqual([id, true, true]);
});

test('with --json it names every service', async () => {
  const { json } = await started('--services', '10000', '--json');
  expect((json as { services: unknown[] }).services).toHaveLength(10_000);
});

test.each([
  [['--services', '3'], '--services "3" is not a whole number from 4 to 10000.'],
  [['--limit', '50'], '--limit "50" is not a rate from 1/s to 1000/s.\nTry: svc sandbox start --port 0 --limit 50/s'],
  [['--limit', '0/s'], '--limit "0/s" is not a rate'],
  [['--limit', '1001/s'], '--limit "1001/s" is not a rate'],
])('%j is refused', async (options, said) => {
  const run = await svc(['sandbox', 'start', '--port', '0', ...options]);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(said);
});

test('a polling interval needs its unit', async () => {
  const run = await svc(['sandbox', 'start', '--port', '0', '--interval', '5']);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain('--interval "5" has no unit.\n  For example: --interval 5s');
});

/** The path of a data file, and how it is reached through a link. */
async function dataFile(): Promise<{ file: string; link: string; names: () => string[] }> {
  const folder = await temporaryFolder();
  mkdirSync(join(folder, 'data'));
  const file = join(folder, 'data', 'sandbox.json');
  symlinkSync(join(folder, 'data'), join(folder, 'link'));
  return { file, link: join(folder, 'link', 'sandbox.json'), names: () => readdirSync(join(folder, 'data')) };
}

test('a folder as the data file is refused, and a file in it proposed', async () => {
  const cwd = await temporaryFolder();
  const run = await svc(['sandbox', '--port', '0', '--data', '.'], { cwd });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toBe(`Error: The data file ${cwd} is a folder.\nTry: svc sandbox start --data sandbox.json\n`);
});

test('a second sandbox on the same data file is refused, however the file is named, until the first has ended', async () => {
  const { file, link, names } = await dataFile();
  let stop: (signal: 'SIGINT') => void = () => {};
  const first = svc(['sandbox', 'start', '--port', '0', '--data', file], { onStart: (send) => (stop = send) });
  await until(() => existsSync(file));
  const before = readFileSync(file, 'utf8');
  for (const [name, cwd] of [[file], [link], ['sandbox.json', join(file, '..')]] as const) {
    const second = await svc(['sandbox', '--port', '0', '--data', name], cwd === undefined ? {} : { cwd });
    expect(second).toMatchObject({ exitCode: 2, stdout: '' });
    expect(second.stderr).toContain('Another sandbox keeps its state in ');
    expect(second.stderr).toContain(`If no other svc is running, remove ${file}.lock`);
  }
  expect(readFileSync(file, 'utf8')).toBe(before);
  stop('SIGINT');
  expect((await first).exitCode).toBe(0);
  expect(names()).toEqual(['sandbox.json']);
  expect((await started('--data', link)).exitCode).toBe(0);
  expect(names()).toEqual(['sandbox.json']);
});

test('a sandbox renews its lock, so that no other takes over its data file', async () => {
  const { file } = await dataFile();
  let stop: (signal: 'SIGINT') => void = () => {};
  const running = svc(['sandbox', '--port', '0', '--data', file], { onStart: (send) => (stop = send) });
  await until(() => existsSync(file));
  const [owner = ''] = readdirSync(`${file}.lock`);
  const mark = join(`${file}.lock`, owner);
  utimesSync(mark, 1, 1);
  await until(() => statSync(mark).mtimeMs > 1_000);
  stop('SIGINT');
  expect((await running).exitCode).toBe(0);
});

test('the data file of a sandbox that was killed is taken over at once', async () => {
  const { file, names } = await dataFile();
  mkdirSync(`${file}.lock`);
  writeFileSync(
    join(`${file}.lock`, `${ownerMark({ ...machineOf(process, 'marie-laptop'), pid: 4_194_305 })}-abc`),
    '',
  );
  expect((await started('--data', file)).exitCode).toBe(0);
  expect(names()).toEqual(['sandbox.json']);
});

test.each([
  ['a broken link', (file: string) => symlinkSync('/nowhere/file', file), 'a link that leads nowhere'],
  ['in a folder that there is not', (file: string) => rmSync(join(file, '..'), { recursive: true }), 'ENOENT'],
])('a data file that is %s is refused', async (_what, make, said) => {
  const { file } = await dataFile();
  make(file);
  const run = await svc(['sandbox', '--port', '0', '--data', file]);
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain(file);
  expect(run.stderr).toContain(said);
});
