import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const CANARY = 'CANARY-pass-0123456789';
const TRAP = 'Fix | the <b>shop</b> `rm` *now* [x](y)\n# again';

async function summarized(argv: readonly string[], answer: { status?: number; body: object }, env = {}) {
  const wire = await testWire();
  const path = argv[0] === 'db' ? '/v1/databases/db_1' : '/v1/services/s1/deployments/dep_1';
  wire.on('GET', path).reply(answer.status ?? 200, answer.body);
  const file = join(await temporaryFolder(), 'summary.md');
  await writeFile(file, 'Before.\n\n');
  const all = { GITHUB_STEP_SUMMARY: file, ...env };
  const { exitCode, stdout, stderr } = await svc([...argv, '--step-summary'], { url: wire.url, env: all });
  return { exitCode, stdout, stderr, summary: await readFile(file, 'utf8') };
}

const deployment = { deployment: { id: 'dep_1', status: 'live', branch: 'main', commit: { message: TRAP } } };
const inspect = ['deployments', 'inspect', 'dep_1', '--service', 's1'];

test('a result is added as Markdown, in which text of others is only text', async () => {
  const { exitCode, stdout, summary } = await summarized(inspect, { body: deployment });
  expect(exitCode).toBe(0);
  expect(stdout).toContain('dep_1');
  expect(summary.startsWith('Before.\n\n### svc deployments inspect\n\n')).toBe(true);
  const row = summary.split('\n').find((line) => line.includes('rm')) ?? '';
  expect(row).toContain('Fix \\| the \\<b\\>shop\\</b\\> \\`rm\\` \\*now\\* \\[x\\](y) ⏎ \\# again |');
});

test('with --json stdout is the answer alone', async () => {
  const { stdout, summary } = await summarized([...inspect, '--json'], { body: deployment });
  expect(JSON.parse(stdout)).toEqual(deployment);
  expect(summary).toContain('### svc deployments inspect');
});

test('an error is added, and is still an error', async () => {
  const { exitCode, stderr, summary } = await summarized(inspect, { status: 404, body: { error: 'No <such> thing' } });
  expect([exitCode, stderr]).toEqual([6, expect.stringContaining('Error: ')]);
  expect(summary).toMatch(/^Before\.\n\n\*\*!\*\* svc deployments inspect: No \\<such\\> thing$/m);
});

test('a secret that the screen shows is not added', async () => {
  const body = {
    database: { id: 'db_1', status: 'running' },
    credentialsIncluded: true,
    username: 'ann',
    password: CANARY,
  };
  const { exitCode, stdout, summary } = await summarized(['db', 'inspect', 'db_1', '--reveal'], { body });
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining(CANARY)]);
  expect(summary).toContain('### svc db inspect\n\nThe result may contain secrets');
  expect(summary).not.toContain(CANARY);
});

test('outside of GitHub the Markdown is printed, and with --json there is no place for it', async () => {
  const env = { GITHUB_STEP_SUMMARY: undefined };
  const printed = await summarized(inspect, { body: deployment }, env);
  expect([printed.exitCode, printed.summary]).toEqual([0, 'Before.\n\n']);
  expect(printed.stdout).toMatch(/^### svc deployments inspect\n\n#### Deployment dep\\_1\n\n\|/);
  const refused = await svc([...inspect, '--json', '--step-summary'], { env });
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('GITHUB_STEP_SUMMARY')]);
});

test('a summary that cannot be written is a warning, because the work is done', async () => {
  const env = { GITHUB_STEP_SUMMARY: await temporaryFolder() };
  const { exitCode, stdout, stderr } = await summarized(inspect, { body: deployment }, env);
  expect([exitCode, stdout, stderr]).toEqual([
    0,
    expect.stringContaining('dep_1'),
    expect.stringContaining('Warning: Cannot write'),
  ]);
});

test.each([
  [
    { status: 404, body: { error: '50%\r\n::stop-commands::x' } },
    [],
    6,
    /^::error title=svc%3A not_found::[^\n]+\nError: /,
  ],
  [{ status: 404, body: {} }, ['--json'], 6, /^\{"error"/],
])('on GitHub Actions %j is an annotation unless JSON is asked for', async (answer, more, code, expected) => {
  const { exitCode, stderr } = await summarized([...inspect, ...more], answer, { GITHUB_ACTIONS: 'true' });
  expect([exitCode, stderr]).toEqual([code, expect.stringMatching(expected)]);
});

test.each([
  [[200, 200], 0, 'restart: 2 of 2 services done'],
  [[200, 404], 11, 'svc restart: 1 of 2 services done, 1 failed'],
])('a run over several that is answered with %j adds its counts', async (statuses, code, words) => {
  const wire = await testWire();
  for (const [index, status] of statuses.entries())
    wire.on('POST', `/v1/services/s${index}/restart`).reply(status, { success: status === 200 });
  const file = join(await temporaryFolder(), 'summary.md');
  const argv = ['restart', 's0', 's1', '--yes', '--step-summary'];
  const { exitCode } = await svc(argv, { url: wire.url, env: { GITHUB_STEP_SUMMARY: file } });
  expect([exitCode, await readFile(file, 'utf8')]).toEqual([code, expect.stringContaining(words)]);
});
