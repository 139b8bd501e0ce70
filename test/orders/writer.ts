// A process that keeps orders; bundled by `processes.ts`, because Node 20 runs no TypeScript.
import { writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { systemClock } from '../../src/clock.ts';
import { CliError } from '../../src/errors.ts';
import { openJournal } from '../../src/orders/journal.ts';
import { machineOf } from '../../src/store/machine.ts';
import { AGREES, planOf } from './plan.ts';

const [task = '', folder = '', name = ''] = process.argv.slice(2);
const journal = openJournal(() => folder, machineOf(process, hostname()), systemClock);

/** Synchronous: what was said stays said when the process is killed in the next moment. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}

/** On a busy machine a process may wait for the lock in vain; then nothing was changed. */
async function untilUnlocked<T>(step: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof CliError) || !error.message.includes('keeps')) throw error;
    }
  }
}

const begin = (label: string) => untilUnlocked(() => journal.begin(planOf(label), AGREES));

async function order(label: string): Promise<void> {
  const begun = await begin(label);
  if (begun?.kind !== 'begun') return say(`${begun?.kind} ${label}`);
  const { entry } = begun;
  say(`begun ${label} ${entry.key}`);
  const printed = await untilUnlocked(() => journal.close(entry, { orderId: `ord_${label}`, answer: '{}' }));
  say(`closed ${label} ${entry.key}`);
  await untilUnlocked(printed);
  say(`printed ${label} ${entry.key}`);
}

async function main(): Promise<void> {
  if (task === 'begin-one') {
    const begun = await begin(name);
    say(`${begun?.kind} ${begun !== undefined && 'entry' in begun ? begun.entry.key : ''}`);
    // Alive until the test has heard all of them.
    setInterval(() => {}, 1_000);
    return;
  }
  for (let number = 0; ; number += 1) await order(`${name}-${number}`);
}

void main();
