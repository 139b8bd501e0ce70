import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { builtProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/svc.ts';
import { resetConnection } from '../support/wire-plan.ts';
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
type BodyOf = (id: string, request: IncomingMessage, times: number) => object;

/** A platform that counts how often each change was carried out; ends with the test. */
export async function countingService(decide: (id: string) => Deed, bodyOf: BodyOf = () => ({ success: true })) {
  const times = new Map<string, number>();
  const sockets = new Set<Socket>();
  let requests = 0;
  const act = async (request: IncomingMessage, response: ServerResponse) => {
    requests += 1;
    const id = request.url?.split('/')[3] ?? '';
    const { carriesOut, answer, retryAfter, after } = decide(id);
    if (carriesOut && request.method === 'POST') times.set(id, (times.get(id) ?? 0) + 1);
    await after;
    if (answer === 'hang') return;
    if (answer === 'reset') return resetConnection(request.socket);
    const isFine = answer === 200;
    const body = JSON.stringify(isFine ? bodyOf(id, request, times.get(id) ?? 0) : { error: `status ${answer}` });
    const headers = { 'content-type': 'application/json', ...(retryAfter && { 'retry-after': String(retryAfter) }) };
    response.writeHead(answer, headers).end(body);
  };
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => void act(request, response));
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** How often the change of a service was carried out. */
    timesOf: (id: string) => times.get(id) ?? 0,
    requests: () => requests,
  };
}

/** The answers about jobs that are done at the given look. */
export function jobsDoneAt(look: number): BodyOf {
  const looks = new Map<string, number>();
  return (id, { method, url = '' }, times) => {
    if (method === 'POST') return { jobId: `job_${id}_${times}`, status: 'queued', action: 'backup' };
    const jobId = url.split('/').at(-1) ?? '';
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
    async run(argv: readonly string[], begin = (_child: ChildProcessWithoutNullStreams) => {}) {
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
