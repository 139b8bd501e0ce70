// A process that begins an order; bundled by `processes.ts`, because Node 20 runs no TypeScript.
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { systemClock } from '../../src/clock.ts';
import { CliError } from '../../src/errors.ts';
import { type Decision, decide } from '../../src/orders/decide.ts';
import { beginOrder, readOrders } from '../../src/orders/journal.ts';
import { createMachine } from '../../src/store/machine.ts';
import { draftOf, wantedOf } from './orders.ts';

const [folder = ''] = process.argv.slice(2);
const machine = createMachine(process, hostname());
const keeper = {
  store: { configFolder: () => folder, machine },
  time: { clock: systemClock },
} as Parameters<typeof readOrders>[0];

/** Agrees to whatever the journal says, until the order is begun or refused. */
async function begin() {
  const wanted = wantedOf(draftOf('same', { key: randomUUID() }));
  let agreed: Decision = decide(await readOrders(keeper), wanted, systemClock.now(), machine);
  for (let look = 0; look < 10; look += 1) {
    if (agreed.kind === 'refused') return agreed;
    const begun = await beginOrder(wanted, agreed, 120_000, keeper);
    if (begun.kind === 'begun') return begun;
    agreed = begun;
  }
  throw new Error('the journal changes all the time');
}

async function main(): Promise<void> {
  try {
    const result = await begin();
    writeSync(1, `${result.kind} ${result.entry?.key}\n`);
  } catch (error) {
    // On a busy machine a process may wait for the lock in vain; then nothing was changed.
    if (!(error instanceof CliError) || !error.message.includes('keeps')) throw error;
    return main();
  }
  // Alive until the test has heard all of them.
  setInterval(() => {}, 1_000);
}

void main();
