import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { signInOnPage } from '../support/approve.ts';
import { runLine } from '../support/in-sandbox.ts';
import { builtProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/svc.ts';

test('what sandbox start prints fits a terminal, can be pasted, and tells how to sign in', async () => {
  const [node, script] = (await builtProgram()).command;
  const sandbox = spawn(node, [script, 'sandbox', 'start', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    sandbox.kill('SIGINT');
    await once(sandbox, 'exit');
  });
  let text = '';
  for await (const chunk of sandbox.stdout.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (/^ {2}actions .*\n/m.test(text)) break;
  }
  // A terminal of 80 columns and 24 rows wraps what a pipe does not.
  const rows = text.trimEnd().split('\n');
  const heights = rows.map((row) => Math.max(1, Math.ceil(row.length / 80)));
  expect(heights.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(23);

  const exports = rows.filter((row) => /^ {2}(# )?export /.test(row));
  const used = [
    'svc deployments inspect dep_9m4kx7q2tz --jq .deployment.status',
    'svc db inspect db_pg_5t9w2kqe --json',
  ];
  for (const id of used.map((line) => line.split(' ')[3])) expect(text).toContain(id);
  const home = await temporaryFolder();
  const { exitCode, all } = await runLine([...exports, ...used].join('\n'), home, { HOME: home });
  expect([exitCode, all]).toEqual([0, expect.stringMatching(/^succeeded\n\{.*\}$/)]);
  const [, login = ''] = /^To try the login page:\n {2}svc (.*)$/m.exec(text) ?? [];
  expect(await signInOnPage(login.split(' '), { env: { SVC_NO_BROWSER: '1' } })).toMatchObject({
    exitCode: 0,
  });
});
