import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { against } from '../support/against.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

/** Runs a line whose list is on standard input; no request is expected. */
async function run(line: string, stdin: string) {
  const wire = await testWire();
  const cwd = await temporaryFolder();
  const done = await svc(line.split(' '), { url: wire.url, stdin, cwd });
  const { exitCode, stdout, stderr, shown } = done;
  return { cwd, exitCode, stdout, stderr, shown };
}

test.each([
  ['metrics --services - --fail-if cpu>80', ''],
  ['metrics --services - --fail-if cpu>80', '# none\n\n'],
  ['metrics --services - --fail-if cpu>80', 'service,org\n'],
  ['metrics --services - --fail-if cpu>80 --json', 'service,org\n,\n'],
  ['deployments inspect --deployments - --fail-if-not-live', ''],
  ['domains import --domains - --audit', ''],
  ['domains status --domains -', ''],
  ['wp status --jobs -', ''],
  ['wp status --jobs - --wait --csv', ''],
])('a check over nothing, svc %s of %j, cannot be made', async (line, stdin) => {
  const { exitCode, stdout, shown } = await run(line, stdin);

  expect(exitCode).toBe(12);
  expect(stdout).toBe('');
  expect(shown).toContain('in the list, so nothing was checked.');
});

test.each([
  ['metrics --services -', 'There are no services in the list, so nothing was asked.'],
  ['domains import --domains -', 'There are no domains in the list, so nothing was asked.'],
  ['restart --services - --yes', 'There are no services in the list, so nothing was done.'],
  [
    'wp run b --services - --yes --log run.nd',
    'There are no services in the list, so nothing was done.',
  ],
])('svc %s over nothing is no mistake, and no success', async (line, words) => {
  const { exitCode, stdout, stderr, cwd } = await run(line, '');

  expect(exitCode).toBe(0);
  expect(stdout).toBe('');
  expect(stderr).toBe(`Warning: ${words}\n`);
  expect(existsSync(join(cwd, 'run.nd'))).toBe(false);
});

test('for programs a list of nothing is a warning and counts of zero', async () => {
  const { exitCode, stderr } = await run('restart --services - --yes --json', '\n');

  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(exitCode).toBe(0);
  expect(lines).toMatchObject([{ code: 'empty_list' }, { summary: { total: 0, done: 0 } }]);
});

test('a table of nothing has its head', async () => {
  const { stdout } = await run('restart --services - --yes --csv', '');
  const metrics = await run('metrics --services - --csv', '');

  expect(stdout).toBe('service,exitCode,code,error\n');
  expect(metrics.stdout).toBe('service,time,series,value\n');
});

test('an account without organizations gets a warning, and no tick', async () => {
  const answers = { 'GET /v1/user': [{ user: {}, organizations: [] }] };

  const { exitCode, shown } = await against('billing autopay --all-orgs', answers);

  expect(exitCode).toBe(0);
  expect(shown).toContain('There are no organizations in the list');
  expect(shown).not.toContain('✓');
});
