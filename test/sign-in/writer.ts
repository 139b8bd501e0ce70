// A process that uses the store; bundled by `processes.ts`, because Node 20 runs no TypeScript.
import { writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { systemClock } from '../../src/clock.ts';
import { CliError } from '../../src/errors.ts';
import { openCredentials } from '../../src/sign-in/store.ts';
import { machineOf } from '../../src/store/machine.ts';

const [task = '', folder = '', name = '', count = '1', size = '0'] = process.argv.slice(2);
const store = openCredentials({
  folder,
  stateDir: process.env['STATE_DIR'],
  tempDir: process.env['TEMP_DIR'] ?? '/nonexistent',
  machine: machineOf(process, hostname()),
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
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
}

function record(profile: string, token: string) {
  const clientName = 'x'.repeat(Number(size));
  return { profile, baseUrl: 'https://x.example', token, createdAt: new Date().toISOString(), clientName };
}

/** Signs in again and again, a few profiles in turn, until it is killed. */
async function saveUntilKilled(): Promise<void> {
  for (let number = 0; ; number += 1) {
    const profile = `p${number % 3}`;
    const token = `svc_CANARY_${name}_${number}`;
    say(`trying ${profile} ${token}`);
    const saved = await store.save(record(profile, token), store.reserve());
    say(`${saved.kind} ${profile} ${token}`);
  }
}

async function saveMany(): Promise<void> {
  for (let number = 0; number < Number(count); number += 1) {
    const profile = `${name}-${number}`;
    const saved = await store.save(record(profile, `svc_CANARY_${profile}`), store.reserve());
    say(`${saved.kind} ${profile}`);
  }
}

/** One sign-in, with and without room reserved for it. */
async function saveOnce(reserves: boolean): Promise<void> {
  const saved = await store.save(record(name, `svc_CANARY_${name}`), reserves ? store.reserve() : undefined);
  say(JSON.stringify(saved));
}

/** Signs in with the record that the name holds as JSON. */
async function saveRecord(): Promise<void> {
  const saved = await store.save({ ...JSON.parse(name), createdAt: new Date().toISOString() }, store.reserve());
  say(JSON.stringify(saved));
}

const tasks: Readonly<Record<string, () => Promise<void>>> = {
  'save-until-killed': saveUntilKilled,
  'save-many': saveMany,
  'save-record': saveRecord,
  'save-reserved': () => saveOnce(true),
  'save-unreserved': () => saveOnce(false),
};

void tasks[task]?.().catch((error) => {
  if (!(error instanceof CliError)) throw error;
  say(JSON.stringify({ kind: 'error', exitCode: error.exitCode, message: error.message }));
});
