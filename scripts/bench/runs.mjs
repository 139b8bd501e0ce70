// Runs over a list: svc beside a plain script that does the same with `fetch` and a pool of 16.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { interleaved, medianOf, medianRatio, peakOf } from './measure.mjs';
import { table } from './table.mjs';

const ROUNDS = 5;

/** Reads or queues so many, 16 at a time; with jobs, then polls until all are done. */
const SCRIPT = `
const [base, kind, count] = process.argv.slice(2);
const headers = { authorization: 'Bearer svc_bench', 'content-type': 'application/json' };
const ask = async (path, method = 'GET') => (await fetch(base + path, { method, headers, body: method === 'POST' ? '{}' : undefined })).json();
async function pool(items, act) {
  const queue = items.values();
  await Promise.all(Array.from({ length: 16 }, async () => { for (const item of queue) await act(item); }));
}
(async () => {
  const ids = Array.from({ length: Number(count) }, (_, index) => 's' + index);
  if (kind === 'reads') return pool(ids, (id) => ask('/v1/databases/' + id));
  let open = [];
  await pool(ids, async (id) => open.push([id, (await ask('/v1/services/' + id + '/actions', 'POST')).jobId]));
  while (open.length > 0) {
    const left = [];
    await pool(open, async ([id, job]) => {
      if ((await ask('/v1/services/' + id + '/actions/' + job)).status !== 'completed') left.push([id, job]);
    });
    open = left;
    if (open.length > 0) await new Promise((resolve) => setTimeout(resolve, 100));
  }
})();
`;

/**
 * One table: jobs, reads, and what a log costs.
 * @param {Omit<import('./starts.mjs').Bench, 'node' | 'rounds'>} bench
 */
export async function runs({ root, folder, env }) {
  const script = join(folder, 'list.cjs');
  writeFileSync(script, SCRIPT);
  const list = (/** @type {number} */ count) => {
    const file = join(folder, `list-${count}.txt`);
    writeFileSync(file, Array.from({ length: count }, (_, index) => `s${index}`).join('\n'));
    return file;
  };
  const svc = (/** @type {readonly string[]} */ ...words) => ({
    command: [process.execPath, join(root, 'bin/svc.cjs'), ...words, '--yes', '--json', '--concurrency', '16'],
    env,
    exitCode: 0,
    memory: true,
  });
  const plain = (/** @type {readonly string[]} */ ...words) => ({
    command: [process.execPath, script, env.SVC_API_URL ?? '', ...words],
    env,
    exitCode: 0,
  });
  const jobs = ['wp', 'run', 'backup', '--wait', '--services', list(200)];
  const restarts = ['restart', '--services', list(5_000)];
  const log = join(folder, 'run.ndjson');
  const withLog = svc(...restarts, '--log', log);
  const groups = [
    [
      { name: 'a script that queues 200 jobs of 0.25 s, then polls', ...plain('jobs', '200') },
      { name: '`svc wp run --wait`, 200 jobs of 0.25 s', ...svc(...jobs) },
    ],
    [
      { name: 'a script that reads 600', ...plain('reads', '600') },
      { name: '`svc db inspect`, 600 reads', ...svc('db', 'inspect', '--databases', list(600)) },
    ],
    [
      { name: '`svc restart`, 5,000 without a log', ...svc(...restarts) },
      {
        name: 'the same with `--log`',
        ...withLog,
        command: ['sh', '-c', 'rm -f "$0"; exec "$@"', log, ...withLog.command],
      },
    ],
  ];
  /** @type {string[][]} */
  const rows = [];
  for (const group of groups) {
    const results = await interleaved(group, ROUNDS);
    const [first] = results.values();
    for (const [name, runs] of results) {
      const ratio = first === undefined ? '' : medianRatio(runs, first, 'ms').toFixed(2);
      const peak = peakOf(runs);
      rows.push([name, ratio, (medianOf(runs, 'ms') / 1000).toFixed(2), peak === 0 ? '' : (peak / 1e6).toFixed(0)]);
    }
  }
  return table(['Lists, 16 requests at a time', '× the first', 'Seconds', 'Peak MB'], rows);
}
