// A week of 400 services, one process for all of them.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { interleaved, medianOf, peakOf } from './measure.mjs';
import { table } from './table.mjs';

const ROUNDS = 5;
const SERVICES = 400;

/** @param {Omit<import('./starts.mjs').Bench, 'node' | 'rounds'>} bench */
export async function lists({ root, folder, env, binary }) {
  const list = join(folder, 'services.txt');
  const pictures = join(folder, 'pictures');
  mkdirSync(pictures);
  writeFileSync(list, Array.from({ length: SERVICES }, (_, index) => `svc_${index}\n`).join(''));
  const own = { ...env, SVC_API_URL: `${env.SVC_API_URL}/week` };
  const programs = [{ which: '', program: [process.execPath, join(root, 'bin/svc.cjs')] }];
  if (binary !== undefined) programs.push({ which: ', executable', program: [binary] });
  const results = await interleaved(
    programs.flatMap(({ which, program }) => {
      const svc = (/** @type {string[]} */ ...words) => ({
        command: [...program, 'metrics', '--services', list, '--since', '7d', '--yes', ...words],
        env: own,
        exitCode: 0,
        memory: true,
      });
      return [
        { name: `a table of ${SERVICES} services${which}`, ...svc('--sort', 'cpu:p95') },
        { name: `a picture of each${which}`, ...svc('--output', join(pictures, '{service}.svg')) },
        { name: `a report of all${which}`, ...svc('--report', join(folder, 'week.html')) },
      ];
    }),
    ROUNDS,
  );
  const rows = [...results].map(([name, runs]) => {
    const seconds = (medianOf(runs, 'ms') / 1000).toFixed(2);
    return [name, seconds, (peakOf(runs) / 1e6).toFixed(0)];
  });
  return table([`A week of ${SERVICES} services`, 'Seconds', 'Peak MB'], rows);
}
