// Runs on Windows: starts the programs of a list and writes down how each of them ended.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/** @typedef {import('./wine.ts').Step} Step */
/** @typedef {{ exitCode: number | null, stdout: string, stderr: string }} End */

const [list = '', result = ''] = process.argv.slice(2);
/** @type {Array<Step & { words: string[] }>} */
const steps = JSON.parse(readFileSync(list, 'utf8'));

/**
 * Wine now and then cannot start a program at once: `spawn UNKNOWN`.
 * @template T @param {() => T} start
 */
function atSecondTry(start) {
  try {
    return start();
  } catch {
    return start();
  }
}

/**
 * @param {Step & { words: string[] }} step
 * @returns {Promise<End>}
 */
function run({
  words: [program = '', ...args],
  input = '',
  cwd,
  env = {},
  unset = [],
  killAfterMs,
}) {
  const own = { ...process.env, ...env };
  for (const name of unset) delete own[name];
  const text = input.replace('$SVC_TOKEN', process.env['SVC_TOKEN'] ?? '');
  const bytes = Buffer.from(text, 'utf8');
  return new Promise((resolve) => {
    const start = () => spawn(program, args, { cwd, env: own });
    const child = atSecondTry(start);
    const written = { stdout: '', stderr: '' };
    for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
      child[name].setEncoding('utf8').on('data', (/** @type {string} */ part) => {
        written[name] += part;
      });
    }
    child.stdin.on('error', () => undefined).end(bytes);
    if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    child.on('error', (error) =>
      resolve({ exitCode: -1, ...written, stderr: Reflect.get(error, 'code') }),
    );
    child.on('close', (code, signal) => resolve({ exitCode: signal ? -2 : code, ...written }));
  });
}

/** @type {End[]} */
const ends = [];
/**
 * @param {Step['stage']} stage
 * @param {number} lanes how many at a time
 */
const runAll = async (stage, lanes) => {
  const mine = steps.flatMap((step, index) => (step.stage === stage ? [index] : []));
  const lane = async () => {
    for (let index = mine.shift(); index !== undefined; index = mine.shift()) {
      const step = steps[index];
      if (step !== undefined) ends[index] = await run(step);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
};
await runAll('before', 1);
await runAll(undefined, Number(process.env['LANES']));
await runAll('after', 1);
writeFileSync(result, JSON.stringify(ends));
