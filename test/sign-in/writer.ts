// A process that uses the store; bundled by `processes.ts`, because Node 20 runs no TypeScript.
import { writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { systemClock } from '../../src/clock.ts';
import { CliError, codeOf } from '../../src/errors.ts';
import { openCredentials } from '../../src/sign-in/store.ts';
import type { CredentialRecord } from '../../src/sign-in/types.ts';
import { machineOf } from '../../src/store/machine.ts';

const [task = '', folder = '', name = '', count = '1'] = process.argv.slice(2);
const store = openCredentials({ folder, machine: machineOf(process, hostname()), clock: systemClock });

/** Synchronous: what was said stays said when the process is killed in the next moment. */
function say(line: string): void {
  let rest = Buffer.from(`${line}\n`);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      // The reader is slow.
      if (codeOf(error) !== 'EAGAIN') throw error;
    }
  }
}

async function save(one: CredentialRecord) {
  const reserved = store.reserve();
  try {
    return await reserved.keep(one)();
  } finally {
    reserved.release();
  }
}

function record(profile: string, token: string) {
  return { profile, baseUrl: 'https://x.example', token, createdAt: new Date().toISOString() };
}

/** Signs in again and again, a few profiles in turn, until it is killed. */
async function saveUntilKilled(): Promise<void> {
  for (let number = 0; ; number += 1) {
    const profile = `p${number % 3}`;
    const token = `svc_CANARY_${name}_${number}`;
    say(`trying ${profile} ${token}`);
    const saved = await save(record(profile, token));
    say(`${saved.kind} ${profile} ${token}`);
  }
}

async function saveMany(): Promise<void> {
  for (let number = 0; number < Number(count); number += 1) {
    const profile = `${name}-${number}`;
    say(`${(await save(record(profile, `svc_CANARY_${profile}`))).kind} ${profile}`);
  }
}

/** Signs in with the record that the name holds as JSON. */
async function saveRecord(): Promise<void> {
  say(JSON.stringify(await save({ ...JSON.parse(name), createdAt: new Date().toISOString() })));
}

const tasks = { 'save-until-killed': saveUntilKilled, 'save-many': saveMany, 'save-record': saveRecord };

tasks[task as keyof typeof tasks]().catch((error) => {
  if (!(error instanceof CliError)) throw error;
  say(JSON.stringify({ kind: 'error', exitCode: error.exitCode, message: error.message }));
});
