// Measures svc beside plain scripts, curl and gh: its start, lists, and a million points. Prints
// Markdown.
//   --binary <file>   the executable (npm run build:binary), beside the package
//   --short           only the start, for CI: fails if something takes more than twice its bound,
//   twice in a row
// Milliseconds depend on the machine, so programs take turns, and what counts is the ratio to the
// first one of a table in the same round.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { portOf } from './port.mjs';

/** @typedef {{ name: string, command: string[], bound: number | undefined }} Run */
/** @typedef {{ ms: number, peakBytes: number }} Measured */
/** @typedef {[name: string, program: string, ...words: string[]]} Line */

const { values } = parseArgs({
  options: { binary: { type: 'string' }, short: { type: 'boolean', default: false } },
});
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const server = createServer(answer);
await once(server.listen(0, '127.0.0.1'), 'listening');
const base = `http://127.0.0.1:${portOf(server)}`;
// A clean environment: NODE_OPTIONS and NODE_EXTRA_CA_CERTS slow every start of Node.
const env = {
  PATH: process.env['PATH'],
  HOME: folder,
  GH_TOKEN: 'x',
  SVC_TOKEN: 'svc_bench',
  SVC_API_URL: base,
};

const SVC = join(import.meta.dirname, '../bin/svc.cjs');
const log = join(folder, 'log.ndjson');
const get = file(
  'get.cjs',
  "require('node:http').get(process.argv[2], (answer) => answer.pipe(process.stdout));",
);
/** What a user would write instead of a list: `fetch` and a pool. */
const pool = file(
  'pool.mjs',
  `const [base, kind, count] = process.argv.slice(2);
  const ask = async (path, method = 'GET') =>
    (await fetch(base + path, { method, body: method === 'POST' ? '{}' : undefined })).json();
  async function pool(items, act) {
    const queue = items.values();
    await Promise.all(Array.from({ length: 16 }, async () => { for (const item of queue) await act(item); }));
  }
  const ids = Array.from({ length: Number(count) }, (_, index) => 's' + index);
  if (kind === 'reads') await pool(ids, (id) => ask('/v1/databases/' + id));
  if (kind === 'restarts') await pool(ids, (id) => ask('/v1/services/' + id + '/restart', 'POST'));
  let open = [];
  if (kind === 'jobs')
    await pool(ids, async (id) => open.push([id, (await ask('/v1/services/' + id + '/actions', 'POST')).jobId]));
  while (open.length > 0) {
    const left = [];
    await pool(open, async ([id, job]) => {
      if ((await ask('/v1/services/' + id + '/actions/' + job)).status !== 'completed') left.push([id, job]);
    });
    open = left;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }`,
);

const user = `${base}/v1/user`;
const history = `${base}/v1/services/x/metrics/history`;
/** Options of lists, as in a pipeline. */
const MANY = ['--yes', '--json', '--concurrency', '16'];
const restart = ['restart', '--services', list(400), ...MANY];
const metrics = ['metrics', 'x', '--since', '2026-01-01', '--until', '2026-01-13'];
const curl = [
  '-s',
  '--parallel',
  '--parallel-max',
  '16',
  '-o',
  '/dev/null',
  `${base}/v1/databases/s[0-599]`,
];

/**
 * A program is `node`, `svc`, which is the package and the executable, or one that may not be
 * installed.
 */
/** @type {Line[]} */
const STARTS = [
  ['an empty `.cjs`', 'node', file('empty.cjs', '')],
  ['a script of one GET', 'node', get, user],
  ['`svc --version`', 'svc', '--version'],
  ['`svc whoami --json`, one GET', 'svc', 'whoami', '--json'],
  ['`svc whoami`', 'svc', 'whoami'],
  ['`curl`', 'curl', '-s', user],
  ['`gh api`', 'gh', 'api', user],
];
/** @type {Readonly<Record<string, Line[]>>} */
const LONG = {
  '600 reads, 16 at a time': [
    ['a script', 'node', pool, base, 'reads', '600'],
    ['`svc db inspect`', 'svc', 'db', 'inspect', '--databases', list(600), ...MANY],
    ['`curl --parallel`', 'curl', ...curl],
  ],
  '400 restarts, 16 at a time': [
    ['a script', 'node', pool, base, 'restarts', '400'],
    ['`svc restart`', 'svc', ...restart],
    ['`svc restart --log`', 'svc', ...restart, '--log', log],
  ],
  '200 jobs of 0.25 s, 16 requests at a time': [
    ['a script', 'node', pool, base, 'jobs', '200'],
    [
      '`svc wp run --wait`',
      'svc',
      'wp',
      'run',
      'backup',
      '--wait',
      '--services',
      list(200),
      ...MANY,
    ],
  ],
  'a million points, 103 MB': [
    ['a script that copies them', 'node', get, history],
    ['`svc metrics --json`', 'svc', ...metrics, '--json'],
    ['`svc metrics`, drawn', 'svc', ...metrics],
    ['`curl`', 'curl', '-s', history],
  ],
};
/** The ratio that the package and the executable should not exceed. */
/** @type {Readonly<Record<string, readonly [package_: number, executable: number]>>} */
const BOUNDS = {
  '`svc --version`': [1.2, 0.38],
  '`svc whoami --json`, one GET': [2.8, 1.1],
  '`svc whoami`': [3.1, 1.15],
  '`svc wp run --wait`': [2, 2],
};

/** Milliseconds from a request about a job to its answer, and from queueing a job to its end. */
const [JOB_ANSWER_MS, JOB_MS] = [20, 250];
/** @type {Map<string, number>} */
const queuedAt = new Map();
/** @type {Buffer[]} */
const points = values.short ? [] : [...millionPoints()];

try {
  const slow = await measured('one command', STARTS, 20);
  // Measured again, since the machine may have been busy.
  if (values.short && slow.length > 0 && (await measured('again', STARTS, 30)).length > 0)
    process.exitCode = 1;
  if (!values.short)
    for (const [title, lines] of Object.entries(LONG)) await measured(title, lines, 5);
} finally {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string} name @param {string} text */
function file(name, text) {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** @param {number} count */
function list(count) {
  return file(
    `list-${count}.txt`,
    Array.from({ length: count }, (_, index) => `s${index}`).join('\n'),
  );
}

/**
 * Runs each in turn, again and again, so that whatever else the machine does weighs on all alike;
 * the first round only warms up. Prints the table, and returns what takes more than twice its
 * bound.
 * @param {string} title @param {readonly Line[]} lines @param {number} rounds
 */
async function measured(title, lines, rounds) {
  const all = lines
    .flatMap(runsOf)
    .map((run) => ({ ...run, results: /** @type {Measured[]} */ ([]) }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { results, ...run } of all) {
      const result = await measure(run);
      if (round > 0) results.push(result);
    }
  }
  console.log(`| ${title} | × | Bound | ms | Peak MB |\n| --- | ---: | ---: | ---: | ---: |`);
  const slow = all.filter(({ name, bound, results }) => {
    const ratio = median(
      results.map(({ ms }, round) => ms / (all[0]?.results[round]?.ms ?? Number.NaN)),
    );
    const ms = median(results.map((result) => result.ms));
    const peak = Math.max(...results.map(({ peakBytes }) => peakBytes)) / 1e6;
    const most = bound === undefined ? '' : `≤ ${bound}`;
    console.log(
      `| ${name} | ${ratio.toFixed(2)} | ${most} | ${ms.toFixed(0)} | ${peak.toFixed(0)} |`,
    );
    return ratio > 2 * (bound ?? Infinity);
  });
  console.log(slow.map(({ name }) => `\nMore than twice its bound: ${name}`).join(''));
  return slow;
}

/** @param {Line} line @returns {Run[]} */
function runsOf([name, program, ...words]) {
  const [bound, boundOfExecutable] = BOUNDS[name] ?? [];
  if (program === 'svc') {
    const ofPackage = { name, command: [process.execPath, SVC, ...words], bound };
    if (values.binary === undefined) return [ofPackage];
    return [
      ofPackage,
      { name: `${name}, executable`, command: [values.binary, ...words], bound: boundOfExecutable },
    ];
  }
  if (program === 'node') return [{ name, command: [process.execPath, ...words], bound }];
  const isInstalled = spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
  return isInstalled ? [{ name, command: [program, ...words], bound }] : [];
}

/**
 * Runs a program to its end, and looks at its memory where the system tells it (Linux). @param
 * {Run} run
 */
async function measure({ name, command: [program = '', ...words] }) {
  rmSync(log, { force: true });
  const startedAt = performance.now();
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.resume();
  let peakBytes = 0;
  const look = setInterval(() => {
    peakBytes = Math.max(peakBytes, peakSoFar(child.pid));
  }, 10);
  const [exitCode] = await once(child, 'close');
  clearInterval(look);
  if (exitCode !== 0) throw new Error(`${name} ended with exit code ${exitCode}.`);
  return { ms: performance.now() - startedAt, peakBytes };
}

/** @param {number | undefined} pid */
function peakSoFar(pid) {
  try {
    return (
      Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
    );
  } catch {
    return 0;
  }
}

/** @param {number[]} numbers */
function median(numbers) {
  return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

/**
 * @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse}
 * response
 */
async function answer({ method, url = '' }, response) {
  response.setHeader('content-type', 'application/json');
  const pieces = url.includes('/metrics/') ? points : [JSON.stringify(await bodyOf(method, url))];
  for (const piece of pieces) {
    if (!response.write(piece)) await once(response, 'drain');
  }
  response.end();
}

/** @param {string | undefined} method @param {string} url */
async function bodyOf(method, url) {
  const [, , kind, id = '', action, job = `job_${id}_${queuedAt.size}`] = url.split('/');
  if (kind === 'databases') return { database: { id, engine: 'postgresql' } };
  if (action === 'restart') return { success: true };
  if (action !== 'actions')
    return { user: { id: 'usr_1', email: 'amina@example.com' }, authMethod: 'api_token' };
  await setTimeout(JOB_ANSWER_MS);
  if (method === 'POST') queuedAt.set(job, Date.now());
  const isDone = Date.now() - (queuedAt.get(job) ?? 0) >= JOB_MS;
  return { jobId: job, status: isDone ? 'completed' : 'running', action: 'backup' };
}

function* millionPoints() {
  const [count, atATime, firstMs] = [1_000_000, 1_000, Date.UTC(2026, 0, 1)];
  for (let first = 0; first < count; first += atATime) {
    const some = Array.from({ length: atATime }, (_, index) => {
      const time = new Date(firstMs + (first + index) * 1000).toISOString();
      const cpu = (50 + 40 * Math.sin((first + index) / 5_000)).toFixed(4).padStart(7, '1');
      return `{"time":"${time}","cpuPercent":${cpu},"memoryBytes":${400_000_000 + index},"requestsPerMin":${1_000 + index}}`;
    });
    yield Buffer.from(`${first === 0 ? '{"points":[' : ','}${some.join(',')}`);
  }
  yield Buffer.from(']}');
}
