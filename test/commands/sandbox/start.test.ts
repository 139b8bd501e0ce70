import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { svc, temporaryFolder } from '../../support/svc.ts';

const START = ['sandbox', 'start', '--port', '0'];

/** Starts a sandbox on a free port and stops it after its greeting. */
async function started(...more: readonly string[]) {
  const run = await svc([...START, ...more], { onStart: (send) => send('SIGINT') });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  return run;
}

test('scripts get one line of JSON with every service, whose fields are fixed', async () => {
  const { stdout, json } = await started('--services', '10000', '--limit', '50/s', '--json');
  expect(stdout.split('\n')).toHaveLength(2);
  const fields = [
    'url',
    'token',
    'services',
    'deployments',
    'databases',
    'plans',
    'domains',
    'dnsServer',
  ];
  expect(Object.keys(json as object)).toEqual(fields);
  expect((json as { readonly services: unknown[] }).services).toHaveLength(10_000);
});

/** The path of a data file, and how it is reached through a link. */
async function dataFile() {
  const folder = await temporaryFolder();
  const file = join(folder, 'data', 'sandbox.json');
  mkdirSync(dirname(file));
  symlinkSync(dirname(file), join(folder, 'link'));
  return {
    file,
    link: join(folder, 'link', 'sandbox.json'),
    names: () => readdirSync(dirname(file)),
  };
}

test.each<[options: string, said: string, make?: (file: string) => void]>([
  ['--services 3', '--services "3" is not a whole number from 4 to 10000.'],
  ['--limit 50', 'svc sandbox start --port 0 --limit 50/s'],
  ['--limit 1001/s', '--limit "1001/s" is not a rate'],
  ['--interval 5', '--interval "5" has no unit.'],
  ['--data .', 'cannot be read: it is a folder'],
  [
    '--data sandbox.json',
    'a link that leads nowhere',
    (file) => symlinkSync('/nowhere/file', file),
  ],
  ['--data none/sandbox.json', 'none/sandbox.json cannot be written: '],
])('svc sandbox start %s is refused', async (options, said, make) => {
  const { file } = await dataFile();
  make?.(file);
  const run = await svc([...START, ...options.split(' ')], { cwd: dirname(file) });
  expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(said) });
});

test('a sandbox keeps its state in the file that a link leads to, and leaves no other', async () => {
  const { file, link, names } = await dataFile();

  await started('--data', file);
  await started('--data', link);

  expect(names()).toEqual(['sandbox.json']);
});
