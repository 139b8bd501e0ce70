import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Decision, decide, type WantedOrder } from '../../src/orders/decide.ts';
import type { OrderEntry } from '../../src/orders/entry.ts';
import {
  beginOrder,
  JOURNAL_FILE,
  type OrderFacts,
  readOrders,
  recordOrder,
  setOlderOrdersAside,
  settleOrder,
} from '../../src/orders/journal.ts';
import { getOwnerMark } from '../../src/store/lock.ts';
import { createMachine } from '../../src/store/machine.ts';
import { fakeClock } from '../support/clock.ts';
import { temporaryFolder } from '../support/svc.ts';
import { draftOf, wantedOf } from './orders.ts';

const PATIENCE_MS = 120_000;
const DAY_MS = 24 * 3_600_000;
const MACHINE = createMachine(process, 'here');

let keys = 0;

/** The same order of the same account every time, with a key of its own. */
function blog(draft: Partial<OrderEntry> = {}, more: Partial<WantedOrder> = {}): WantedOrder {
  keys += 1;
  return wantedOf(draftOf('blog', { key: `k${keys}`, ...draft }), more);
}

/**
 * The journal of a folder, as this process and one of another machine, which counts as alive, have
 * it.
 */
async function stage() {
  const folder = await temporaryFolder();
  const clock = fakeClock();
  const time = { clock } as unknown as Parameters<typeof readOrders>[0]['time'];
  const warnings: unknown[] = [];
  const io = { warn: async (...words: unknown[]) => void warnings.push(words) };

  const open = (machine = MACHINE) => {
    const store = { configFolder: () => folder, machine };
    const keeper = { store, time } as Parameters<typeof readOrders>[0];
    const read = () => readOrders(keeper);
    /** Begins an order that is agreed to, whatever is known of it. */
    const begin = async (wanted = blog()) => {
      const agreed = decide(await read(), wanted, clock.now(), machine);
      return beginOrder(wanted, agreed, PATIENCE_MS, keeper);
    };
    return {
      read,
      begin,
      begun: async (wanted = blog()): Promise<OrderEntry> => {
        const begun = await begin(wanted);
        if (begun.kind !== 'begun') throw new Error(`not begun: ${begun.kind}`);
        return begun.entry;
      },
      beginAgreed: (wanted: WantedOrder, agreed: Decision) =>
        beginOrder(wanted, agreed, PATIENCE_MS, keeper),
      record: (entry: OrderEntry, facts: OrderFacts | undefined) =>
        recordOrder(entry, facts, keeper),
      settle: (entry: OrderEntry, orderId: string | undefined) =>
        settleOrder(entry, orderId, keeper),
      setAside: () =>
        setOlderOrdersAside({ ...keeper, io } as unknown as Parameters<
          typeof setOlderOrdersAside
        >[0]),
    };
  };

  const path = join(folder, JOURNAL_FILE);
  const text = () => readFileSync(path, 'utf8');
  const orders = (): OrderEntry[] => JSON.parse(text()).orders;
  const theirs = open({ ...MACHINE, hostname: 'there' });
  return { folder, clock, path, text, orders, warnings, mine: open(), theirs };
}

const placedAs = (orderId: string): OrderFacts => ({ state: 'placed', orderId });
const UNKNOWN: OrderFacts = { state: 'unknown' };

test('an order is on the disk before it may be sent, for its user alone', async () => {
  const { mine, path, orders } = await stage();
  const wanted = blog();

  await mine.begun(wanted);

  expect(statSync(path).mode & 0o777).toBe(0o600);
  const sender = { mark: getOwnerMark(MACHINE), until: '2026-03-01T12:02:00.000Z' };
  const createdAt = '2026-03-01T12:00:00.000Z';
  expect(orders()).toEqual([
    JSON.parse(JSON.stringify({ ...wanted.draft, state: 'sending', createdAt, sender })),
  ]);
});

test('the same order keeps its key and time until it is placed, and has another key afterwards', async () => {
  const { mine, orders, clock, text } = await stage();
  const first = await mine.begun();
  await mine.record(first, UNKNOWN);
  clock.advance(1_000);

  const again = await mine.begun();
  await mine.record(again, placedAs('ord_1'));

  const { key, createdAt } = first;
  const placedAt = '2026-03-01T12:00:01.000Z';
  expect(orders()).toMatchObject([{ key, createdAt, placedAt, state: 'placed' }]);
  expect(text(), 'the number is no longer needed').not.toMatch(/670000042|"sender"/);
  expect((await mine.begun(blog({}, { newOrder: true }))).key).not.toBe(key);
});

test('no account records or settles the order of another, even under the same key', async () => {
  const { mine, orders } = await stage();
  const keyed = { key: 'row-1', ownKey: true };
  const first = await mine.begun(blog(keyed));
  const second = await mine.begun(blog({ ...keyed, account: { profile: 'home' } }));

  await mine.record(second, placedAs('ord_2'));

  expect(orders()).toMatchObject([
    { state: 'sending', account: { profile: 'work' } },
    { state: 'placed', account: { profile: 'home' } },
  ]);
  expect(await mine.settle(first, undefined)).toBe(true);
  expect(orders()).toMatchObject([{ orderId: 'ord_2' }]);
});

test('an order that was surely not placed is forgotten', async () => {
  const { mine, orders } = await stage();

  await mine.record(await mine.begun(), undefined);

  expect(orders()).toEqual([]);
});

test('an order that was placed is sent again with its key, and the journal stays as it is', async () => {
  const { mine, text } = await stage();
  const keyed = blog({ key: 'mine', ownKey: true });
  await mine.record(await mine.begun(keyed), placedAs('ord_1'));
  const before = text();

  const again = await mine.begun(keyed);

  expect(again).toMatchObject({ key: 'mine', state: 'placed', orderId: 'ord_1' });
  expect(text()).toBe(before);
});

describe('an order belongs to the process that sends it', () => {
  test('until that has given up', async () => {
    const { mine, theirs } = await stage();
    const entry = await theirs.begun();

    expect(await mine.begin()).toMatchObject({ kind: 'refused', obstacle: 'being_sent' });
    await theirs.record(entry, UNKNOWN);
    expect(await mine.begin()).toMatchObject({ kind: 'begun', entry: { key: entry.key } });
  });

  test('until its time is over; if it wakes late, it changes nothing', async () => {
    const { mine, theirs, clock, orders } = await stage();
    const late = await theirs.begun();
    clock.advance(PATIENCE_MS);
    const now = await mine.begun();

    await theirs.record(late, undefined);
    await theirs.record(late, UNKNOWN);

    expect(orders()).toMatchObject([{ state: 'sending', sender: now.sender }]);
  });

  test('but an order id that it learns late is always recorded', async () => {
    const { mine, theirs, clock, orders } = await stage();
    const late = await theirs.begun();
    clock.advance(PATIENCE_MS);
    await mine.begun();

    await theirs.record(late, placedAs('ord_1'));

    expect(orders()).toMatchObject([{ key: late.key, state: 'placed', orderId: 'ord_1' }]);
  });

  test('and even if somebody has settled it as not placed', async () => {
    const { mine, theirs, clock, orders } = await stage();
    const late = await theirs.begun();
    clock.advance(PATIENCE_MS);
    expect(await mine.settle(late, undefined)).toBe(true);

    await theirs.record(late, placedAs('ord_1'));

    expect(orders()).toMatchObject([{ key: late.key, state: 'placed', orderId: 'ord_1' }]);
  });

  test('what is placed does not become unknown by a late answer that contradicts itself', async () => {
    const { mine, theirs, clock, orders } = await stage();
    const late = await theirs.begun();
    clock.advance(PATIENCE_MS);
    await mine.record(await mine.begun(), placedAs('ord_1'));

    await theirs.record(late, { state: 'unknown', orderId: 'ord_1' });

    expect(orders()).toMatchObject([{ state: 'placed', orderId: 'ord_1' }]);
  });
});

test('what another svc does during the question is told before anything is begun', async () => {
  const { mine, orders } = await stage();
  const wanted = blog();
  const agreed = { kind: 'new', entry: undefined } as const;
  const first = await mine.begun();

  const told = await mine.beginAgreed(wanted, agreed);
  await mine.record(first, placedAs('ord_1'));
  const toldAgain = await mine.beginAgreed(wanted, { kind: 'again', entry: first });

  expect(told).toMatchObject({ kind: 'again', entry: { key: first.key } });
  expect(toldAgain).toMatchObject({ kind: 'second', entries: [{ orderId: 'ord_1' }] });
  expect(orders()).toHaveLength(1);
});

describe('an order that somebody has looked up', () => {
  test('is removed if there is none', async () => {
    const { mine, orders } = await stage();
    const entry = await mine.begun();

    expect(await mine.settle(entry, undefined)).toBe(true);
    expect(orders()).toEqual([]);
    expect(await mine.settle(entry, undefined), 'there is nothing to settle').toBe(false);
  });

  test('is placed if it was found, and without the number', async () => {
    const { mine, orders, text } = await stage();
    const entry = await mine.begun();

    expect(await mine.settle(entry, 'ord_2')).toBe(true);
    expect(orders()).toMatchObject([{ state: 'placed', orderId: 'ord_2' }]);
    expect(text()).not.toContain('670000042');
    expect(await mine.settle(entry, undefined), 'its answer is known').toBe(false);
  });

  test('is left to the process that sends it', async () => {
    const { mine, theirs, clock } = await stage();
    const entry = await theirs.begun();

    expect(await mine.settle(entry, 'ord_3')).toBe(false);
    clock.advance(PATIENCE_MS);
    await mine.begun();
    expect(await mine.settle(entry, 'ord_3'), 'another process has it').toBe(false);
  });
});

test('a journal that cannot be understood is never guessed at, and left as it is', async () => {
  const { mine, path, text } = await stage();
  await mine.begun();
  const whole = text();
  const damaged = [
    '{',
    '{"version":2,"orders":{}}',
    whole.replace('"sending"', '"open"'),
    whole.replace(/"createdAt": "[^"]*"/, '"createdAt": "soon"'),
    whole.replace(/"body": ".*"/, '"body": "[]"'),
  ];

  for (const one of damaged) {
    expect(one).not.toBe(whole);
    writeFileSync(path, one);
    const refusal = { code: 'usage', message: `The list of orders is damaged: ${path}.` };
    await expect(mine.begin(), one).rejects.toMatchObject(refusal);
    expect(text()).toBe(one);
  }
});

describe('the list of an older svc', () => {
  const CLOSED = { key: 'k', state: 'closed', orderId: 'ord_1' };
  const OPEN = { key: 'k', state: 'open' };
  const older = (...orders: object[]) => JSON.stringify({ version: 1, orders });
  const asides = (folder: string) => readdirSync(folder).filter((name) => /corrupt/.test(name));

  test('is moved aside, and named in a warning', async () => {
    const { mine, folder, path, warnings } = await stage();
    writeFileSync(path, older(CLOSED), { mode: 0o600 });

    await mine.setAside();

    const [aside = ''] = asides(folder);
    expect(readFileSync(join(folder, aside), 'utf8')).toBe(older(CLOSED));
    const text = `The list of orders was written by an older svc. It is now ${join(folder, aside)}.`;
    expect(warnings).toEqual([[text, 'orders_set_aside']]);
    expect(await mine.read()).toEqual([]);
  });

  test('with an order in doubt stops the next purchase, once', async () => {
    const { mine, path } = await stage();
    writeFileSync(path, older(CLOSED, OPEN), { mode: 0o600 });

    const message = expect.stringContaining('It has 1 in doubt. Nothing was sent.');
    await expect(mine.setAside()).rejects.toMatchObject({ code: 'usage', message });
    await mine.setAside();
    expect(await mine.begin()).toMatchObject({ kind: 'begun' });
  });

  test.each([
    ['no list at all', undefined],
    ['one that has no orders', older()],
    ['one of this svc', '{"version":2,"orders":[]}'],
    ['a damaged one', '{'],
  ])('is not confused with %s', async (_what, content) => {
    const { mine, folder, path, warnings } = await stage();
    if (content !== undefined) writeFileSync(path, content, { mode: 0o600 });

    await mine.setAside();

    expect(warnings).toEqual([]);
    expect(asides(folder)).toEqual([]);
  });
});

test('what a later svc adds to an order is kept', async () => {
  const { mine, path, text, orders } = await stage();
  const { key } = await mine.begun();
  writeFileSync(path, text().replace('"key"', '"later": 2, "key"'));

  await mine.begun(blog({}, { newOrder: key }));

  expect(orders()).toMatchObject([{ later: 2 }, {}]);
});

test('the latest 1,000 placed orders are remembered for a year, an unknown one until it is settled', async () => {
  const { mine, path, orders, clock } = await stage();
  const first = await mine.begun();
  await mine.record(first, UNKNOWN);
  const second = await mine.begun(blog({}, { newOrder: first.key }));
  await mine.record(second, placedAs('ord_0'));
  const [unknown, placed] = orders();
  const many = Array.from({ length: 1_000 }, (_, index) => ({ ...placed, key: `p${index}` }));
  writeFileSync(path, JSON.stringify({ version: 2, orders: [unknown, placed, ...many] }));

  clock.advance(365 * DAY_MS);
  const known = await mine.read();
  expect(known).toHaveLength(1_001);
  expect(known[0]?.state).toBe('unknown');
  expect(known[1]?.key).toBe('p0');
  expect(known.at(-1)?.key).toBe('p999');

  clock.advance(2 * DAY_MS);
  expect(await mine.read()).toMatchObject([{ key: first.key }]);
  await mine.begun(blog({}, { newOrder: first.key }));
  expect(orders().map(({ state }) => state)).toEqual(['unknown', 'sending']);
});
