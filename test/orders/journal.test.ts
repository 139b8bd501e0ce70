import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { JOURNAL_FILE } from '../../src/orders/file.ts';
import { type Asking, type Begun, type OrderJournal, type OrderPlan, openJournal } from '../../src/orders/journal.ts';
import type { OrderStanding } from '../../src/orders/match.ts';
import type { OrderEntry } from '../../src/orders/order.ts';
import { ownerMark } from '../../src/store/lock.ts';
import { machineOf } from '../../src/store/machine.ts';
import { fakeClock } from '../support/clock.ts';
import { temporaryFolder } from '../support/svc.ts';
import { AGREES, planOf } from './plan.ts';

const { patienceMs: PATIENCE_MS } = AGREES;
const HOUR_MS = 3_600_000;
const MACHINE = machineOf(process, 'here');
/** Another machine; what runs there counts as alive. */
const THERE = { ...MACHINE, hostname: 'there' };

const plan = (changes: Partial<OrderPlan> = {}) => planOf('blog', changes);
const BODY = plan().body;

/** The journal of a folder, as this process, another one and one of another machine have it. */
async function journal() {
  const folder = await temporaryFolder();
  const clock = fakeClock();
  const open = (machine = MACHINE) => openJournal(() => folder, machine, clock);
  return { clock, path: join(folder, JOURNAL_FILE), journal: open(), another: open(), theirs: open(THERE) };
}

/** Begins an order that is agreed to, whatever is known of it. */
function begin(journal: OrderJournal, wanted: OrderPlan, agree: Asking['agree'] = AGREES.agree) {
  return journal.begin(wanted, { ...AGREES, agree });
}

/** What the journal knows of an order, and says before anything is begun. */
async function look(journal: OrderJournal, wanted: OrderPlan) {
  const no = new Error('no');
  let told: OrderStanding | undefined;
  const refused = await begin(journal, wanted, async (known) => {
    told = known;
    throw no;
  }).catch((error) => expect(error).toBe(no));
  return told ?? refused;
}

const onDisk = (path: string): OrderEntry[] => JSON.parse(readFileSync(path, 'utf8')).orders;

/** An order that is begun. */
async function begun(journal: OrderJournal, wanted = plan()): Promise<Begun> {
  const result = await begin(journal, wanted);
  if (result?.kind !== 'begun') throw new Error(`not begun: ${result?.kind}`);
  return result;
}

test('a purchase is on the disk before it may be sent, as plain JSON for its user alone', async () => {
  const { journal: written, path } = await journal();
  const { entry: record, earlier } = await begun(written);
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
        address: 'https://api.example.com',
        account: { profile: 'work' },
        summary: 'blog',
        items: 'blog',
        fingerprint: expect.stringMatching(/^[\w-]{43}$/),
        contents: [{ planId: 'plan_a', label: 'blog', renew: false, quantity: 1 }],
        body: BODY,
        sender: { mark: ownerMark(MACHINE), until: '2026-03-01T12:02:00.000Z' },
      },
    ],
  });
});

test('the same purchase keeps its key until it is closed, and has another one afterwards', async () => {
  const { journal: written, path } = await journal();
  const first = await begun(written);
  const again = await begun(written);
  expect(again.entry.key).toBe(first.entry.key);
  expect(again.earlier).toMatchObject({ key: first.entry.key, state: 'open' });
  expect(await written.unfinished()).toHaveLength(1);
  await written.close(again.entry, { orderId: 'ord_1' });
  expect(await written.unfinished()).toEqual([]);
  expect(onDisk(path)).toMatchObject([{ key: first.entry.key, state: 'closed', orderId: 'ord_1' }]);
  expect(readFileSync(path, 'utf8'), 'of a finished purchase').not.toMatch(/670000042|"sender"/);
  const next = await begun(written);
  expect(next.entry.key).not.toBe(first.entry.key);
  expect(await look(written, plan({ isNew: true }))).toMatchObject({ kind: 'new', doubts: [{ key: next.entry.key }] });
});

test('no account resumes, closes or forgets the purchase of another, even under the same key', async () => {
  const { journal: written, path } = await journal();
  const other = plan({ account: { profile: 'home' } });
  const first = await begun(written);
  const second = await begun(written, other);
  expect(second.earlier).toBeUndefined();
  expect(second.entry.key).not.toBe(first.entry.key);
  const third = await begun(written, { ...other, isNew: true, key: first.entry.key });
  expect(third.earlier).toBeUndefined();
  await written.close(third.entry, { orderId: 'ord_3' });
  await written.forget(second.entry, undefined);
  expect(await written.unfinished()).toMatchObject([{ key: first.entry.key, account: { profile: 'work' } }]);
  expect(onDisk(path)).toHaveLength(2);
});

test('a purchase that came to nothing is forgotten; one that its user had the answer of stays', async () => {
  const { journal: written, path } = await journal();
  const mine = plan({ key: 'mine' });
  const first = await begun(written, mine);
  await written.forget(first.entry, first.earlier);
  expect(onDisk(path)).toEqual([]);
  await written.close((await begun(written, mine)).entry, { orderId: 'ord_1' });
  const again = await begun(written, mine);
  await written.forget(again.entry, again.earlier);
  expect(onDisk(path)).toMatchObject([{ key: 'mine', state: 'closed', orderId: 'ord_1' }]);
});

test('a purchase that another process is sending is left to it until it has ended or its time is over', async () => {
  const { journal: written, theirs, clock } = await journal();
  const { entry: record } = await begun(theirs);
  expect(await begin(written, plan())).toMatchObject({ kind: 'in_flight' });
  await theirs.release(record);
  expect(await look(written, plan())).toMatchObject({ kind: 'same' });
  await begun(theirs);
  clock.advance(PATIENCE_MS);
  expect(await look(written, plan())).toMatchObject({ kind: 'same' });
});

test('a process that wakes after its deadline leaves the purchase to the one sending it now', async () => {
  const { journal: written, theirs, clock, path } = await journal();
  const late = await begun(theirs);
  clock.advance(PATIENCE_MS);
  const now = await begun(written);
  await theirs.forget(late.entry, undefined);
  await theirs.release(late.entry);
  expect(onDisk(path)).toMatchObject([{ state: 'open', sender: { until: now.entry.sender?.until } }]);
});

test('what another svc does during the question is told before anything is begun', async () => {
  const { journal: written, another, path } = await journal();
  const told: unknown[] = [];
  const steps: (() => Promise<unknown>)[] = [];
  const agree = async (...known: unknown[]) => {
    told.push(known);
    await steps.shift()?.();
  };
  const finish = async (orderId: string) => another.close((await begun(another)).entry, { orderId });
  steps.push(
    () => begun(another),
    () => finish('ord_1'),
  );
  const gone = await begin(written, plan(), agree);
  expect(gone, 'who went on with an order does not place another').toMatchObject({ kind: 'finished' });
  steps.push(() => finish('ord_2'));
  expect(await begin(written, plan(), agree)).toMatchObject({ kind: 'begun' });
  expect(told).toMatchObject([
    [{ kind: 'new', doubts: [] }, false],
    [{ kind: 'same' }, true],
    [{ settled: { orderId: 'ord_1' } }, false],
    [{ settled: { orderId: 'ord_2' } }, true],
  ]);
  expect(onDisk(path)).toHaveLength(3);
});

test('a second order that was asked for is begun, whatever another svc does meanwhile', async () => {
  const { journal: written, another, path } = await journal();
  let times = 0;
  const second = await begin(written, plan({ isNew: true }), async () => {
    times += 1;
    await begun(another);
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
  const { journal: written, theirs, clock, path } = await journal();
  const sent = await begun(written);
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
  const { entry } = await begun(written);
  await written.close(entry, { orderId: 'ord_1', answer: '{"phone":"+237670000042"}' });
  clock.advance(24 * HOUR_MS);
  expect(await look(written, plan())).toMatchObject({ kind: 'new' });
  await begun(written, plan({ isNew: true, body: '{"items":[]}' }));
  expect(readFileSync(path, 'utf8')).not.toContain('670000042');
});

test('a purchase that somebody has looked up is closed, or removed if there is no order', async () => {
  const { journal: written, path, theirs, clock } = await journal();
  const { entry: record } = await begun(written);
  expect(await written.settle(record, undefined)).toBe(true);
  expect(onDisk(path)).toEqual([]);
  expect(await written.settle(record, undefined), 'there is nothing to settle').toBe(false);
  const second = await begun(written);
  expect(await written.settle(second.entry, 'ord_2')).toBe(true);
  expect(onDisk(path)).toMatchObject([{ state: 'closed', orderId: 'ord_2' }]);
  const released = { ...second.entry, sender: undefined };
  expect(await written.settle(released, undefined), 'its answer is known by now').toBe(false);
  expect(onDisk(path)).toMatchObject([{ state: 'closed', orderId: 'ord_2' }]);
  expect(readFileSync(path, 'utf8')).not.toContain('670000042');
  const third = await begun(theirs, plan({ isNew: true }));
  expect(await written.settle(third.entry, 'ord_3'), 'it is being sent').toBe(false);
  clock.advance(PATIENCE_MS);
  const again = await begun(written);
  expect(await written.settle(third.entry, 'ord_3'), 'another process has it').toBe(false);
  expect(await written.settle(again.entry, 'ord_3')).toBe(true);
});

test('a journal that cannot be understood is never guessed at, and left as it is', async () => {
  const { journal: written, path } = await journal();
  await begun(written);
  const whole = readFileSync(path, 'utf8');
  const damaged = [
    ...['', '{', '[]', '{"version":1}', '{"version":1,"orders":{}}', '{"version":"1","orders":[]}'],
    whole.slice(0, -20),
    whole.replace('"open"', '"opened"'),
    whole.replace(/"createdAt": "[^"]*"/, '"createdAt": "soon"'),
    whole.replace(/"fingerprint": "[^"]*"/, '"fingerprint": 7'),
    whole.replace(/"contents": \[[^\]]*\]/, '"contents": "plan_a"'),
    whole.replace(/"profile": "[^"]*"/, '"profiles": "work"'),
    whole.replace(/"body": ".*"/, '"body": "[]"'),
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
  await begun(written);
  const { orders, ...rest } = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({ ...rest, later: [1], orders: [{ ...orders[0], later: 2 }] }));
  await begun(written, plan({ isNew: true }));
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ later: [1], orders: [{ later: 2 }, {}] });
});

test('an order is remembered for a year, and the latest 1,000 that are closed; an open one until it is settled', async () => {
  const { journal: written, path, clock } = await journal();
  const open = await begun(written);
  await written.release(open.entry);
  const { entry: record } = await begun(written, plan({ isNew: true }));
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
  await begun(written, plan({ isNew: true }));
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
