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
  sandbox = spawn(node, [script, 'sandbox', 'start', '--port', '0', '--interval', '1s'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
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
    for (const { id, deployments } of services) {
      expect((await runPasted(`svc metrics ${id}`)).exitCode).toBe(0);
      for (const [, deployment, failed] of deployments) {
        const line = `svc deployments inspect ${deployment} --service ${id} --jq .deployment.status`;
        expect((await runPasted(line)).stdout).toBe(failed ? 'failed' : 'succeeded');
      }
    }
  });

  test('plans, and payments that fail or wait', async () => {
    expect(rows.join('\n')).toContain('+237670000400 fails, network decline declines, others wait');
    const usual = names('plans').map((plan) => [
      plan,
      '42',
      'mtn',
      plan === 'plan_wp_free' ? 'provisioned' : 'awaiting_payment',
    ]);
    for (const [plan, phone, network, status] of [
      ...usual,
      ['plan_wp_pro', '400', 'mtn', 'failed'],
      ['plan_wp_pro', '42', 'decline', 'declined'],
    ]) {
      const line = `svc buy --plan ${plan} --phone +237670000${phone?.padStart(3, '0')} --network ${network} --yes --jq .status`;
      expect((await runPasted(line)).stdout).toBe(status);
    }
  });

  test('domains, databases and actions', async () => {
    expect(names('domains')).toEqual(['kola-studio.example', 'baobab-travel.example']);
    const lines = [
      ...names('databases').map((id) => [`db inspect ${id} --jq .database.id`, id]),
      ...names('actions').map((action) => [`wp run ${action} --jq .status`, 'queued']),
    ];
    for (const [line, said] of lines) expect((await runPasted(`svc ${line}`)).stdout).toBe(said);
    const { all } = await runPasted(`svc db connect ${names('databases')[0]}`);
    expect(all).toContain('The sandbox has no real database. It would run:');
  });

  test('the login page', async () => {
    const [, line = ''] = /^To try the login page:\n {2}svc (.*)$/m.exec(rows.join('\n')) ?? [];
    expect(await signInOnPage(line.split(' '), { env: { SVC_NO_BROWSER: '1' } })).toMatchObject({ exitCode: 0 });
  });
});
