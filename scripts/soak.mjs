// Runs the tests behind docs/reliability.md in full, and prints one line for each figure. Fails on
// any loss. As root, since some mount a small disk and fill it.
//   npm run test:soak              all of them: a quarter of an hour on two idle cores
//   npm run test:soak -- signals   those with the word in their name

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A figure, the least number of its tries, what the soak multiplies the tries of a test by, its
 * tests below test/, and the part of their titles that selects them. The longest come first, which
 * keeps both lanes busy.
 * @type {Array<[name: string, goal: number, times: number, files: string, only?: string]>}
 */
const FIGURES = [
  ['Hostile answers', 100_000, 112, 'trust/responses'],
  ['Verdicts', 100_000, 3, 'trust/any-field'],
  ['Keys', 500, 1, 'e2e/consent'],
  ['Purchases killed', 500, 7, 'e2e/buy-kill'],
  ['Purchases killed before printing', 100, 1, 'e2e/buy-between'],
  ['Purchases of several accounts', 1_000, 7, 'e2e/buy-accounts'],
  ['Signals', 600, 50, 'trust/signals'],
  ['Faulted requests', 5_000, 12, 'trust/faulted'],
  ['Jobs killed or stopped', 300, 1, 'batch/jobs-killed'],
  ['Two svc on one log', 300, 1, 'batch/shared-log'],
  ['Purchases under fault', 2_000, 10, 'commands/buy/faults'],
  ['Doubt under another name', 1_000, 1, 'trust/doubt'],
  ['Odd inputs', 200_000, 10, 'cli/values dns/records dns/scanned dns/zone-read dns/zone-write'],
  ['Properties', 50_000, 1, 'cli dns/message terminal metrics contract sign-in/poll-life'],
  ['Concurrent writers', 4_000, 48, 'sign-in/processes', 'processes at once'],
  ['Kill -9 on the credentials', 1_000, 5, 'sign-in/processes', 'kill -9'],
  ['Pipes', 100, 17, 'trust/pipes'],
  ['Full disk', 137, 1, 'sign-in/space'],
  ['Secret canaries', 1_000, 1, 'trust/canaries'],
  ['Files of others', 19, 1, 'trust/files-of-others'],
  ['Complete moves', 300, 1, 'dns/complete-move'],
  ['Sandbox attacks', 150, 1, 'sandbox/guard'],
  ['Regular expressions', 100, 1, 'regexps'],
];
/** How many figures are measured at a time. */
const LANES = 2;
const TEST_TIMEOUT_MS = 900_000;

const root = join(import.meta.dirname, '..');
const words = process.argv.slice(2).map((word) => word.toLowerCase());
const queue = FIGURES.filter(([name]) => words.every((word) => name.toLowerCase().includes(word)));
if (queue.length === 0) process.exitCode = 2;
const folder = mkdtempSync(join(tmpdir(), 'svc-soak-'));
try {
  await Promise.all(Array.from({ length: LANES }, lane));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function lane() {
  for (let figure = queue.shift(); figure !== undefined; figure = queue.shift())
    await measure(figure);
}

/**
 * Runs the tests of a figure, and counts the tries that they report.
 * @param {typeof FIGURES[number]} figure
 */
async function measure([name, goal, times, files, only]) {
  const file = join(folder, name);
  const args = ['run', '--project', 'svc', '--reporter=dot', `--testTimeout=${TEST_TIMEOUT_MS}`];
  const paths = files.split(' ').map((path) => `test/${path}`);
  const startedAt = performance.now();
  const child = spawn(
    join(root, 'node_modules/.bin/vitest'),
    [...args, ...(only ? ['-t', only] : []), ...paths],
    {
      cwd: root,
      env: { ...process.env, SVC_SOAK: String(times), SVC_FIGURES: file, FORCE_COLOR: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  const exitCode = await new Promise((resolve) => child.on('close', resolve));
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  /** @type {Array<{ name: string, count: number, note?: string }>} */
  const reports = lines.map((line) => JSON.parse(line));
  const own = reports.filter((report) => report.name === name);
  // The tests of some figures are properties, which report their tries.
  const tried = own.length > 0 ? own : reports.filter((report) => report.name === 'tries');
  const count = tried.reduce((sum, report) => sum + report.count, 0);
  const isHeld = exitCode === 0 && count >= goal;
  const verdict = isHeld ? 'none lost' : `LOST, OR LESS THAN ${goal}`;
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const notes = [...new Set(own.map(({ note }) => note).filter(Boolean))].join('; ');
  console.log(
    `${name.padEnd(30)} ${count.toLocaleString('en-US').padStart(9)}  ${verdict}  ${seconds} s  ${notes}`,
  );
  if (isHeld) return;
  console.log(output.trimEnd().split('\n').slice(-60).join('\n'));
  process.exitCode = 1;
}
