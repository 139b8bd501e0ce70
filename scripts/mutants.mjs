// Makes the small mistakes of test/mutants.jsonl, one at a time, and fails if the tests of a row do
// not notice one. The tests run once without a mistake first. All happens in a copy, so that a run
// that is stopped leaves no mistake in the sources.
// `--only <file>` takes the rows of files whose path begins so (several times), `--sample <n>`
// takes about n of them, evenly.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findPlaces, readMutants } from './mutants/rows.mjs';

/** @typedef {import('./mutants/rows.mjs').Mutant} Mutant */

/** What a test of the sources does not read, or what is large and stays as it is. */
const LEFT_OUT = /^(?:\.git|node_modules|dist-binary|release|site\/(?:node_modules|dist|pages))$/;

/** A test that waits for ever has noticed the mistake. */
const TEST_TIMEOUT_MS = 120_000;

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, sample: { type: 'string' } },
});
const mutants = chosen();
const copy = mkdtempSync(join(tmpdir(), 'svc-mutants-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

cpSync(root, copy, { recursive: true, filter: (path) => !LEFT_OUT.test(relative(root, path)) });
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

checkTests();
const missed = mutants.filter((mutant) => !isCaught(mutant));
console.log(`${mutants.length} mutants, ${missed.length} not caught`);
if (missed.length > 0) process.exitCode = 1;

/** The rows that the options ask for. */
function chosen() {
  const all = readMutants(root);
  const only = values.only;
  const wanted = only
    ? all.filter(({ file }) => only.some((start) => file.startsWith(start)))
    : all;
  const step = Math.max(1, Math.floor(wanted.length / Number(values.sample ?? wanted.length)));
  return values.sample === undefined ? wanted : wanted.filter((_, at) => at % step === 0);
}

/** Ends this run if the tests fail without a mistake: they would seem to notice every one. */
function checkTests() {
  const tests = [...new Set(mutants.flatMap((mutant) => mutant.tests))];
  if (tests.length === 0) return;
  const { status, stdout } = runTests(tests);
  if (status === 0) return;

  console.error(`${stdout}\nThese tests fail without any mistake, so no row was tried.`);
  process.exit(1);
}

/**
 * Runs files of tests in the copy, up to the first failure.
 * @param {readonly string[]} tests
 */
function runTests(tests) {
  const vitest = ['vitest', 'run', '--project', 'svc', '--bail', '1'];
  const args = [...vitest, `--testTimeout=${TEST_TIMEOUT_MS}`, ...tests];
  return spawnSync('npx', args, { cwd: copy, encoding: 'utf8' });
}

/**
 * Says which row is not noticed, and how it looks.
 * @param {Mutant} mutant
 */
function isCaught({ file, search, replace, tests }) {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  const [place, ...others] = findPlaces(source, search);
  if (place === undefined || others.length > 0) {
    console.log(`${file}: found ${place === undefined ? 'nowhere' : 'several times'}: ${search}`);
    return false;
  }
  writeFileSync(path, source.slice(0, place.start) + replace + source.slice(place.end));
  const { status, stdout } = runTests(tests);
  writeFileSync(path, source);
  // Files that are not there, or that do not even load, notice nothing.
  if (status !== 0 && /\d+ failed/.test(stdout)) return true;
  console.log(`${file}: not noticed by ${tests.join(', ')}\n  - ${search}\n  + ${replace}`);
  return false;
}
