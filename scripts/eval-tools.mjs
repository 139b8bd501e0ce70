// Plays twelve tasks with the tools of `svc mcp` against the sandbox, by plans that a model could follow, and counts calls and
// tokens. Fails if a task cannot be done, or costs more than its budget. Writes the table into docs/agents.md.
//   npm run eval:tools               prints it, too
//   npm run eval:tools -- --check    writes nothing
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = join(root, 'bin/svc.cjs');

/** @typedef {{ isError: boolean, data: Record<string, any>, notes: string }} Answer */
/** @typedef {(tool: string, args?: object) => Promise<Answer>} Call */
/** @typedef {{ task: string, budget: number, plan: (call: Call) => Promise<unknown> }} Task */

const [BLOG, SHOP, FARES] = ['svc_wp_7k2m9qx4', 'svc_app_3n8v5tzd', 'svc_app_2c7p9xlm'];
const MOVE = { domain: 'kola-studio.example', nameserver: ['ns1.sandbox-dns.example'] };

/**
 * Each plan returns what it found out, which is false if the tools did not tell. Budgets are tokens of calls and answers.
 * @type {readonly Task[]}
 */
const TASKS = [
  {
    task: 'Which of three services is not healthy, and since when?',
    budget: 1_000,
    async plan(call) {
      const last = [];
      for (const service of [BLOG, SHOP, FARES]) {
        const { data } = await call('metrics', { service, series: 'cpu,requests' });
        last.push({ service, cpu: data['series'][0].max });
      }
      const [idle] = last.filter(({ cpu }) => cpu === 0);
      const { data } = await call('deployments_inspect', { service: idle?.service, deployment: 'dep_4c7wq9pmhv' });
      return idle?.service === FARES && data['deployment'].status === 'failed' && data['deployment'].finishedAt;
    },
  },
  {
    task: 'Flush the cache of the site, and be sure that it is done',
    budget: 200,
    async plan(call) {
      const { isError, data } = await call('wp_run', { service: BLOG, action: 'cache.flush', wait: true });
      return !isError && data['status'];
    },
  },
  {
    task: 'Is this deployment live?',
    budget: 100,
    async plan(call) {
      const { data } = await call('deployments_inspect', {
        service: BLOG,
        deployment: 'dep_9m4kx7q2tz',
        jq: '.isLive',
      });
      return data['result'] === true;
    },
  },
  {
    task: 'Why did this deployment fail?',
    budget: 150,
    async plan(call) {
      const asked = { service: SHOP, deployment: 'dep_6r1zb3kfxd', jq: '.deployment.failure' };
      return (await call('deployments_inspect', asked)).data['result'].message;
    },
  },
  {
    task: 'Who pays the renewals?',
    budget: 80,
    async plan(call) {
      const { data } = await call('billing_autopay');
      return data['enabled'] && data['phoneMasked'];
    },
  },
  {
    task: 'How many days does the token still work?',
    budget: 60,
    async plan(call) {
      return (await call('status', { jq: '.token.daysLeft' })).data['result'] > 80;
    },
  },
  {
    task: 'Which records of the domain cannot be moved?',
    budget: 600,
    async plan(call) {
      return (await call('domains_import', { domain: 'baobab-travel.example' })).notes.includes('CAA');
    },
  },
  {
    task: 'How far is the move of the domain?',
    budget: 150,
    async plan(call) {
      return (
        (await call('domains_status', { ...MOVE, jq: '{verdict, message}' })).data['result'].verdict === 'not_started'
      );
    },
  },
  {
    task: 'Order a plan: refused without a person, with the line for them',
    budget: 200,
    async plan(call) {
      const { isError, data } = await call('buy', { plan: 'plan_wp_pro', network: 'mtn', phone: '+237670000042' });
      return isError && data['nextBy'] === 'person' && data['next'][0];
    },
  },
  {
    task: 'Which engine has the database? Without its password',
    budget: 250,
    async plan(call) {
      const { data } = await call('db_inspect', { database: 'db_pg_5t9w2kqe' });
      return data['password'] === '********' && data['database'].engine;
    },
  },
  {
    task: 'The 95th percentile of CPU in the last week',
    budget: 200,
    async plan(call) {
      return (await call('metrics', { service: BLOG, since: '7d', series: 'cpu' })).data['series'][0].p95;
    },
  },
  {
    task: 'Which of two services answers faster?',
    budget: 400,
    async plan(call) {
      const averages = [];
      for (const service of [BLOG, SHOP]) {
        const { data } = await call('metrics', { service, series: 'responseTimeMs' });
        averages.push(data['series'][0].avg);
      }
      return (averages[0] ?? 0) > (averages[1] ?? 0);
    },
  },
];

const server = spawn(process.execPath, [program, 'sandbox', 'exec', '--', 'svc', 'mcp', '--allow', 'wp,buy'], {
  stdio: ['pipe', 'pipe', 'inherit'],
  env: { ...process.env, SVC_AGENT: '0' },
});
/** @type {Map<number, (message: any) => void>} */
const waiting = new Map();
createInterface({ input: server.stdout }).on('line', (line) => {
  const message = JSON.parse(line);
  waiting.get(message.id)?.(message);
});
let id = 0;
/** @param {string} method @param {object} params @returns {Promise<any>} */
const ask = (method, params) =>
  new Promise((resolve) => {
    id += 1;
    waiting.set(id, resolve);
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  });
const tokensIn = (/** @type {unknown} */ value) => encode(JSON.stringify(value)).length;

const clientInfo = { name: 'eval-tools', version: '1.0.0' };
await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
const { result: list } = await ask('tools/list', {});
// The first answer of a session also says whose account it is from.
await ask('tools/call', { name: 'whoami', arguments: {} });

const rows = [];
for (const { task, budget, plan } of TASKS) {
  let [calls, tokens] = [0, 0];
  const found = await plan(async (name, args = {}) => {
    const { result, error } = await ask('tools/call', { name, arguments: args });
    if (error !== undefined) throw new Error(`${task}: ${JSON.stringify(error)}`);
    const [, ...notes] = result.content.map((/** @type {{ text: string }} */ { text }) => text);
    calls += 1;
    tokens +=
      tokensIn({ name, arguments: args }) + tokensIn(result.structuredContent) + encode(notes.join('\n')).length;
    return { isError: result.isError ?? false, data: result.structuredContent, notes: notes.join('\n') };
  });
  if (!found) console.error(`${task} The tools did not tell.`);
  if (tokens > budget) console.error(`${task} It cost ${tokens} tokens, and ${budget} are its budget.`);
  if (!found || tokens > budget) process.exitCode = 1;
  // Ids and values differ from run to run, and with them the count.
  rows.push(`| ${task} | ${calls} | ${Math.ceil(tokens / 10) * 10} |`);
}
server.stdin.end();
await once(server, 'exit');

const table = ['| Task | Calls | Tokens, up to |', '| --- | ---: | ---: |', ...rows].join('\n');
console.log(`${table}\n\nThe list of tools has ${tokensIn(list.tools)} tokens.`);
const page = join(root, 'docs/agents.md');
const before = readFileSync(page, 'utf8');
const [START, END] = ['<!-- tasks -->', '<!-- /tasks -->'];
const [from, to] = [before.indexOf(START), before.indexOf(END)];
if (from < 0 || to < from) throw new Error(`docs/agents.md has no part between ${START} and ${END}`);
if (!process.argv.includes('--check')) {
  writeFileSync(page, `${before.slice(0, from)}${START}\n${table}\n${before.slice(to)}`);
}
