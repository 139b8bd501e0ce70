import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { builtProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/svc.ts';
import { resetConnection, send } from '../support/wire-plan.ts';
import type { WireRecord } from '../support/wire-record.ts';
import { testService } from '../trust/service.ts';
import { linesOf } from './lines.ts';

/** What a service does with a request: carries it out or not, then answers or breaks. */
export interface Deed {
  readonly carriesOut: boolean;
  /** `reset` breaks the connection, `hang` never answers. */
  readonly answer: number | 'reset' | 'hang';
  readonly retryAfter?: number;
  /** Holds back the answer until then. */
  readonly after?: Promise<void>;
}

export const FINE: Deed = { carriesOut: true, answer: 200 };

/** The answer to a request that was carried out, by the id of its service. `times` is how often that was by now. */
type BodyOf = (id: string, request: WireRecord, times: number) => object;

/** A platform that counts how often each change was carried out; ends with the test. */
export async function countingService(decide: (id: string) => Deed, bodyOf: BodyOf = () => ({ success: true })) {
  const times = new Map<string, number>();
  /** How often the change of a service was carried out. */
  const timesOf = (id: string) => times.get(id) ?? 0;
  let requests = 0;
  const { url, expect: act } = await testService();
  act(async ({ request, response, socket }) => {
    requests += 1;
    const id = request.path.split('/')[3] ?? '';
    const { carriesOut, answer, retryAfter, after } = decide(id);
    if (carriesOut && request.method === 'POST') times.set(id, timesOf(id) + 1);
    await after;
    if (answer === 'hang') return;
    if (answer === 'reset') return resetConnection(socket);
    const body = answer === 200 ? bodyOf(id, request, timesOf(id)) : { error: `status ${answer}` };
    send(response, answer, body, retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) });
  });
  return { url, timesOf, requests: () => requests };
}

/** The answers about jobs that are done at the given look. */
export function jobsDoneAt(look: number): BodyOf {
  const looks = new Map<string, number>();
  return (id, { method, path }, times) => {
    if (method === 'POST') return { jobId: `job_${id}_${times}`, status: 'queued', action: 'backup' };
    const jobId = path.split('/').at(-1) ?? '';
    looks.set(jobId, (looks.get(jobId) ?? 0) + 1);
    return { jobId, status: (looks.get(jobId) ?? 0) >= look ? 'completed' : 'running', action: 'backup' };
  };
}

export function idsOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `s${index}`);
}

/** A folder with the list of some services, and the built program that works on it. */
export async function programOn({ url }: { readonly url: string }, ids: readonly string[]) {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'list.txt'), ids.join('\n'));
  const { command } = await builtProgram();
  const [node, script] = command;
  const env = { PATH: process.env['PATH'] ?? '', SVC_API_URL: url, SVC_TOKEN: 'svc_test', SVC_CONFIG_DIR: cwd };
  return {
    cwd,
    command,
    env,
    /** Starts it. `begin` gets the process at once. */
    async run(argv: readonly string[], begin: (child: ChildProcessWithoutNullStreams) => unknown = () => {}) {
      const child = spawn(node, [script, ...argv], { cwd, env });
      const [out, err]: [Buffer[], Buffer[]] = [[], []];
      child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
      begin(child);
      await once(child, 'close');
      const { exitCode, signalCode } = child;
      return { exitCode, signalCode, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
    },
  };
}

/** Of all services, each was changed once, or at most once if the last run said that it is in doubt. Returns those. */
export function expectOnce(
  ids: readonly string[],
  service: { timesOf(id: string): number },
  last: { readonly exitCode: number | null; readonly stdout: string },
): ReadonlySet<unknown> {
  const doubtful = new Set(linesOf(last.stdout).flatMap(({ item, exitCode }) => (exitCode === 8 ? [item] : [])));
  expect(last.exitCode).toBe(doubtful.size === 0 ? 0 : 11);
  const wrong = ids.filter((id) => service.timesOf(id) !== 1 && !(doubtful.has(id) && service.timesOf(id) === 0));
  expect(wrong).toEqual([]);
  return doubtful;
}
