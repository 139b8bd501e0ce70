// Measures how fast svc starts and reads large answers, compared with well-known tools. Prints Markdown.
//   --node <path>      another Node, any number of times
//   --binary <path>    the executable (npm run build:binary), beside the package
//   --rounds <number>  default: 40
//   --short            for CI: starts only; fails if one takes more than twice its target, twice in a row
//   --record           also writes the tables into docs/performance.md

import { execFileSync, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { largeAnswers } from './bench/large-answers.mjs';
import { lists } from './bench/lists.mjs';
import { liveView } from './bench/live.mjs';
import { machine, record, sizes } from './bench/record.mjs';
import { runs } from './bench/runs.mjs';
import { measureStarts, startTable } from './bench/starts.mjs';

const { values } = parseArgs({
  options: {
    node: { type: 'string', multiple: true, default: [] },
    binary: { type: 'string' },
    rounds: { type: 'string' },
    short: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds ?? (values.short ? 10 : 40));

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'));
const service = fork(join(root, 'scripts/bench/server.mjs'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });

try {
  const port = await new Promise((resolve) => service.once('message', resolve));
  // A clean environment: NODE_OPTIONS and NODE_EXTRA_CA_CERTS slow every Node.
  const address = `http://127.0.0.1:${port}`;
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, SVC_TOKEN: 'svc_bench', SVC_API_URL: address };
  const bench = { root, folder, env, binary: values.binary, rounds };
  await (values.short ? short(bench) : long(bench));
} finally {
  service.kill();
  rmSync(folder, { recursive: true, force: true });
}

/** @param {Omit<import('./bench/starts.mjs').Bench, 'node'>} bench */
async function long(bench) {
  const starts = [];
  for (const node of [process.execPath, ...values.node]) {
    console.error(`measuring the start on ${versionOf(node)} ...`);
    starts.push(await measureStarts({ ...bench, node }));
  }
  console.error('measuring large answers ...');
  const large = await largeAnswers(bench);
  console.error('measuring lists and the live view ...');
  const parts = [
    machine(rounds),
    startTable(starts),
    large,
    await lists(bench),
    await runs(bench),
    await liveView(bench),
    sizes(root, bench.binary),
  ];
  const text = parts.join('\n\n');
  console.log(text);
  if (values.record) record(join(root, 'docs/performance.md'), text);
}

/**
 * Measures slow starts again, since the machine may have been busy.
 * @param {Omit<import('./bench/starts.mjs').Bench, 'node'>} bench
 */
async function short(bench) {
  const first = await measureStarts({ ...bench, node: process.execPath });
  console.log(startTable([first]));
  const slow = farOff(first);
  if (slow.length === 0) return;
  console.log(`\nMore than twice the target, so measured again: ${slow.join(', ')}\n`);
  const second = await measureStarts({ ...bench, node: process.execPath, rounds: 3 * rounds });
  console.log(startTable([second]));
  const again = farOff(second).filter((name) => slow.includes(name));
  if (again.length === 0) return;
  console.log(`\nMore than twice the target, twice: ${again.join(', ')}`);
  process.exitCode = 1;
}

/** @param {import('./bench/starts.mjs').Starts} starts */
function farOff({ rows }) {
  return rows.filter(({ ratio, target }) => target !== undefined && ratio > 2 * target).map(({ name }) => name);
}

/** @param {string} node */
function versionOf(node) {
  return execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
}
