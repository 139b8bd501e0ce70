// How long programs take, and how much memory.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** Milliseconds between two looks at a program's memory. */
const LOOK_MS = 10;

/**
 * @typedef {object} Run
 * @property {string} name
 * @property {readonly string[]} command
 * @property {Readonly<Record<string, string>>} env
 * @property {(() => Promise<unknown>) | undefined} [until] what to measure to, instead of the end
 * @property {boolean} [memory] whether to look at its memory
 * @property {number | undefined} [exitCode] the one that it has to end with
 */

/** @typedef {{ ms: number, peakBytes: number, exitCode: number | null }} Measured */

/**
 * Runs a program to its end, or to what `until` waits for.
 * @param {Run} run
 * @returns {Promise<Measured>}
 */
export async function measure({ command: [program = '', ...words], env, until, memory = false }) {
  const reached = until?.();
  const start = process.hrtime.bigint();
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.resume();
  let peakBytes = 0;
  const look = memory
    ? setInterval(() => {
        peakBytes = Math.max(peakBytes, peakSoFar(child.pid));
      }, LOOK_MS)
    : undefined;
  const end = once(child, 'close');
  await (reached ?? end);
  const ms = Number(process.hrtime.bigint() - start) / 1e6;
  const [exitCode] = await end;
  clearInterval(look);
  return { ms, peakBytes, exitCode };
}

/**
 * The most memory that a process has had so far, where the system tells it (Linux).
 * @param {number | undefined} pid
 */
function peakSoFar(pid) {
  try {
    return Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/**
 * Runs each in turn, again and again, so that whatever else the machine does weighs on all alike. The first round only
 * warms up.
 * @param {readonly Run[]} runs
 * @param {number} rounds
 */
export async function interleaved(runs, rounds) {
  /** @type {Map<string, Measured[]>} */
  const results = new Map(runs.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const run of runs) {
      const result = await measure(run);
      if (run.exitCode !== undefined && result.exitCode !== run.exitCode) {
        throw new Error(`${run.name} ended with exit code ${result.exitCode}: ${run.command.join(' ')}`);
      }
      if (round > 0) results.get(run.name)?.push(result);
    }
  }
  return results;
}

/**
 * The median of a field of all runs.
 * @param {readonly Measured[]} runs
 * @param {'ms' | 'peakBytes'} field
 */
export function medianOf(runs, field) {
  return median(runs.map((run) => run[field]));
}

/**
 * The median of the ratios of two programs, round by round: what disturbs a round disturbs both.
 * @param {readonly Measured[]} runs
 * @param {readonly Measured[]} base
 * @param {'ms' | 'peakBytes'} field
 */
export function medianRatio(runs, base, field) {
  return median(runs.map((run, round) => run[field] / (base[round]?.[field] ?? Number.NaN)));
}

/**
 * The most memory that any of the runs took, in bytes; 0 if nobody looked.
 * @param {readonly Measured[]} runs
 */
export function peakOf(runs) {
  return Math.max(...runs.map(({ peakBytes }) => peakBytes));
}

/** @param {readonly number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return (low + high) / 2;
}
