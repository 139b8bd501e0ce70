// A million points, 103 MB: printed byte for byte, and drawn. The program that only copies them shows what the rest costs.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { interleaved, medianOf, medianRatio, peakOf } from './measure.mjs';
import { installed } from './peers.mjs';
import { table } from './table.mjs';

const ROUNDS = 7;
const CURL = '`curl`';
/** The range of the points, whenever this is measured. */
const RANGE = ['--since', '2026-01-01', '--until', '2026-01-13'];

/** What the two services of server.mjs stand for. */
const SERVICES = /** @type {const} */ ([
  ['written', 'written while it is sent, as services do'],
  ['ready', 'ready in memory, as fast as loopback can'],
]);

/**
 * One table for both services.
 * @param {Omit<import('./starts.mjs').Bench, 'node' | 'rounds'>} bench
 */
export async function largeAnswers({ root, folder, env, binary }) {
  const pipe = join(folder, 'pipe.cjs');
  writeFileSync(pipe, "require('node:http').get(process.argv[2], (answer) => answer.pipe(process.stdout));");
  /** @type {string[][]} */
  const rows = [];
  for (const [service, meaning] of SERVICES) {
    const own = { ...env, SVC_API_URL: `${env.SVC_API_URL}/${service}` };
    const url = `${own.SVC_API_URL}/v1/services/x/metrics/history`;
    const programs = [{ which: '', program: [process.execPath, join(root, 'bin/svc.cjs')] }];
    if (binary !== undefined) programs.push({ which: ', executable', program: [binary] });
    const results = await interleaved(
      [
        ...installed('curl', { name: CURL, words: ['-s', url], env: own }),
        { name: '`node:http` into a pipe and nothing else', command: [process.execPath, pipe, url], env: own },
        ...programs.flatMap(({ which, program }) => {
          const svc = (/** @type {string[]} */ ...words) => ({
            command: [...program, 'metrics', 'x', ...RANGE, ...words],
            env: own,
            exitCode: 0,
            memory: true,
          });
          return [
            { name: `\`svc metrics --history --json\` into a pipe${which}`, ...svc('--json') },
            { name: `\`svc metrics --history\`, drawn${which}`, ...svc() },
          ];
        }),
      ],
      ROUNDS,
    );
    rows.push([`**${meaning}**`, '', '', '']);
    for (const [name, runs] of results) rows.push(row(name, runs, results.get(CURL)));
  }
  return table(['A million points, 103 MB', '× curl', 'Seconds', 'Peak MB'], rows);
}

/**
 * @param {string} name
 * @param {readonly import('./measure.mjs').Measured[]} runs
 * @param {readonly import('./measure.mjs').Measured[]} [curl]
 */
function row(name, runs, curl) {
  const ratio = curl === undefined ? '' : medianRatio(runs, curl, 'ms').toFixed(2);
  const peak = peakOf(runs);
  return [name, ratio, (medianOf(runs, 'ms') / 1000).toFixed(2), peak === 0 ? '' : (peak / 1e6).toFixed(0)];
}
