import { PassThrough, Writable } from 'node:stream';
import { createRedactor } from '../../api/redact.ts';
import { onAbort } from '../../clock.ts';
import type { Env } from '../../environment.ts';
import type { World } from '../../world.ts';
import type { InsideCall, InsideRun, Started } from '../define/context.ts';

/** Runs svc inside svc, for `ProgramFacts.runInside`. */
export async function runInside(
  main: Started['main'],
  outer: World,
  { argv, host, signal }: InsideCall,
): Promise<InsideRun> {
  const redactor = createRedactor();
  const stdout = collect();
  const stderr = collect();
  const own: Partial<World> = {
    argv,
    host,
    job: undefined,
    env: removeBlanks(outer.env),
    stdin: new PassThrough().end(),
    stdout: stdout.stream,
    stderr: stderr.stream,
    onSignal(listener) {
      const interrupt = () => listener('SIGINT');
      if (signal.aborted) queueMicrotask(interrupt);
      return onAbort(signal, interrupt);
    },
    exit: () => undefined,
  };
  // A copy of the outer world would read the getter of stdin, and open it.
  const exitCode = await main(
    Object.create(outer, Object.getOwnPropertyDescriptors(own)),
    redactor,
  );
  return { exitCode, stdout: stdout.text(), stderr: stderr.text(), conceal: redactor.conceal };
}

/** Removes blank settings: programs pass an empty text for one that nobody filled in. */
function removeBlanks(env: Env): Env {
  const isBlank = (name: string) => name.startsWith('SVC_') && env[name]?.trim() === '';
  // The environment of Windows takes names in any case, and a copy does not.
  if (!Object.keys(env).some(isBlank)) return env;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isBlank(name)));
}

/** Bytes of output; what comes after them finds a closed pipe. */
const MAX_KEPT = 32 * 1024 * 1024;

function collect() {
  const chunks: Buffer[] = [];
  let size = 0;
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      chunks.push(chunk);
      done(
        size > MAX_KEPT
          ? Object.assign(new Error('too much output'), { code: 'EPIPE' })
          : undefined,
      );
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}
