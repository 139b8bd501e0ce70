// Runs the tests behind docs/reliability.md in full, and prints one line for each figure. Fails on any loss.
//   npm run test:soak                 all of them: about ten minutes on two idle cores
//   npm run test:soak -- Signals      those with the word in their name
//   npm run test:soak -- --record     also writes those that hold into docs/reliability.md

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FIGURES, withFigures } from './figures.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const record = process.argv.includes('--record');
const chosen = FIGURES.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word.toLowerCase())));

/** @typedef {import('./figures.mjs').Figure} Figure */
/** @typedef {Awaited<ReturnType<typeof measure>>} Result */

/** How many figures are measured at a time. */
const LANES = 2;
const TEST_TIMEOUT_MS = 900_000;

const folder = mkdtempSync(join(tmpdir(), 'svc-soak-'));
try {
  const startedAt = performance.now();
  const queue = [...chosen];
  /** @type {Result[]} */
  const measured = [];
  const lane = async () => {
    for (let figure = queue.shift(); figure !== undefined; figure = queue.shift()) {
      const result = await measure(figure);
      measured.push(result);
      report(result);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const lost = measured.filter(({ ok }) => !ok);
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  console.log(`${measured.length - lost.length} of ${measured.length} figures hold, in ${minutes} minutes.`);
  if (record) writeTable(measured.filter(({ ok }) => ok));
  if (lost.length > 0 || measured.length === 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Runs the tests of a figure and counts the tries that they report.
 * @param {Figure} figure
 */
async function measure(figure) {
  const { name, times, files, only, reported = name } = figure;
  const goal = goalOf(figure);
  const file = join(folder, name.replaceAll(/\W+/g, '-'));
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = ['run', ...files, '--reporter=dot', `--testTimeout=${TEST_TIMEOUT_MS}`, ...(only ? ['-t', only] : [])];
  const startedAt = performance.now();
  const child = spawn(process.execPath, [vitest, ...args], {
    cwd: root,
    env: { ...process.env, SVC_SOAK: String(times), SVC_FIGURES: file, FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  /** @type {Buffer[]} */
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const exitCode = await new Promise((resolve) => child.on('close', resolve));
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  /** @type {Array<{ name: string, count: number, note?: string }>} */
  const all = lines.map((line) => JSON.parse(line));
  const own = all.filter((line) => line.name === reported);
  const count = own.reduce((sum, line) => sum + line.count, 0);
  const notes = reported === 'tries' ? [] : [...new Set(own.map(({ note }) => note).filter(Boolean))];
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const ok = exitCode === 0 && count >= goal;
  return { figure, count, seconds, notes, ok, exitCode, output: Buffer.concat(output).toString('utf8') };
}

/** @param {Result} result */
function report({ figure, count, seconds, notes, ok, exitCode, output }) {
  const loss = exitCode === 0 ? `LESS THAN ${goalOf(figure)}` : 'LOST';
  const verdict = ok ? 'none lost' : loss;
  const about = notes.length === 0 ? '' : `  (${notes.join('; ')})`;
  console.log(`${figure.name.padEnd(28)}${withCommas(count).padStart(9)}  ${verdict}  ${seconds} s${about}`);
  if (!ok) console.log(output.trimEnd().split('\n').slice(-60).join('\n'));
}

/** @param {Figure} figure */
function goalOf({ goal, goalWithoutRoot = goal }) {
  return process.getuid?.() === 0 ? goal : goalWithoutRoot;
}

/**
 * Writes the figures that hold into docs/reliability.md, and keeps the others.
 * @param {readonly Result[]} held
 */
function writeTable(held) {
  const page = join(root, 'docs/reliability.md');
  const tried = new Map(held.map(({ figure, count }) => [figure.name, withCommas(count)]));
  writeFileSync(page, withFigures(readFileSync(page, 'utf8'), tried));
}

/** @param {number} count */
function withCommas(count) {
  return count.toLocaleString('en-US');
}
