import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { figure } from '../support/figure.ts';
import { builtProgram } from '../support/program.ts';
import { tries } from '../support/property.ts';
import { send } from '../support/wire-plan.ts';
import { testService } from './service.ts';
import { SECRETS } from './uses.ts';

const { numRuns, seed } = tries(6, 20_260_403);

/** An answer of 2 MB, which is printed as JSON, or cut into lines. */
const POINTS = Array.from({ length: 31_000 }, (_, minute) => {
  const time = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  return `{"time":"${time}","cpu":${(minute % 97) + 0.5},"note":"point ${minute}"}`;
});
const ANSWER = `{"points":[${POINTS.join(',')}]}`;
const COUNTED = '{ sleep 0.1; head -c 90000; sleep 0.1; cat; } | wc';

const readers = fc.oneof(
  fc.constant(COUNTED),
  fc.integer({ min: 1, max: 1024 * 1024 }).map((bytes) => `head -c ${bytes} >/dev/null`),
  fc.constantFrom('true', 'head -1 >/dev/null', '{ sleep 0.1; head -c 70000 >/dev/null; }'),
);

test(`${numRuns} readers get every byte, however slow, or leave early and end it quietly (seed ${seed})`, async () => {
  const service = await testService();
  service.expect(({ response }) => send(response, 200, ANSWER));
  const own = {
    SVC_API_URL: service.url,
    SVC_TOKEN: SECRETS.token,
    SVC_CONFIG_DIR: '/nonexistent/svc',
  };
  const env = { PATH: process.env['PATH'], LANG: 'C.UTF-8', ...own };
  const { command } = await builtProgram();
  for (const [index, reader] of fc.sample(readers, { numRuns, seed }).entries()) {
    const output = index % 2 === 0 ? '--json' : '--csv';
    const line = `{ "$0" "$@"; printf '<ended %s>' $? >&2; } | ${reader}`;
    const metrics = [
      'metrics',
      's1',
      '--history',
      '--since',
      '2026-01-01',
      '--until',
      '2026-01-23',
      output,
    ];
    const { stdout, stderr } = await promisify(execFile)(
      'sh',
      ['-c', line, ...command, ...metrics],
      { env },
    );
    expect(stderr, reader).toBe('<ended 0>');
    if (reader !== COUNTED) continue;
    const [lines, , bytes] = stdout.trim().split(/\s+/).map(Number);
    if (output === '--csv') expect(lines).toBe(POINTS.length + 1);
    else expect([lines, bytes]).toEqual([1, ANSWER.length + 1]);
  }
  figure('Pipes', numRuns);
}, 600_000);
