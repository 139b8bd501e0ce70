import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { signInOnPage } from '../support/approve.ts';
import { runLine } from '../support/in-sandbox.ts';
import { builtProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/svc.ts';

/** What a sandbox prints when it is ready. */
async function greeting(): Promise<readonly string[]> {
  const [node, script] = (await builtProgram()).command;
  const words = [script, 'sandbox', 'start', '--port', '0', '--interval', '1s'];
  const sandbox = spawn(node, words, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    sandbox.kill('SIGINT');
    await once(sandbox, 'exit');
  });
  let text = '';
  for await (const chunk of sandbox.stdout.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (/^ {2}actions .*\n/m.test(text)) break;
  }
  return text.trimEnd().split('\n');
}

test('what sandbox start prints fits a terminal, and every printed name works with the printed lines', async () => {
  const rows = await greeting();
  // A terminal of 80 columns wraps what a pipe does not.
  const lines = rows.map((row) => Math.max(1, Math.ceil(row.length / 80)));
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(23);

  const pasted = rows.filter((row) => /^ {2}(# )?export /.test(row)).join('\n');
  const { stdout } = await execa('sh', ['-c', `${pasted}\nenv`], { env: {}, extendEnv: false });
  const exported = [...stdout.matchAll(/^(SVC_\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]);
  const home = await temporaryFolder();
  const own = { HOME: home, LANG: 'C.UTF-8', SVC_CONFIG_DIR: `${home}/config`, ...Object.fromEntries(exported) };
  const run = async (line: string) => (await runLine(`svc ${line}`, home, own)).stdout;
  /** The names after a label, without what is said about them. */
  const names = (label: string) => {
    const row = rows.find((one) => one.startsWith(`  ${label} `)) ?? '';
    return row
      .slice(label.length + 2)
      .split(',')
      .map((name) => name.trim().replace(/ .*/, ''));
  };

  const services = [...rows.join('\n').matchAll(/^ {2}(svc_\w+) +[\w-]+(?:: (.*))?$/gm)];
  expect(services).toHaveLength(4);
  for (const [, id, list = ''] of services) {
    expect(await run(`metrics ${id} --json`)).not.toBe('');
    for (const [, one, failed] of list.matchAll(/(dep_\w+)( \(failed\))?/g)) {
      const status = await run(`deployments inspect ${one} --service ${id} --jq .deployment.status`);
      expect(status).toBe(failed ? 'failed' : 'succeeded');
    }
  }
  expect(rows.join('\n')).toContain('+237670000400 fails, network decline declines, others wait');
  const orders = [
    ...names('plans').map((plan) => [plan, '042', 'mtn', plan === 'plan_wp_free' ? 'provisioned' : 'awaiting_payment']),
    ['plan_wp_pro', '400', 'mtn', 'failed'],
    ['plan_wp_pro', '042', 'decline', 'declined'],
  ];
  for (const [plan, phone, network, status] of orders) {
    const payer = `--phone +237670000${phone} --network ${network}`;
    expect(await run(`buy --plan ${plan} ${payer} --yes --jq .status`)).toBe(status);
  }
  expect(names('domains')).toEqual(['kola-studio.example', 'baobab-travel.example']);
  for (const id of names('databases')) expect(await run(`db inspect ${id} --jq .database.id`)).toBe(id);
  for (const action of names('actions')) expect(await run(`wp run ${action} --jq .status`)).toBe('queued');
  const [, login = ''] = /^To try the login page:\n {2}svc (.*)$/m.exec(rows.join('\n')) ?? [];
  expect(await signInOnPage(login.split(' '), { env: { SVC_NO_BROWSER: '1' } })).toMatchObject({ exitCode: 0 });
});
