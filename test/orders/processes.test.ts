import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { decide } from '../../src/orders/decide.ts';
import { readOrders } from '../../src/orders/journal.ts';
import { createMachine } from '../../src/store/machine.ts';
import { writers } from '../sign-in/processes.ts';
import { temporaryFolder } from '../support/svc.ts';
import { draftOf, wantedOf } from './orders.ts';

const start = writers(join(import.meta.dirname, 'writer.ts'));

// What a kill leaves of a whole purchase is in e2e/buy-kill.test.ts.
test('of sixteen processes that want the same order at once, one may send it', async () => {
  const folder = await temporaryFolder();
  const all = Array.from({ length: 16 }, () => start([folder]));
  const said = await Promise.all(all.map(async (writer) => String(await writer.next())));
  const [begun, ...more] = said.filter((line) => line.startsWith('begun '));
  expect(more).toEqual([]);
  const [, key] = String(begun).split(' ');
  expect(said.filter((line) => line !== begun)).toEqual(Array(15).fill(`refused ${key}`));

  for (const writer of all) writer.kill();
  await Promise.all(all.map(({ ended }) => ended));

  const machine = createMachine(process, hostname());
  const keeper = {
    store: { configFolder: () => folder, machine },
    time: { clock: systemClock },
  } as Parameters<typeof readOrders>[0];
  const wanted = wantedOf(draftOf('same', { key: 'new' }));
  expect(decide(await readOrders(keeper), wanted, systemClock.now(), machine)).toMatchObject({
    kind: 'again',
    entry: { key },
  });
}, 600_000);
