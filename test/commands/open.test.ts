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
  ['open', '', ''],
  ['open service', 'services/svc_1', ''],
  ['open service --service svc_2', 'apps/svc_2/overview', '/apps/{id}/overview'],
  ['open org', 'organizations/acme', ''],
  ['open /billing/invoices', 'billing/invoices', ''],
])('svc %s is the page /%s', async (line, path, page) => {
  const { run } = await configured({
    dashboard: `${D}/app/`,
    assume: { 'dashboard.service': page },
  });
  const { json } = await run(`${line} --json`, { SVC_SERVICE: 'svc_1', SVC_ORG: 'acme' });
  expect(json).toEqual({ schemaVersion: 1, url: `${D}/app/${path}`, opened: false });
});

test.each([
  [{}, 'open', 'svc config set dashboard <url>'],
  [{ dashboard: `${D}/app` }, 'open ../admin', 'is not a page of the dashboard'],
  [{ dashboard: D }, 'open org', 'No organization is selected.'],
])('with %j svc %s is refused', async (settings, line, said) => {
  const { run } = await configured(settings);
  expect(await run(line)).toMatchObject({
    exitCode: 2,
    stdout: '',
    stderr: expect.stringContaining(said),
  });
});

test.each([
  'javascript:alert(1)',
  'http://d.example.com',
  'https://ann:pw@d.example.com',
  `${D}?a=1`,
])('the dashboard cannot be %s, in the setting or in the file', async (dashboard) => {
  const { run } = await configured({ dashboard });
  expect((await run(`config set dashboard ${dashboard}`)).exitCode).toBe(2);
  expect((await run('open --json')).exitCode).toBe(2);
});

test.runIf(process.platform === 'linux')(
  'on a terminal, the page opens in a browser without the token',
  async () => {
    const { configDir } = await configured({ dashboard: D });
    const browser = join(configDir, 'browser');
    writeFileSync(browser, `#!/bin/sh\necho "$SVC_TOKEN$@" > ${configDir}/opened\n`);
    chmodSync(browser, 0o755);
    const env = {
      ...TERMINAL_ENV,
      SVC_CONFIG_DIR: configDir,
      SVC_TOKEN: 'svc_x',
      BROWSER: browser,
    };
    const run = onTerminal((await builtProgram()).command, { args: ['open', 'domains'], env });
    expect(await run.ended()).toBe(0);
    expect(await untilWritten(join(configDir, 'opened'))).toBe(`${D}/domains\n`);
  },
);
