// A process that begins an order; bundled by `processes.ts`, because Node 20 runs no TypeScript.
import { writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { systemClock } from '../../src/clock.ts';
import { CliError } from '../../src/errors.ts';
import { openJournal } from '../../src/orders/journal.ts';
import { machineOf } from '../../src/store/machine.ts';
import { AGREES, planOf } from './plan.ts';

const [folder = ''] = process.argv.slice(2);
const journal = openJournal({
  store: { configFolder: () => folder, machine: machineOf(process, hostname()) },
  time: { clock: systemClock },
});

async function main(): Promise<void> {
  try {
    const begun = await journal.begin(planOf('same'), AGREES);
    writeSync(
      1,
      `${begun?.kind} ${begun !== undefined && 'entry' in begun ? begun.entry.key : ''}\n`,
    );
  } catch (error) {
    // On a busy machine a process may wait for the lock in vain; then nothing was changed.
    if (!(error instanceof CliError) || !error.message.includes('keeps')) throw error;
    return main();
  }
  // Alive until the test has heard all of them.
  setInterval(() => {}, 1_000);
}

void main();
