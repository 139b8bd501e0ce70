import type { ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
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
export const GONE: Deed = { carriesOut: false, answer: 404 };

/**
 * The answer to a request that was carried out, by the id of its service. `times` is how often that
 * was by now.
 */
type BodyOf = (id: string, request: WireRecord, times: number) => object;

/** A platform that counts how often each change was carried out; ends with the test. */
export async function countingService(
  decide: (id: string) => Deed,
  bodyOf: BodyOf = () => ({ success: true }),
) {
  const times = new Map<string, number>();
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
    send(
      response,
      answer,
      body,
      retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
    );
  });
  return { url, timesOf, requests: () => requests };
}

/** Answers about jobs; `status` is that of the job of a service. */
export function jobsThatAre(status: (id: string) => string): BodyOf {
  return (id, { method }, times) =>
    method === 'POST'
      ? { jobId: `job_${id}_${times}`, status: 'queued', action: 'backup' }
      : { status: status(id) };
}

export function idsOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `s${index}`);
}

/** A folder with the list of some services, and the built program that works on it. */
export async function programOn(
  { url }: { readonly url: string },
  ids: readonly string[],
  variables: Readonly<Record<string, string>> = {},
) {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'list.txt'), ids.join('\n'));
  const { command } = await builtProgram();
  const [node, script] = command;
  const env = {
    PATH: process.env['PATH'] ?? '',
    SVC_API_URL: url,
    SVC_TOKEN: 'svc_test',
    SVC_CONFIG_DIR: cwd,
    ...variables,
  };
  const options = {
    cwd,
    env,
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
    // A group of its own, which can be killed as a whole.
    detached: true,
  } as const;
  return {
    cwd,
    command,
    env,
    /** Starts it. `begin` gets the process at once. */
    async run(
      argv: readonly string[],
      begin: (child: Pick<ChildProcess, 'kill' | 'pid' | 'stdout'>) => unknown = () => {},
    ) {
      const child = execa(node, [script, ...argv], options);
      begin(child);
      return child;
    },
  };
}

/** Kills a process and all that it has started, without a chance to end. */
export function killGroup({ pid }: Pick<ChildProcess, 'pid'>): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL');
}

/**
 * Of all services, each was changed once, or at most once if the last run said that it is in doubt.
 * Returns those.
 */
export function expectOnce(
  ids: readonly string[],
  service: { timesOf(id: string): number },
  last: { readonly exitCode?: number | undefined; readonly stdout: string },
): ReadonlySet<unknown> {
  const doubtful = new Set(
    linesOf(last.stdout).flatMap(({ item, exitCode }) => (exitCode === 8 ? [item] : [])),
  );
  expect(last.exitCode).toBe(doubtful.size === 0 ? 0 : 11);
  const wrong = ids.filter(
    (id) => service.timesOf(id) !== 1 && !(doubtful.has(id) && service.timesOf(id) === 0),
  );
  expect(wrong).toEqual([]);
  return doubtful;
}
