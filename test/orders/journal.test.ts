import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { JOURNAL_FILE } from '../../src/orders/file.ts';
import {
  type Asking,
  type OrderJournal,
  type OrderPlan,
  openJournal,
} from '../../src/orders/journal.ts';
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
const NUMBER = '670000042';

const plan = (changes: Partial<OrderPlan> = {}) => planOf('blog', changes);

/**
 * The journal of a folder, as this process and one of another machine, which counts as alive, have
 * it.
 */
async function stage() {
  const folder = await temporaryFolder();
  const clock = fakeClock();
  const open = (machine = MACHINE) =>
    openJournal({ store: { configFolder: () => folder, machine }, time: { clock } });
  const path = join(folder, JOURNAL_FILE);
  const text = () => readFileSync(path, 'utf8');
  const orders = (): OrderEntry[] => JSON.parse(text()).orders;
  return {
    clock,
    path,
    text,
    orders,
    journal: open(),
    theirs: open({ ...MACHINE, hostname: 'there' }),
  };
}

/** Begins an order that is agreed to, whatever is known of it. */
function begin(journal: OrderJournal, wanted = plan(), agree: Asking['agree'] = AGREES.agree) {
  return journal.begin(wanted, { ...AGREES, agree });
}

/** What the journal knows of an order, and says before anything is begun. */
async function look(journal: OrderJournal) {
  let told: OrderStanding | undefined;
  const refused = await begin(journal, plan(), async (known) => {
    told = known;
    throw new Error('no');
  }).catch(() => undefined);
  return told ?? refused;
}

/** An order that is begun. */
async function begun(journal: OrderJournal, wanted = plan()) {
  const result = await begin(journal, wanted);
  if (result?.kind !== 'begun') throw new Error(`not begun: ${result?.kind}`);
  return result;
}

test('an order is on the disk before it may be sent, for its user alone', async () => {
  const { journal, path, orders } = await stage();
  const { entry, earlier } = await begun(journal);
  expect([earlier, statSync(path).mode & 0o777]).toEqual([undefined, 0o600]);
  const sender = { mark: ownerMark(MACHINE), until: '2026-03-01T12:02:00.000Z' };
  const { body, address, account, fingerprint } = plan();
  const of = {
    key: entry.key,
    ownKey: false,
    state: 'open',
    createdAt: '2026-03-01T12:00:00.000Z',
  };
  expect(orders()).toMatchObject([{ ...of, address, account, fingerprint, body, sender }]);
});

test('the same order keeps its key until it is closed, and has another one afterwards', async () => {
  const { journal, text, orders } = await stage();
  const { entry: first } = await begun(journal);
  const { entry, earlier } = await begun(journal);
  expect([entry.key, earlier?.key, (await journal.unfinished()).length]).toEqual([
    first.key,
    first.key,
    1,
  ]);
  await journal.close(entry, { orderId: 'ord_1' });
  expect(orders()).toMatchObject([{ key: first.key, state: 'closed', orderId: 'ord_1' }]);
  expect(text()).not.toMatch(/670000042|"sender"/);
  expect((await begun(journal)).entry.key).not.toBe(first.key);
});

test('no account resumes, closes or forgets the order of another, even under the same key', async () => {
  const { journal, orders } = await stage();
  const other = plan({ account: { profile: 'home' } });
  const { entry: first } = await begun(journal);
  const second = await begun(journal, other);
  expect(second.earlier).toBeUndefined();
  const third = await begun(journal, { ...other, isNew: true, key: first.key });
  expect(third.earlier).toBeUndefined();
  await journal.close(third.entry, { orderId: 'ord_3' });
  await journal.forget(second.entry, undefined);
  expect(await journal.unfinished()).toMatchObject([
    { key: first.key, account: { profile: 'work' } },
  ]);
  expect(orders()).toHaveLength(2);
});

test('an order that came to nothing is forgotten; one that its user had the answer of stays', async () => {
  const { journal, orders } = await stage();
  const mine = plan({ key: 'mine' });
  const first = await begun(journal, mine);
  await journal.forget(first.entry, first.earlier);
  expect(orders()).toEqual([]);
  await journal.close((await begun(journal, mine)).entry, { orderId: 'ord_1' });
  const again = await begun(journal, mine);
  await journal.forget(again.entry, again.earlier);
  expect(orders()).toMatchObject([{ key: 'mine', state: 'closed', orderId: 'ord_1' }]);
});

test('an order belongs to the process that sends it until that has ended or its time is over', async () => {
  const { journal, theirs, clock, orders } = await stage();
  const { entry } = await begun(theirs);
  expect(await begin(journal)).toMatchObject({ kind: 'in_flight' });
  await theirs.release(entry);
  expect(await look(journal)).toMatchObject({ kind: 'same' });
  const late = await begun(theirs);
  clock.advance(PATIENCE_MS);
  const now = await begun(journal);
  await theirs.forget(late.entry, undefined);
  await theirs.release(late.entry);
  expect(orders(), 'who wakes late').toMatchObject([{ state: 'open', sender: now.entry.sender }]);
});

test('what another svc does during the question is told before anything is begun', async () => {
  const { journal, orders } = await stage();
  const told: unknown[] = [];
  const finish = async (orderId: string) =>
    journal.close((await begun(journal)).entry, { orderId });
  const steps: (() => Promise<unknown>)[] = [() => begun(journal), () => finish('ord_1')];
  const agree = async (...known: unknown[]) => {
    told.push(known);
    await steps.shift()?.();
  };
  const gone = await begin(journal, plan(), agree);
  expect(gone, 'who went on with an order does not place another').toMatchObject({
    kind: 'finished',
  });
  steps.push(() => finish('ord_2'));
  expect(await begin(journal, plan(), agree)).toMatchObject({ kind: 'begun' });
  expect(told).toMatchObject([
    [{ kind: 'new', doubts: [] }, false],
    [{ kind: 'same' }, true],
    [{ settled: { orderId: 'ord_1' } }, false],
    [{ settled: { orderId: 'ord_2' } }, true],
  ]);
  expect(orders()).toHaveLength(3);
});

test('of several that want the answer that nobody could read, one has it, and nobody is asked', async () => {
  const { journal, theirs, clock, text, orders } = await stage();
  const { entry } = await begun(journal);
  const answer = { orderId: 'ord_1', answer: '{"orderId":"ord_1"}' };
  const printed = await journal.close(entry, answer);
  expect(orders()).toMatchObject([
    { state: 'closed', answer: answer.answer, sender: entry.sender },
  ]);
  expect(text()).not.toContain(NUMBER);
  const asks = () => Promise.reject(new Error('nobody may be asked'));
  expect(await begin(journal, plan(), asks)).toMatchObject({ kind: 'reprint', entry: answer });
  expect(await look(theirs), 'it is being printed').toMatchObject({ kind: 'new', settled: answer });
  clock.advance(PATIENCE_MS);
  const again = await begin(theirs, plan(), asks);
  expect(again, 'its printer gave up').toMatchObject({ kind: 'reprint' });
  await printed();
  expect(orders(), 'who comes late changes nothing').toMatchObject([{ answer: answer.answer }]);
  if (again?.kind === 'reprint') await again.printed();
  expect(text()).not.toMatch(/"answer"|"sender"/);
  expect(await begin(journal)).toMatchObject({ kind: 'begun' });
});

test('the text of an answer is not kept for longer than a day', async () => {
  const { journal, clock, text } = await stage();
  await journal.close((await begun(journal)).entry, {
    orderId: 'ord_1',
    answer: `{"phone":"${NUMBER}"}`,
  });
  clock.advance(24 * HOUR_MS);
  await begun(journal, plan({ body: '{"items":[]}' }));
  expect(text()).not.toContain(NUMBER);
});

test('an order that somebody has looked up is closed, or removed if there is none, unless another svc has it', async () => {
  const { journal, orders, text, theirs, clock } = await stage();
  const { entry: first } = await begun(journal);
  expect(await journal.settle(first, undefined)).toBe(true);
  expect(orders()).toEqual([]);
  expect(await journal.settle(first, undefined), 'there is nothing to settle').toBe(false);
  const { entry: second } = await begun(journal);
  expect(await journal.settle(second, 'ord_2')).toBe(true);
  expect(
    await journal.settle({ ...second, sender: undefined }, undefined),
    'its answer is known',
  ).toBe(false);
  expect(orders()).toMatchObject([{ state: 'closed', orderId: 'ord_2' }]);
  expect(text()).not.toContain(NUMBER);
  const { entry: third } = await begun(theirs, plan({ isNew: true }));
  expect(await journal.settle(third, 'ord_3'), 'it is being sent').toBe(false);
  clock.advance(PATIENCE_MS);
  await begun(journal);
  expect(await journal.settle(third, 'ord_3'), 'another process has it').toBe(false);
});

test('a journal that cannot be understood is never guessed at, and left as it is', async () => {
  const { journal, path, text } = await stage();
  await begun(journal);
  const whole = text();
  const damaged = [
    ...['{', '{"version":1,"orders":{}}'],
    whole.replace('"open"', '"opened"'),
    whole.replace(/"createdAt": "[^"]*"/, '"createdAt": "soon"'),
    whole.replace(/"fingerprint": "[^"]*"/, '"fingerprint": 7'),
    whole.replace(/"contents": \[[^\]]*\]/, '"contents": "plan_a"'),
    whole.replace(/"profile": "[^"]*"/, '"profiles": "work"'),
    whole.replace(/"body": ".*"/, '"body": "[]"'),
  ];
  for (const one of damaged) {
    expect(one).not.toBe(whole);
    writeFileSync(path, one);
    const refusal = { code: 'usage', message: `The list of orders is damaged: ${path}.` };
    await expect(begin(journal), one).rejects.toMatchObject(refusal);
    expect(text()).toBe(one);
  }
});

test('what a later svc adds to an order is kept', async () => {
  const { journal, path, text, orders } = await stage();
  await begun(journal);
  writeFileSync(path, text().replace('"key"', '"later": 2, "key"'));
  await begun(journal, plan({ isNew: true }));
  expect(orders()).toMatchObject([{ later: 2 }, {}]);
});

test('the latest 1,000 closed orders are remembered for a year, an open one until it is settled', async () => {
  const { journal, path, orders, clock } = await stage();
  const { entry } = await begun(journal);
  await journal.release(entry);
  await journal.close((await begun(journal, plan({ isNew: true }))).entry, { orderId: 'ord_0' });
  const [open, closed] = orders();
  const many = Array.from({ length: 1_000 }, (_, index) => ({ ...closed, key: `k${index}` }));
  writeFileSync(path, JSON.stringify({ version: 1, orders: [open, closed, ...many] }));
  clock.advance(365 * 24 * HOUR_MS);
  const known = await journal.all();
  expect([known.length, known[0]?.state, known[1]?.key, known.at(-1)?.key]).toEqual([
    1_001,
    'open',
    'k0',
    'k999',
  ]);
  clock.advance(2 * 24 * HOUR_MS);
  expect(await journal.all()).toMatchObject([{ key: entry.key }]);
  await begun(journal, plan({ isNew: true }));
  expect(orders().map(({ state }) => state)).toEqual(['open', 'open']);
});
