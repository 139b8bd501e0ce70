import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { createIo } from '../../src/terminal/io.ts';
import { jobOf } from '../../src/terminal/job.ts';
import type { Scope } from './script.ts';

const { stdin, stdout, stderr, env, platform } = process;
const streams = { stdin, stdout, stderr, env, platform };

/** The scope of a `testScript`, in its process. */
export const scope: Scope = {
  io: createIo(streams),
  newIo: (more) => createIo({ ...streams, ...more }),
  job: jobOf(process),
  jobOf,
  spawn,
  sleep: (ms) => sleep(ms),
  async seen() {
    const alive = setInterval(() => {}, 60_000);
    await new Promise<void>((resolve) => process.once('SIGUSR2', () => resolve()));
    clearInterval(alive);
  },
  fail(error) {
    const known = error as { name: string; message: string; exitCode?: number };
    if (known.name !== 'OutputClosed') stderr.write(`${known.message}\n`);
    process.exitCode = known.name === 'OutputClosed' ? 0 : (known.exitCode ?? 99);
  },
};
