import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signInOnPage } from '../support/approve.ts';
import { runLine } from '../support/in-sandbox.ts';
import { builtProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/svc.ts';

let sandbox: ChildProcessByStdio<null, Readable, null>;
/** What a sandbox prints when it is ready. */
let rows: readonly string[] = [];
/** The variables that these lines set. */
let exported: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  const [node, script] = (await builtProgram()).command;
  sandbox = spawn(node, [script, 'sandbox', 'start', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  await new Promise<void>((resolve) => {
    sandbox.stdout.on('data', (chunk) => {
      text += chunk;
      if (/^ {2}actions .*\n/m.test(text)) resolve();
    });
  });
  rows = text.trimEnd().split('\n');
  const pasted = rows.filter((row) => /^ {2}(# )?export /.test(row)).join('\n');
  const { stdout } = await execa('sh', ['-c', `${pasted}\nenv`], { env: {}, extendEnv: false });
  exported = Object.fromEntries([...stdout.matchAll(/^(SVC_\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
});
afterAll(async () => {
  sandbox.kill('SIGINT');
  await once(sandbox, 'exit');
});

/** Runs a line with what a shell exports once the printed lines were pasted into it. */
async function runPasted(line: string, env: Readonly<Record<string, string | undefined>> = {}) {
  const home = await temporaryFolder();
  return runLine(line, home, { HOME: home, LANG: 'C.UTF-8', SVC_CONFIG_DIR: `${home}/config`, ...exported, ...env });
}

/** The names after a label, without what is said about them. */
function names(label: string): string[] {
  const start = rows.findIndex((row) => row.startsWith(`  ${label} `));
  const end = rows.findIndex((row, index) => index > start && /^ {2}\S/.test(row));
  const text = rows
    .slice(start, end < 0 ? undefined : end)
    .join(' ')
    .trim()
    .slice(label.length);
  return text.split(',').map((name) => name.trim().replace(/ .*/, ''));
}

test('everything that is printed fits a terminal of 24 rows and 80 columns', () => {
  // A terminal wraps what a pipe does not.
  const lines = rows.map((row) => Math.max(1, Math.ceil(row.length / 80)));
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(23);
});

describe('with the printed lines, every printed name works', () => {
  test('services and their deployments, of which some failed', async () => {
    const services = rows.flatMap((row) => {
      const [, id, list = ''] = /^ {2}(svc_\w+) +[\w-]+(?:: (.*))?$/.exec(row) ?? [];
      return id === undefined ? [] : [{ id, deployments: [...list.matchAll(/(dep_\w+)( \(failed\))?/g)] }];
    });
    expect(services).toHaveLength(4);
    expect(rows.join('\n')).toMatch(/svc_app_3n8v5tzd .*dep_6r1zb3kfxd \(failed\)/);
    for (const { id, deployments } of services) {
      expect((await runPasted(`svc metrics ${id}`)).exitCode).toBe(0);
      for (const [, deployment, failed] of deployments) {
        const line = `svc deployments inspect ${deployment} --service ${id} --jq .deployment.status`;
        expect((await runPasted(line)).stdout).toBe(failed ? 'failed' : 'succeeded');
      }
    }
  });

  test('databases', async () => {
    for (const id of names('databases')) {
      expect((await runPasted(`svc db inspect ${id}`)).exitCode).toBe(0);
      const { all, exitCode } = await runPasted(`svc db connect ${id}`);
      expect(exitCode, all).toBe(0);
      expect(all).toContain('The sandbox has no real database. It would run:');
    }
  });

  test('plans, and payments that fail or wait', async () => {
    const order = (plan: string, phone: string, network: string) =>
      runPasted(`svc buy --plan ${plan} --phone ${phone} --network ${network} --yes --jq .status`);
    for (const plan of names('plans')) {
      const { stdout } = await order(plan, '+237670000042', 'mtn');
      expect(stdout).toBe(plan === 'plan_wp_free' ? 'provisioned' : 'awaiting_payment');
    }
    expect(rows.join('\n')).toContain('+237670000400 fails, network decline declines, others wait');
    expect((await order('plan_wp_pro', '+237670000400', 'mtn')).stdout).toBe('failed');
    expect((await order('plan_wp_pro', '+237670000042', 'decline')).stdout).toBe('declined');
  });

  test('domains, to the end of the move', async () => {
    expect(names('domains')).toEqual(['kola-studio.example', 'baobab-travel.example']);
    const config = { SVC_CONFIG_DIR: await temporaryFolder() };
    for (const domain of names('domains')) {
      const added = await runPasted(`svc domains add ${domain} --import --skip-invalid --yes`, config);
      expect(added.all).toContain(`svc domains status ${domain} --wait`);
      const { all, exitCode } = await runPasted(`svc domains status ${domain} --wait`, config);
      expect(exitCode, all).toBe(0);
    }
  });

  test('actions', async () => {
    for (const action of names('actions').filter((name) => name !== 'demo.slow')) {
      const { exitCode } = await runPasted(`svc wp run ${action} --wait`);
      expect([action, exitCode]).toEqual([action, action === 'fail' ? 9 : 0]);
    }
    expect((await runPasted('svc wp run demo.slow --jq .status')).stdout).toBe('queued');
  });

  test('the dashboard session, instead of the token', async () => {
    expect((await runPasted('svc whoami', { SVC_TOKEN: undefined })).exitCode).toBe(4);
    const session = rows.find((row) => row.includes('SVC_SESSION_TOKEN'))?.replace('# ', '') ?? '';
    const { stdout } = await runPasted(`unset SVC_TOKEN; ${session.trim()}; svc whoami --jq .authMethod`);
    expect(stdout).toBe('session');
  });

  test('the login page', async () => {
    const [, line = ''] = /^To try the login page:\n {2}(.*)$/m.exec(rows.join('\n')) ?? [];
    const [program, ...words] = line.split(' ');
    expect(program).toBe('svc');
    expect(await signInOnPage(words, { env: { SVC_NO_BROWSER: '1' } })).toMatchObject({ exitCode: 0 });
  });
});
