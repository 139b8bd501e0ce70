import { readdirSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openJournal } from '../../src/orders/journal.ts';
import { machineOf } from '../../src/store/machine.ts';
import { writers } from '../sign-in/processes.ts';
import { figure } from '../support/figure.ts';
import { isSoak, tries } from '../support/property.ts';
import { temporaryFolder } from '../support/svc.ts';
import { AGREES, planOf } from './plan.ts';

const start = writers(join(import.meta.dirname, 'writer.ts'));
const journalOf = (folder: string) => openJournal(() => folder, machineOf(process, hostname()), systemClock);

test('of sixteen processes that want the same order at once, one may send it', async () => {
  const folder = await temporaryFolder();
  const all = Array.from({ length: 16 }, () => start(['begin-one', folder, 'same']));
  const said = await Promise.all(all.map(async (writer) => String(await writer.next())));
  const [begun, ...more] = said.filter((line) => line.startsWith('begun '));
  expect(more).toEqual([]);
  const [, key] = String(begun).split(' ');
  expect(said.filter((line) => line !== begun)).toEqual(Array(15).fill(`in_flight ${key}`));
  for (const writer of all) writer.kill();
  await Promise.all(all.map(({ ended }) => ended));
  const again = await journalOf(folder).begin(planOf('same'), AGREES);
  expect(again).toMatchObject({ kind: 'begun', earlier: { key } });
}, 600_000);

test('kill -9 at any moment forgets no order that may be sent, and leaves nothing behind the next writer', async () => {
  const { numRuns, seed } = tries(200, 20_261_124);
  const moments = fc.sample(fc.noBias(fc.integer({ min: 0, max: 25 })), { numRuns, seed });
  let inTheMiddle = 0;
  const folder = await temporaryFolder();
  const journal = journalOf(folder);
  for (const [run, moment] of moments.entries()) {
    const writer = start(['order', folder, `r${run}`]);
    await writer.next();
    await systemClock.sleep(moment);
    writer.kill();
    expect(await writer.ended, 'it was killed, and had not failed before').toBeNull();
    if (readdirSync(folder).length > 1) inTheMiddle += 1;
    const ends = new Map(writer.lines.map((line) => [line.split(' ')[1] ?? '', line.split(' ')] as const));
    const known = new Map((await journal.all()).map((entry) => [entry.summary, entry] as const));
    for (const [label, [said, , key]] of ends) {
      const entry = known.get(label);
      expect(entry, label).toMatchObject({ key });
      if (said !== 'begun') expect(entry).toMatchObject({ state: 'closed', orderId: `ord_${label}` });
      if (said === 'printed') expect(entry).not.toHaveProperty('answer', expect.anything());
    }
    const [label, [said, , key]] = [...ends].at(-1) ?? ['', []];
    const next = await journal.begin(planOf(label), AGREES);
    // Another step may have been on the disk before it could be said.
    if (next?.kind === 'begun' && next.earlier === undefined) expect(['closed', 'printed']).toContain(said);
    else expect(next).toMatchObject({ entry: { key } });
    expect(readdirSync(folder)).toEqual(['orders.json']);
  }
  // Otherwise the kills came too late or too early to test anything; in a few runs of `npm test` that may be.
  if (isSoak) expect(inTheMiddle).toBeGreaterThan(0);
  figure('Kill -9 on the orders', numRuns, `${inTheMiddle} in the middle of a write, seed ${seed}`);
}, 600_000);
