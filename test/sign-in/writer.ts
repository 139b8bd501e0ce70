// A process that uses the store; bundled by `processes.ts`, because Node 20 runs no TypeScript.
import { writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { systemClock } from '../../src/clock.ts';
import { CliError, getErrorCode } from '../../src/errors.ts';
import { openCredentials } from '../../src/sign-in/store.ts';
import { createMachine } from '../../src/store/machine.ts';

const [task = '', folder = '', name = ''] = process.argv.slice(2);
const store = openCredentials({
  folder,
  machine: createMachine(process, hostname()),
  clock: systemClock,
});

/** Synchronous: what was said stays said when the process is killed in the next moment. */
function say(line: string): void {
  let rest = Buffer.from(`${line}\n`);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      // The reader is slow.
      if (getErrorCode(error) !== 'EAGAIN') throw error;
    }
  }
}

async function save(profile: string, token: string, more: object = {}) {
  const reserved = store.reserve();
  try {
    const createdAt = new Date().toISOString();
    return await reserved.keep({
      profile,
      baseUrl: 'https://x.example',
      token,
      ...more,
      createdAt,
    })();
  } finally {
    reserved.release();
  }
}

const TASKS: Readonly<Record<string, () => Promise<void>>> = {
  /** A few profiles in turn, until it is killed. */
  async 'save-until-killed'() {
    for (let number = 0; ; number += 1) {
      const profile = `p${number % 3}`;
      const token = `svc_CANARY_${name}_${number}`;
      say(`trying ${profile} ${token}`);
      say(`${(await save(profile, token)).kind} ${profile} ${token}`);
    }
  },
  async 'save-six'() {
    for (let number = 0; number < 6; number += 1) {
      say(
        `${(await save(`${name}-${number}`, `svc_CANARY_${name}-${number}`)).kind} ${name}-${number}`,
      );
    }
  },
  async 'save-record'() {
    const { profile, token, ...more } = JSON.parse(name);
    say(JSON.stringify(await save(profile, token, more)));
  },
};

TASKS[task]?.().catch((error) => {
  if (!(error instanceof CliError)) throw error;
  say(JSON.stringify({ kind: 'error', message: error.message }));
});
