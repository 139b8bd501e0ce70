import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtProgram } from '../support/program.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { untilWritten } from '../support/until.ts';
import { onTerminal, TERMINAL_ENV } from '../terminal/script.ts';

/** A configuration, and what runs a command line with it. */
async function configured(settings: object) {
  const configDir = await temporaryFolder();
  writeFileSync(join(configDir, 'config.json'), JSON.stringify(settings));
  const run = (line: string, env = {}) => svc(line.split(' '), { configDir, env });
  return { configDir, run };
}

const D = 'https://d.example.com';

test.each([
  ['open', `${D}/app/`, ''],
  ['open service', `${D}/app/services/svc_1`, ''],
  ['open service --service svc_2', `${D}/app/services/svc_2`, ''],
  ['open service', `${D}/app/apps/svc_1/overview`, '/apps/{id}/overview'],
  ['open org', `${D}/app/organizations/acme`, ''],
  ['open domains', `${D}/app/domains`, ''],
  ['open /billing/invoices', `${D}/app/billing/invoices`, ''],
])('svc %s is %s', async (line, url, page) => {
  const { run } = await configured({ dashboard: `${D}/app/`, assume: { 'dashboard.service': page } });
  const env = { SVC_SERVICE: 'svc_1', SVC_ORG: 'acme' };
  expect((await run(`${line} --json`, env)).json).toEqual({ schemaVersion: 1, url, opened: false });
  expect((await run(line, env)).stdout).toBe(`Open this page: ${url}\n`);
});

test.each([
  [{}, 'open', 'svc does not know the address of the dashboard.\n  To set it: svc config set dashboard <url>\n'],
  [{ dashboard: `${D}/app` }, 'open ../admin', 'is not a page of the dashboard'],
  [{ dashboard: D }, 'open service', 'This command needs a service.'],
  [{ dashboard: D }, 'open org', 'No organization is selected.'],
  [{ dashboard: D }, 'config set assume.dashboard.service apps/{id}', 'is not a path'],
])('with %j svc %s is refused', async (settings, line, said) => {
  const { run } = await configured(settings);
  expect(await run(line)).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(said) });
});

test.each(['javascript:alert(1)', 'http://d.example.com', 'https://ann:pw@d.example.com', `${D}?a=1`, 'x'])(
  'the dashboard cannot be %s, in the setting or in the file',
  async (dashboard) => {
    const { run } = await configured({ dashboard });
    const stderr = expect.stringContaining('is not an address that starts with');
    expect(await run(`config set dashboard ${dashboard}`)).toMatchObject({ exitCode: 2, stderr });
    expect((await run('open --json')).exitCode).toBe(2);
  },
);

test('its setting can be set, read and removed', async () => {
  const { run } = await configured({});
  await run(`config set dashboard ${D}/`);
  expect((await run('config get dashboard')).stdout).toBe(`${D}\n`);
  await run('config unset dashboard');
  expect(await run('config get dashboard')).toMatchObject({ exitCode: 6 });
});

test.runIf(process.platform === 'linux')('on a terminal, the page opens in a browser without the token', async () => {
  const { configDir } = await configured({ dashboard: D });
  const folder = await temporaryFolder();
  const browser = join(folder, 'browser');
  writeFileSync(browser, `#!/bin/sh\necho "$SVC_TOKEN$@" > ${folder}/opened\n`);
  chmodSync(browser, 0o755);
  const program = await builtProgram();
  const env = { ...TERMINAL_ENV, SVC_CONFIG_DIR: configDir, SVC_TOKEN: 'svc_x', BROWSER: browser };
  const run = onTerminal(program.command, { args: ['open', 'domains'], env });
  expect(await run.ended()).toBe(0);
  expect(run.output()).toContain('Opening ');
  expect(await untilWritten(join(folder, 'opened'))).toBe(`${D}/domains\n`);
});
