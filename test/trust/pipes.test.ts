import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { figure } from '../support/figure.ts';
import { builtProgram } from '../support/program.ts';
import { tries } from '../support/property.ts';
import { send } from '../support/wire-plan.ts';
import { testService } from './service.ts';
import { SECRETS } from './uses.ts';

const { numRuns, seed } = tries(3, 20_260_403);

/** An answer of 2 MB, which is printed as JSON, or cut into lines. */
const POINTS = Array.from({ length: 31_000 }, (_, minute) => {
  const time = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  return `{"time":"${time}","cpu":${(minute % 97) + 0.5},"note":"point ${minute}"}`;
});
const ANSWER = `{"points":[${POINTS.join(',')}]}`;
const OUTPUTS = ['--json', '--csv'] as const;

/** Runs `svc metrics | reader`; tells what came through, read with pauses, and what svc left on stderr, its exit code last. */
async function throughPipe(reader: string, output: string, pauses: readonly number[] = [0]) {
  const service = await testService();
  service.expect(({ response }) => send(response, 200, ANSWER));
  const own = { SVC_API_URL: service.url, SVC_TOKEN: SECRETS.token, SVC_CONFIG_DIR: '/nonexistent/svc' };
  const env = { PATH: process.env['PATH'], LANG: 'C.UTF-8', ...own };
  const line = `{ "$0" "$@"; printf '<ended %s>' $? >&2; } | ${reader}`;
  const metrics = ['metrics', 's1', '--history', '--since', '2026-01-01', '--until', '2026-01-23', output];
  const words = ['-c', line, ...(await builtProgram()).command, ...metrics];
  const child = spawn('sh', words, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  onTestFinished(() => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk));
  const closed = once(child, 'close');
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) {
    const pause = pauses[chunks.push(chunk) % pauses.length] ?? 0;
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  await closed;
  return { text: Buffer.concat(chunks).toString(), stderr };
}

test(`${numRuns} slow readers get every byte (seed ${seed})`, async () => {
  const pauses = fc.array(fc.constantFrom(0, 0, 0, 1, 2, 5, 20), { minLength: 1, maxLength: 20 });
  const whole = new Map<string, string>([['--json', `${ANSWER}\n`]]);
  for (const [index, given] of fc.sample(pauses, { numRuns, seed }).entries()) {
    const output = OUTPUTS[index % OUTPUTS.length] ?? '--json';
    const { text, stderr } = await throughPipe('cat', output, given);
    if (!whole.has(output)) whole.set(output, text);
    const lines = output === '--json' ? 2 : POINTS.length + 2;
    expect([stderr, text === whole.get(output), text.split('\n').length]).toEqual(['<ended 0>', true, lines]);
  }
  figure('Pipes', numRuns, 'slow readers');
}, 600_000);

test(`${numRuns} readers that leave early end it quietly (seed ${seed})`, async () => {
  const readers = fc.oneof(
    fc.integer({ min: 1, max: 1024 * 1024 }).map((bytes) => `head -c ${bytes} >/dev/null`),
    fc.constantFrom('true', 'head -1', '{ sleep 0.1; head -c 70000 >/dev/null; }'),
  );
  const leavings = fc.tuple(fc.constantFrom(...OUTPUTS), readers);
  for (const [output, reader] of fc.sample(leavings, { numRuns, seed: seed + 1 })) {
    expect((await throughPipe(reader, output)).stderr, reader).toBe('<ended 0>');
  }
  figure('Pipes', numRuns, 'readers that leave');
}, 600_000);
