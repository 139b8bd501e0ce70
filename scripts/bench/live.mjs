// The live view: how soon it shows the first answer, and what it costs while nothing happens. Reported, never judged.

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import { portOf } from '../port.mjs';
import { table } from './table.mjs';

const ROUNDS = 10;
/** Milliseconds over which the idle view is looked at, once it has settled. */
const [SETTLED_MS, IDLE_MS] = [1_000, 5_000];
/** Clock ticks a second, in which Linux counts the time of a process. */
const TICKS = 100;

/**
 * @param {Pick<import('./starts.mjs').Bench, 'root' | 'env'>} bench
 * @returns {Promise<string>} a table
 */
export async function liveView({ root, env }) {
  let answeredAt = 0;
  const server = createServer((_request, response) => {
    const points = Array.from({ length: 120 }, (_, index) => ({
      time: new Date(Date.now() - (120 - index) * 30_000).toISOString(),
      cpuPercent: 40 + 20 * Math.sin(index / 9),
      memoryBytes: 3e8 + index * 1e6,
      requests: 40 + (index % 13),
    }));
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ points }), () => {
      answeredAt = performance.now();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const own = { ...env, SVC_API_URL: `http://127.0.0.1:${portOf(server)}`, TERM: 'xterm-256color', LANG: 'C.UTF-8' };
  const words = [join(root, 'bin/svc.cjs'), 'metrics', 'svc_bench', '--watch', '--interval', '1h'];
  /** @type {number[]} */
  const frames = [];
  let share = Number.NaN;
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const terminal = spawn(process.execPath, words, { cols: 120, rows: 40, env: own });
      const ended = new Promise((resolve) => terminal.onExit(resolve));
      await new Promise((resolve) => {
        let text = '';
        terminal.onData((data) => {
          text += data;
          if (/┤/.test(text)) resolve(undefined);
        });
      });
      frames.push(performance.now() - answeredAt);
      if (round === 0) share = await idleShare(terminal.pid);
      terminal.write('q');
      await ended;
    }
  } finally {
    server.close();
  }
  const median = frames.sort((a, b) => a - b)[Math.floor(frames.length / 2)] ?? Number.NaN;
  return table(
    ['The live view, 120 × 40', 'Target', 'Now'],
    [
      ['the first frame after the first answer', '≤ 0.30 s', `${(median / 1000).toFixed(2)} s`],
      ['share of a core between refreshes', '≤ 2 %', Number.isNaN(share) ? '' : `${(100 * share).toFixed(1)} %`],
    ],
  );
}

/**
 * The share of a core that a process takes while nothing happens, where the system tells it (Linux).
 * @param {number} pid
 */
async function idleShare(pid) {
  await pause(SETTLED_MS);
  const before = ticksOf(pid);
  await pause(IDLE_MS);
  return (ticksOf(pid) - before) / TICKS / (IDLE_MS / 1000);
}

/** @param {number} pid */
function ticksOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return Number.NaN;
  }
}
