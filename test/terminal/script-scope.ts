import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { createIo } from '../../src/terminal/io.ts';
import { createJob } from '../../src/terminal/job.ts';
import { IO_DEFAULTS } from '../support/io.ts';

const { stdin, stdout, stderr, env, platform } = process;
const streams = { ...IO_DEFAULTS, stdin, stdout, stderr, env, platform };

/** The signals of the test that nobody has waited for yet: one may come as soon as a text is out. */
let signals = 0;
let wake = () => {};
process.on('SIGUSR2', () => {
  signals += 1;
  wake();
});

/** What a program of `testScript` has, in its process. */
export const scope = {
  io: createIo(streams),
  /** An `io` with the streams of the process, and more. */
  newIo: (more: Partial<Parameters<typeof createIo>[0]>) => createIo({ ...streams, ...more }),
  job: createJob(process),
  createJob,
  spawn,
  /** Lets time pass in which something must not happen. */
  sleep: (ms: number) => sleep(ms),
  /** Waits for the SIGUSR2 that the test sends when it has seen enough. */
  async seen() {
    const alive = setInterval(() => {}, 60_000);
    while (signals === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    signals -= 1;
    clearInterval(alive);
  },
  /** Ends the process as svc does with the error. */
  fail(error: unknown) {
    const { message, exitCode = 99 } = error as { message: string; exitCode?: number };
    stderr.write(`${message}\n`);
    process.exitCode = exitCode;
  },
};
