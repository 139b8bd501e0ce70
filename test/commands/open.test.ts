import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtProgram } from '../support/program.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { untilWritten } from '../support/until.ts';
import { onTerminal, TERMINAL_ENV } from '../terminal/script.ts';

async function configured(dashboard?: string) {
  const configDir = await temporaryFolder();
  const run = (argv: readonly string[], env = {}) => svc(argv, { configDir, env });
  if (dashboard !== undefined) {
    expect(await run(['config', 'set', 'dashboard', dashboard])).toMatchObject({ exitCode: 0 });
  }
  return { configDir, run };
}

test('without the address of the dashboard, svc open says how to set it', async () => {
  const { run } = await configured();
  expect(await run(['open'])).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: 'Error: svc does not know the address of the dashboard.\n  To set it: svc config set dashboard <url>\n',
  });
});

test.each([
  [[], 'https://d.example.com/app/'],
  [['service'], 'https://d.example.com/app/services/svc_1'],
  [['service', '--service', 'svc_2'], 'https://d.example.com/app/services/svc_2'],
  [['org'], 'https://d.example.com/app/organizations/acme'],
  [['domains'], 'https://d.example.com/app/domains'],
  [['/billing/invoices'], 'https://d.example.com/app/billing/invoices'],
])('svc open %j is %s', async (argv, url) => {
  const { run } = await configured('https://d.example.com/app/');
  const { json } = await run(['open', ...argv, '--json'], { SVC_SERVICE: 'svc_1', SVC_ORG: 'acme' });
  expect(json).toEqual({ schemaVersion: 1, url, opened: false });
  const { stdout } = await run(['open', ...argv], { SVC_SERVICE: 'svc_1', SVC_ORG: 'acme' });
  expect(stdout).toBe(`Open this page: ${url}\n`);
});

test('a dashboard may have other pages', async () => {
  const { run } = await configured('https://d.example.com');
  await run(['config', 'set', 'assume.dashboard.service', '/apps/{id}/overview']);
  expect((await run(['open', 'service'], { SVC_SERVICE: 'svc_1' })).stdout).toContain(
    'https://d.example.com/apps/svc_1/overview',
  );
  const wrong = await run(['config', 'set', 'assume.dashboard.service', 'apps/{id}']);
  expect(wrong).toMatchObject({ exitCode: 2 });
});

test.each([
  [['../admin'], 'is not a page of the dashboard'],
  [['service'], 'This command needs a service.'],
  [['org'], 'No organization is selected.'],
])('svc open %j is refused', async (argv, message) => {
  const { run } = await configured('https://d.example.com/app');
  const { exitCode, stderr } = await run(['open', ...argv]);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test.each([
  'javascript:alert(1)',
  'http://d.example.com',
  'https://ann:pw@d.example.com',
  'https://d.example.com?a=1',
  'x',
])('the dashboard cannot be %s, in the setting or in the file', async (address) => {
  const { configDir, run } = await configured();
  const refused = await run(['config', 'set', 'dashboard', address]);
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringContaining('is not an address that starts with'),
  ]);
  writeFileSync(join(configDir, 'config.json'), JSON.stringify({ dashboard: address }));
  const opened = await run(['open', '--json']);
  expect(opened.exitCode, opened.stdout).toBe(2);
});

test('the setting can be read, listed and removed', async () => {
  const { run } = await configured('https://d.example.com/');
  expect((await run(['config', 'get', 'dashboard'])).stdout).toBe('https://d.example.com\n');
  expect((await run(['config', 'list'])).stdout).toMatch(/dashboard +https:\/\/d\.example\.com +svc config/);
  await run(['config', 'unset', 'dashboard']);
  expect(await run(['config', 'get', 'dashboard'])).toMatchObject({ exitCode: 6 });
});

test.runIf(process.platform === 'linux')('on a terminal with a screen, the page opens in the browser', async () => {
  const { configDir } = await configured('https://d.example.com');
  const folder = await temporaryFolder();
  const browser = join(folder, 'browser');
  writeFileSync(browser, `#!/bin/sh\necho "$@" > ${folder}/opened\n`);
  chmodSync(browser, 0o755);
  const program = await builtProgram();
  const env = { ...TERMINAL_ENV, SVC_CONFIG_DIR: configDir, BROWSER: browser };
  const run = onTerminal(program.command, { args: ['open', 'domains'], env });
  expect(await run.ended()).toBe(0);
  expect(run.output()).toContain('Opening ');
  expect(await untilWritten(join(folder, 'opened'))).toBe('https://d.example.com/domains\n');
});
