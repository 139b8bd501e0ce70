import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fc from 'fast-check';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { figure } from '../support/figure.ts';
import { builtProgram, type Program } from '../support/program.ts';
import { tries } from '../support/property.ts';
import { send } from '../support/wire-plan.ts';
import { testService } from './service.ts';
import { SECRETS } from './uses.ts';

const { numRuns, seed } = tries(3, 20_260_403);
const FIGURE = 'Pipes';

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

/** An answer of 2 MB, which is printed as JSON, or cut into lines. */
const POINTS = Array.from({ length: 31_000 }, (_, minute) => {
  const time = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
  return `{"time":"${time}","cpu":${(minute % 97) + 0.5},"note":"point ${minute}"}`;
});
const ANSWER = `{"points":[${POINTS.join(',')}]}`;

const OUTPUTS = ['--json', '--csv'] as const;

const RANGE = ['--since', '2026-01-01', '--until', '2026-01-23'];

/** Starts `svc metrics | reader` in a shell, against a service that gives the large answer. */
async function metricsInto(reader: string, output: string): Promise<ChildProcess> {
  const service = await testService();
  service.expect(({ response }) => send(response, 200, ANSWER));
  const own = { SVC_API_URL: service.url, SVC_TOKEN: SECRETS.token, SVC_CONFIG_DIR: '/nonexistent/svc' };
  const env = { PATH: process.env['PATH'], LANG: 'C.UTF-8', ...own };
  const line = `{ "$0" "$@"; printf '<ended %s>' $? >&2; } | ${reader}`;
  const words = ['-c', line, ...program.command, 'metrics', 's1', '--history', ...RANGE, output];
  const child = spawn('sh', words, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  onTestFinished(() => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  });
  return child;
}

/** Reads what comes through the pipe, with pauses; tells that, and what svc left on stderr, its exit code at the end. */
async function read(child: ChildProcess, pauses: readonly number[] = [0]): Promise<{ text: string; stderr: string }> {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk));
  const closed = once(child, 'close');
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout ?? []) {
    const pause = pauses[chunks.push(chunk) % pauses.length] ?? 0;
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  await closed;
  return { text: Buffer.concat(chunks).toString(), stderr };
}

const pauses = fc.array(fc.constantFrom(0, 0, 0, 1, 2, 5, 20), { minLength: 1, maxLength: 20 });

test(`${numRuns} slow readers get every byte (seed ${seed})`, async () => {
  const whole = new Map<string, string>([['--json', `${ANSWER}\n`]]);
  for (const [index, given] of fc.sample(pauses, { numRuns, seed }).entries()) {
    const output = OUTPUTS[index % OUTPUTS.length] ?? '--json';
    const { text, stderr } = await read(await metricsInto('cat', output), given);
    expect(stderr).toBe('<ended 0>');
    if (!whole.has(output)) whole.set(output, text);
    expect(text === whole.get(output)).toBe(true);
    expect(text.split('\n').length).toBe(output === '--json' ? 2 : POINTS.length + 2);
  }
  figure(FIGURE, numRuns, 'slow readers');
}, 600_000);

test(`${numRuns} readers that leave early end it quietly (seed ${seed})`, async () => {
  const readers = fc.oneof(
    fc.integer({ min: 1, max: 1024 * 1024 }).map((bytes) => `head -c ${bytes} >/dev/null`),
    fc.constantFrom('true', 'sleep 0.1', 'head -1', '{ sleep 0.1; head -c 70000 >/dev/null; }'),
  );
  const leavings = fc.tuple(fc.constantFrom(...OUTPUTS), readers);
  for (const [output, reader] of fc.sample(leavings, { numRuns, seed: seed + 1 })) {
    const { stderr } = await read(await metricsInto(reader, output));
    expect(stderr, reader).toBe('<ended 0>');
  }
  figure(FIGURE, numRuns, 'readers that leave');
}, 600_000);
