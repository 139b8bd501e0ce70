import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { JOURNAL_FILE } from '../../src/orders/file.ts';
import { type Begun, type OrderPlan, openJournal } from '../../src/orders/journal.ts';
import type { OrderStanding } from '../../src/orders/match.ts';
import { contentsOf, fingerprint, type OrderEntry } from '../../src/orders/order.ts';
import { ownerMark } from '../../src/store/lock.ts';
import { machineOf } from '../../src/store/machine.ts';
import { fakeClock } from '../support/clock.ts';
import { temporaryFolder } from '../support/svc.ts';

const ADDRESS = 'https://api.example.com';
const PATIENCE_MS = 120_000;
const BODY = '{"items":[{"planId":"plan_a"}],"mobileMoneyPhone":"+237670000042"}';
const HOUR_MS = 3_600_000;
const MACHINE = machineOf(process, 'here');
/** Another machine; what runs there counts as alive. */
const THERE = { ...MACHINE, hostname: 'there' };

function plan(changes: Partial<OrderPlan> = {}): OrderPlan {
  return {
    contents: contentsOf(changes.body ?? BODY),
    fingerprint: fingerprint(changes.body ?? BODY),
    address: ADDRESS,
    account: { profile: 'work' },
    org: undefined,
    body: BODY,
    summary: 'plan plan_a; mobile money, from +**********42',
    items: 'plan plan_a',
    key: undefined,
    isNew: false,
    isResumed: false,
    ...changes,
  };
}

async function journal() {
  const folder = await temporaryFolder();
  const clock = fakeClock();
  return { folder, clock, path: join(folder, JOURNAL_FILE), journal: openJournal(() => folder, MACHINE, clock) };
}

type Journal = ReturnType<typeof openJournal>;
type Standing = OrderStanding | undefined;

/** Begins an order that is agreed to, whatever is known of it. */
function begin(journal: Journal, wanted: OrderPlan, agree = async (_known: Standing, _isChanged: boolean) => {}) {
  const doWithout = async (error: unknown) => {
    throw error;
  };
  return journal.begin(wanted, { patienceMs: PATIENCE_MS, agree, doWithout });
}

/** What the journal knows of an order, and says before anything is begun. */
async function look(journal: Journal, wanted: OrderPlan) {
  const no = new Error('no');
  let told: Standing;
  const refuse = async (known: Standing) => {
    told = known;
    throw no;
  };
  const refused = await begin(journal, wanted, refuse).catch((error) => expect(error).toBe(no));
  return told ?? refused;
}

const onDisk = (path: string): OrderEntry[] => JSON.parse(readFileSync(path, 'utf8')).orders;

const begun = async (beginning: ReturnType<typeof begin>): Promise<Begun> => {
  const result = await beginning;
  if (result?.kind !== 'begun') throw new Error(`not begun: ${result?.kind}`);
  return result;
};

test('a purchase is on the disk before it may be sent, as plain JSON for its user alone', async () => {
  const { journal: written, path } = await journal();
  const { entry: record, earlier } = await begun(begin(written, plan()));
  expect(earlier).toBeUndefined();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    version: 1,
    orders: [
      {
        key: record.key,
        ownKey: false,
        state: 'open',
        createdAt: '2026-03-01T12:00:00.000Z',
        address: ADDRESS,
        account: { profile: 'work' },
        summary: 'plan plan_a; mobile money, from +**********42',
        items: 'plan plan_a',
        fingerprint: expect.stringMatching(/^[\w-]{43}$/),
        contents: [{ planId: 'plan_a', renew: false, quantity: 1 }],
        body: BODY,
        sender: { mark: ownerMark(MACHINE), until: '2026-03-01T12:02:00.000Z' },
      },
    ],
  });
});

test('the same purchase keeps its key until it is closed, and has another one afterwards', async () => {
  const { journal: written, path } = await journal();
  const first = await begun(begin(written, plan()));
  const again = await begun(begin(written, plan()));
  expect(again.entry.key).toBe(first.entry.key);
  expect(again.earlier).toMatchObject({ key: first.entry.key, state: 'open' });
  expect(await written.unfinished()).toHaveLength(1);
  await written.close(again.entry, { orderId: 'ord_1' });
  expect(await written.unfinished()).toEqual([]);
  const [closed, ...others] = onDisk(path);
  expect(closed).toMatchObject({ key: first.entry.key, state: 'closed', orderId: 'ord_1' });
  expect(Object.keys(closed ?? {})).not.toContain('sender');
  expect(readFileSync(path, 'utf8'), 'a finished purchase holds no number').not.toContain('670000042');
  expect(others).toEqual([]);
  const next = await begun(begin(written, plan()));
  expect(next.entry.key).not.toBe(first.entry.key);
  expect(await look(written, plan({ isNew: true }))).toMatchObject({ kind: 'new', doubts: [{ key: next.entry.key }] });
});

test('a purchase is resumed with the bytes it began with', async () => {
  const { journal: written, path } = await journal();
  await begun(begin(written, plan()));
  const otherOrder = '{"mobileMoneyPhone":"+237670000042","items":[{"planId":"plan_a"}]}';
  const again = await begun(begin(written, plan({ body: otherOrder })));
  expect(again.entry.body).toBe(BODY);
  expect(onDisk(path).map(({ body }) => body)).toEqual([BODY]);
});

test('no account resumes, closes or forgets the purchase of another, even under the same key', async () => {
  const { journal: written, path } = await journal();
  const other = plan({ account: { profile: 'home' } });
  const first = await begun(begin(written, plan()));
  const second = await begun(begin(written, other));
  expect(second.earlier).toBeUndefined();
  expect(second.entry.key).not.toBe(first.entry.key);
  const third = await begun(begin(written, { ...other, isNew: true, key: first.entry.key }));
  expect(third.earlier).toBeUndefined();
  await written.close(third.entry, { orderId: 'ord_3' });
  await written.forget(second.entry, undefined);
  expect(await written.unfinished()).toMatchObject([{ key: first.entry.key, account: { profile: 'work' } }]);
  expect(onDisk(path)).toHaveLength(2);
});

test('a purchase that came to nothing is forgotten; one that its user had the answer of stays', async () => {
  const { journal: written, path } = await journal();
  const first = await begun(begin(written, plan({ key: 'mine' })));
  await written.forget(first.entry, first.earlier);
  expect(onDisk(path)).toEqual([]);
  await written.close((await begun(begin(written, plan({ key: 'mine' })))).entry, { orderId: 'ord_1' });
  const again = await begun(begin(written, plan({ key: 'mine' })));
  await written.forget(again.entry, again.earlier);
  expect(onDisk(path)).toMatchObject([{ key: 'mine', state: 'closed', orderId: 'ord_1' }]);
});

test('a second purchase on purpose gets a new key', async () => {
  const { journal: written } = await journal();
  const first = await begun(begin(written, plan()));
  const second = await begun(begin(written, plan({ isNew: true })));
  expect(second.entry.key).not.toBe(first.entry.key);
  expect((await written.unfinished()).map(({ key }) => key)).toEqual([first.entry.key, second.entry.key]);
});

test('a chosen key is refused to another body, and to no one else', async () => {
  const { journal: written } = await journal();
  const { entry: record } = await begun(begin(written, plan({ key: 'mine' })));
  expect(record.key).toBe('mine');
  const other = { key: 'mine', body: '{"items":[]}' };
  expect(await begin(written, plan(other))).toMatchObject({ kind: 'key_taken' });
  expect((await begun(begin(written, plan({ key: 'mine' })))).earlier).toMatchObject({ key: 'mine' });
  const elsewhere = plan({ ...other, address: 'https://api.example.org' });
  expect((await begun(begin(written, elsewhere))).earlier).toBeUndefined();
  expect(await written.unfinished()).toHaveLength(2);
});

test('a purchase that another process is sending is left to it until it has ended or its time is over', async () => {
  const { journal: written, folder, clock } = await journal();
  const theirs = openJournal(() => folder, THERE, clock);
  const { entry: record } = await begun(begin(theirs, plan()));
  for (const key of [undefined, record.key]) {
    expect(await begin(written, plan({ key }))).toMatchObject({ kind: 'in_flight' });
    expect(await look(written, plan({ key }))).toMatchObject({ kind: 'in_flight' });
  }
  await theirs.release(record);
  expect(await look(written, plan())).toMatchObject({ kind: 'same' });
  await begun(begin(theirs, plan()));
  clock.advance(PATIENCE_MS);
  expect(await look(written, plan())).toMatchObject({ kind: 'same' });
});

test('a process that wakes after its deadline leaves the purchase to the one sending it now', async () => {
  const { journal: written, folder, clock, path } = await journal();
  const theirs = openJournal(() => folder, THERE, clock);
  const late = await begun(begin(theirs, plan()));
  clock.advance(PATIENCE_MS);
  const now = await begun(begin(written, plan()));
  await theirs.forget(late.entry, undefined);
  await theirs.release(late.entry);
  expect(onDisk(path)).toMatchObject([{ state: 'open', sender: { until: now.entry.sender?.until } }]);
});

test('an unfinished purchase stays, and is not repeated without consent, whatever the clock says', async () => {
  for (const offsetMs of [25 * HOUR_MS, 31 * 24 * HOUR_MS, 366 * 24 * HOUR_MS, -25 * HOUR_MS, -366 * 24 * HOUR_MS]) {
    const { journal: written, clock } = await journal();
    const closed = await begun(begin(written, plan()));
    await written.close(closed.entry, { orderId: 'ord_1' });
    const open = await begun(begin(written, plan()));
    clock.shiftWall(offsetMs);
    expect(await look(written, plan())).toMatchObject({ kind: 'new', doubts: [{ key: open.entry.key }] });
    const late = await begun(begin(written, plan({ isNew: true })));
    expect((await written.unfinished()).map(({ key }) => key)).toEqual([open.entry.key, late.entry.key]);
  }
});

test('what another svc does during the question is told before anything is begun', async () => {
  const { journal: written, folder, clock, path } = await journal();
  const another = openJournal(() => folder, MACHINE, clock);
  const steps = [
    async () => begin(another, plan()),
    async () => another.close((await begun(begin(another, plan()))).entry, { orderId: 'ord_1' }),
  ];
  const told: unknown[] = [];
  const gone = await begin(written, plan(), async (known, isChanged) => {
    told.push([known, isChanged]);
    await steps.shift()?.();
  });
  expect(told).toMatchObject([
    [{ kind: 'new', doubts: [] }, false],
    [{ kind: 'same' }, true],
  ]);
  expect(gone, 'who went on with an order does not place another').toMatchObject({ kind: 'finished' });
  steps.push(async () => another.close((await begun(begin(another, plan()))).entry, { orderId: 'ord_2' }));
  told.length = 0;
  const second = await begin(written, plan(), async (known, isChanged) => {
    told.push([known, isChanged]);
    await steps.shift()?.();
  });
  expect(told).toMatchObject([
    [{ settled: { orderId: 'ord_1' } }, false],
    [{ settled: { orderId: 'ord_2' } }, true],
  ]);
  expect(second).toMatchObject({ kind: 'begun' });
  expect(onDisk(path)).toHaveLength(3);
});

test('a second order that was asked for is begun, whatever another svc does meanwhile', async () => {
  const { journal: written, folder, clock, path } = await journal();
  let times = 0;
  const second = await begin(written, plan({ isNew: true }), async () => {
    times += 1;
    await begin(
      openJournal(() => folder, MACHINE, clock),
      plan(),
    );
  });
  expect([second?.kind, times]).toEqual(['begun', 1]);
  expect(onDisk(path)).toHaveLength(2);
});

test('who may order without the journal is asked once, knowing nothing', async () => {
  const nowhere = openJournal(() => '/dev/null/svc', MACHINE, fakeClock());
  const heard: unknown[] = [];
  const ways = {
    patienceMs: PATIENCE_MS,
    agree: async (...known: unknown[]) => void heard.push(known),
    doWithout: async (error: unknown) => void heard.push((error as Error).message),
  };
  expect(await nowhere.begin(plan({ key: 'mine' }), ways)).toBeUndefined();
  expect(heard).toEqual([expect.stringContaining('ENOTDIR'), [undefined, false]]);
});

test('of several that want the answer that nobody could read, one has it, and nobody is asked', async () => {
  const { journal: written, folder, clock, path } = await journal();
  const theirs = openJournal(() => folder, THERE, clock);
  const sent = await begun(begin(written, plan()));
  const answer = { orderId: 'ord_1', answer: '{"orderId":"ord_1"}' };
  const printed = await written.close(sent.entry, answer);
  expect(onDisk(path)).toMatchObject([{ state: 'closed', answer: answer.answer, sender: sent.entry.sender }]);
  expect(readFileSync(path, 'utf8'), 'the number is no longer needed').not.toContain('670000042');
  const asks = async () => {
    throw new Error('nobody may be asked');
  };
  const reprint = await begin(written, plan(), asks);
  expect(reprint).toMatchObject({ kind: 'reprint', entry: answer });
  expect(await look(theirs, plan()), 'it is being printed').toMatchObject({ kind: 'new', settled: answer });
  clock.advance(PATIENCE_MS);
  const again = await begin(theirs, plan(), asks);
  expect(again, 'its printer gave up').toMatchObject({ kind: 'reprint' });
  await printed();
  expect(onDisk(path), 'who comes late changes nothing').toMatchObject([{ answer: answer.answer }]);
  if (again?.kind === 'reprint') await again.printed();
  expect(onDisk(path)[0]).not.toHaveProperty('answer');
  expect(onDisk(path)[0]).not.toHaveProperty('sender');
  expect(await begin(written, plan())).toMatchObject({ kind: 'begun' });
});

test('the text of an answer is not kept for longer than a day', async () => {
  const { journal: written, clock, path } = await journal();
  const { entry } = await begun(begin(written, plan()));
  await written.close(entry, { orderId: 'ord_1', answer: '{"phone":"+237670000042"}' });
  clock.advance(24 * HOUR_MS);
  expect(await look(written, plan())).toMatchObject({ kind: 'new' });
  await begun(begin(written, plan({ isNew: true, body: '{"items":[]}' })));
  expect(readFileSync(path, 'utf8')).not.toContain('670000042');
});

test('a purchase that somebody has looked up is closed, or removed if there is no order', async () => {
  const { journal: written, path, folder, clock } = await journal();
  const { entry: record } = await begun(begin(written, plan()));
  expect(await written.settle(record, undefined)).toBe(true);
  expect(onDisk(path)).toEqual([]);
  expect(await written.settle(record, undefined), 'there is nothing to settle').toBe(false);
  const second = await begun(begin(written, plan()));
  expect(await written.settle(second.entry, 'ord_2')).toBe(true);
  expect(onDisk(path)).toMatchObject([{ state: 'closed', orderId: 'ord_2' }]);
  const released = { ...second.entry, sender: undefined };
  expect(await written.settle(released, undefined), 'its answer is known by now').toBe(false);
  expect(onDisk(path)).toMatchObject([{ state: 'closed', orderId: 'ord_2' }]);
  expect(readFileSync(path, 'utf8')).not.toContain('670000042');
  const theirs = await begun(
    begin(
      openJournal(() => folder, THERE, clock),
      plan({ isNew: true }),
    ),
  );
  expect(await written.settle(theirs.entry, 'ord_3'), 'it is being sent').toBe(false);
  clock.advance(PATIENCE_MS);
  const again = await begun(begin(written, plan()));
  expect(await written.settle(theirs.entry, 'ord_3'), 'another process has it').toBe(false);
  expect(await written.settle(again.entry, 'ord_3')).toBe(true);
});

test('of twenty that begin the same purchase at once, all have one key', async () => {
  const folder = await temporaryFolder();
  const beginOne = () =>
    begun(
      begin(
        openJournal(() => folder, MACHINE, systemClock),
        plan(),
      ),
    );
  const keys = (await Promise.all(Array.from({ length: 20 }, beginOne))).map(({ entry: record }) => record.key);
  expect(new Set(keys).size).toBe(1);
});

test('of twenty different purchases begun at once, none is lost', async () => {
  const folder = await temporaryFolder();
  const bodies = Array.from({ length: 20 }, (_, quantity) => JSON.stringify({ items: [{ quantity }] }));
  const beginOne = (body: string) =>
    begun(
      begin(
        openJournal(() => folder, MACHINE, systemClock),
        plan({ body }),
      ),
    );
  await Promise.all(bodies.map(beginOne));
  expect(await openJournal(() => folder, MACHINE, systemClock).unfinished()).toHaveLength(20);
});

test('a journal that cannot be understood is never guessed at, and left as it is', async () => {
  const { journal: written, path } = await journal();
  await begun(begin(written, plan()));
  const whole = readFileSync(path, 'utf8');
  const damaged = [
    '',
    '{',
    '[]',
    '{"version":1}',
    '{"version":1,"orders":{}}',
    '{"version":"1","orders":[]}',
    whole.slice(0, -20),
    whole.replace('"open"', '"opened"'),
    whole.replace(/"createdAt": "[^"]*"/, '"createdAt": "soon"'),
    whole.replace(/"fingerprint": "[^"]*"/, '"fingerprint": 7'),
    whole.replace(/"contents": \[[^\]]*\]/, '"contents": "plan_a"'),
    whole.replace(/"profile": "[^"]*"/, '"profiles": "work"'),
    whole.replace(/"body": ".*"/, '"body": "{"'),
    whole.replace(/"body": ".*"/, '"body": "[]"'),
    whole.replace(/"body": ".*"/, '"bodies": "{}"'),
  ];
  for (const text of damaged) {
    expect(text).not.toBe(whole);
    writeFileSync(path, text);
    const refusal = { code: 'usage', message: `The list of orders is damaged: ${path}.` };
    await expect(written.unfinished(), text).rejects.toMatchObject(refusal);
    await expect(begin(written, plan()), text).rejects.toMatchObject(refusal);
    expect(readFileSync(path, 'utf8')).toBe(text);
  }
  writeFileSync(path, '{"version":2,"orders":"elsewhere"}');
  await expect(written.unfinished()).rejects.toThrow(`${path} was written by a newer svc.`);
});

test('what a later svc adds to an order and to the journal is kept', async () => {
  const { journal: written, path } = await journal();
  await begun(begin(written, plan()));
  const { orders, ...rest } = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...rest, later: [1], orders: [{ ...orders[0], later: 2 }] }));
  await begun(begin(written, plan({ isNew: true })));
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ later: [1], orders: [{ later: 2 }, {}] });
});

test('an order is remembered for a year, and the latest 1,000 that are closed; an open one until it is settled', async () => {
  const { journal: written, path, clock } = await journal();
  const open = await begun(begin(written, plan()));
  await written.release(open.entry);
  const { entry: record } = await begun(begin(written, plan({ isNew: true })));
  await written.close(record, { orderId: 'ord_0' });
  const { version, orders } = JSON.parse(readFileSync(path, 'utf8'));
  const [first, closed] = orders;
  const many = Array.from({ length: 1_000 }, (_, index) => ({ ...closed, key: `k${index}`, orderId: `ord_${index}` }));
  writeFileSync(path, JSON.stringify({ version, orders: [first, closed, ...many] }));
  const known = await written.all();
  expect([known.length, known[0]?.state, known[1]?.key, known.at(-1)?.key]).toEqual([1_001, 'open', 'k0', 'k999']);
  clock.advance(365 * 24 * HOUR_MS);
  expect(await written.all()).toHaveLength(1_001);
  clock.advance(2 * 24 * HOUR_MS);
  expect(await written.all()).toEqual([open.entry].map((one) => ({ ...one, sender: undefined })));
  await begun(begin(written, plan({ isNew: true })));
  expect(onDisk(path).map(({ state }) => state)).toEqual(['open', 'open']);
});

test('a folder that takes no file is said to be one, before anything else happens', async () => {
  const { journal: written, path } = await journal();
  mkdirSync(path);
  chmodSync(path, 0o700);
  await expect(begin(written, plan())).rejects.toMatchObject({ code: 'usage' });
  const nowhere = openJournal(() => '/dev/null/svc', MACHINE, fakeClock());
  await expect(begin(nowhere, plan())).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(/^Cannot read \/dev\/null\/svc\/orders\.json: .*\(ENOTDIR\)\.$/),
  });
  const folder = join(await temporaryFolder(), 'svc');
  const later = openJournal(() => folder, MACHINE, fakeClock());
  const blocked = begin(later, plan(), async () => writeFileSync(folder, 'in the way'));
  await expect(blocked).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(/^Cannot (?:save the list of orders in|read) .*\(ENOTDIR\)\.$/),
  });
});
