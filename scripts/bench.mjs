// Measures how quickly svc starts and how it takes large answers, beside the tools that people know.
// `npm run bench` prints the tables of docs/performance.md and saves nothing. With `--short`, for CI, it measures less
// and fails where something takes more than twice its target. More Nodes: `--node <path>`, any number of times.

import { execFileSync, fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { interleaved, median } from './bench/measure.mjs';

const { values } = parseArgs({
  options: { node: { type: 'string', multiple: true }, short: { type: 'boolean' }, rounds: { type: 'string' } },
});
const nodes = [process.execPath, ...(values.node ?? [])];
const rounds = Number(values.rounds ?? (values.short ? 10 : 40));

const root = fileURLToPath(new URL('..', import.meta.url));
const SVC = join(root, 'bin/svc.cjs');
const GET = "require('node:http').get(process.argv[2], (answer) => answer.pipe(process.stdout));";
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const service = fork(join(root, 'scripts/bench/server.mjs'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
/** A service that hangs up as soon as somebody comes: the request would be sent now. */
const door = createServer((socket) => socket.destroy());

try {
  const port = await new Promise((resolve) => service.once('message', resolve));
  await new Promise((resolve) => door.listen(0, '127.0.0.1', resolve));
  console.log(`${rounds} rounds, medians; ${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores\n`);
  const missed = [];
  for (const node of nodes) missed.push(...(await startUp(node, port)));
  if (!values.short) await largeAnswers(port);
  if (missed.length > 0) {
    console.log(`\nMore than twice the target: ${missed.join(', ')}`);
    process.exitCode = values.short ? 1 : 0;
  }
} finally {
  service.kill();
  door.close();
  rmSync(folder, { recursive: true, force: true });
}

/** The table of one Node; answers what takes more than twice its target. */
async function startUp(node, port) {
  const env = { PATH: process.env.PATH, HOME: folder, SVC_TOKEN: 'svc_bench', SVC_API_URL: `http://127.0.0.1:${port}` };
  const url = `${env.SVC_API_URL}/v1/user`;
  const svc = (...words) => ({ command: [node, SVC, ...words], env, exitCode: 0 });
  const runs = [
    { name: 'an empty `.cjs`', command: [node, file('empty.cjs', '')], env },
    { name: 'one GET with `node:http` and nothing else', command: [node, file('get.cjs', GET), url], env },
    { name: '`svc --version`', target: 1.1, ...svc('--version') },
    { name: '`svc --help`', target: 1.1, ...svc('--help') },
    {
      name: '`svc restart`, until it connects',
      target: 1.5,
      ...untilItConnects(svc('restart', 'x', '--no-retry'), env),
    },
    { name: '`svc whoami --json`', target: 1.8, ...svc('whoami', '--json') },
    { name: '`svc whoami`', target: 2, ...svc('whoami') },
    ...installed('curl', ['-s', url], env),
    ...installed('gh', ['--version'], env),
    ...installed('hcloud', ['version'], env),
  ];
  const results = await interleaved(runs, rounds);
  const middle = (name) => median(results.get(name).map(({ ms }) => ms));
  const base = middle(runs[0].name);
  console.log(`| Node ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()} | ms | × | target |`);
  console.log('|---|---|---|---|');
  for (const { name, target } of runs) {
    const ratio = (middle(name) / base).toFixed(2);
    console.log(`| ${name} | ${middle(name).toFixed(1)} | ${ratio} | ${target === undefined ? '' : `≤ ${target}`} |`);
  }
  console.log();
  return runs.filter(({ name, target }) => middle(name) / base > 2 * target).map(({ name }) => name);
}

function untilItConnects(run, env) {
  return {
    ...run,
    exitCode: undefined,
    env: { ...env, SVC_API_URL: `http://127.0.0.1:${door.address().port}` },
    until: () => new Promise((resolve) => door.once('connection', resolve)),
  };
}

/** A million points, 103 MB: passed on, and drawn. */
async function largeAnswers(port) {
  const env = { PATH: process.env.PATH, HOME: folder, SVC_TOKEN: 'svc_bench', SVC_API_URL: `http://127.0.0.1:${port}` };
  const url = `${env.SVC_API_URL}/v1/services/x/metrics/history`;
  const svc = (...words) => ({
    command: [process.execPath, SVC, 'metrics', 'x', '--history', ...words],
    env,
    exitCode: 0,
  });
  const results = await interleaved(
    [
      ...installed('curl', ['-s', url], env),
      { name: '`svc metrics --history --json` into a pipe', ...svc('--json') },
      { name: '`svc metrics --history`, drawn', ...svc() },
    ],
    5,
  );
  console.log('| A million points | s | peak MB | output MB |\n|---|---|---|---|');
  for (const [name, runs] of results) {
    const middle = (field, unit) => (median(runs.map((run) => run[field])) / unit).toFixed(2);
    console.log(`| ${name} | ${middle('ms', 1e3)} | ${middle('peakBytes', 1e6)} | ${middle('bytes', 1e6)} |`);
  }
}

/** A tool to compare with, where the machine has it. */
function installed(program, words, env) {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
  } catch {
    return [];
  }
  return [{ name: `\`${program} ${words[0]}\``, command: [program, ...words], env }];
}

function file(name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
