import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { machineOf } from '../../../src/vault/machine.ts';
import { type Begun, JOURNAL_FILE, openJournal, type Plan } from '../../../src/vault/purchases/journal.ts';
import type { PurchaseRecord } from '../../../src/vault/purchases/record.ts';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/svc.ts';

const ADDRESS = 'https://api.example.com';
const PATIENCE_MS = 120_000;
const BODY = '{"items":[{"planId":"plan_a"}],"mobileMoneyPhone":"+237670000042"}';
const HOUR_MS = 3_600_000;
const MACHINE = machineOf(process, 'here');
/** Another machine; what runs there counts as alive. */
const THERE = { ...MACHINE, hostname: 'there' };

function plan(changes: Partial<Plan> = {}): Plan {
  return {
    address: ADDRESS,
    account: { profile: 'work' },
    org: undefined,
    body: BODY,
    summary: 'plan plan_a; mobile money, from +**********42',
    key: undefined,
    isNew: false,
    isResumed: false,
    ...changes,
  };
}

async function journal() {
  const folder = await temporaryFolder();
  const clock = fakeClock();
  return { folder, clock, path: join(folder, JOURNAL_FILE), journal: openJournal(folder, MACHINE, clock) };
}

const onDisk = (path: string): PurchaseRecord[] => JSON.parse(readFileSync(path, 'utf8')).purchases;

const begun = async (beginning: ReturnType<ReturnType<typeof openJournal>['begin']>): Promise<Begun> => {
  const result = await beginning;
  if (result.kind !== 'begun') throw new Error(`not begun: ${result.kind}`);
  return result;
};

test('a purchase is on the disk before it may be sent, as plain JSON for its user alone', async () => {
  const { journal: written, path } = await journal();
  const { record, earlier } = await begun(written.begin(plan(), PATIENCE_MS));
  expect(earlier).toBeUndefined();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
    version: 2,
    purchases: [
      {
        key: record.key,
        state: 'open',
        createdAt: '2026-03-01T12:00:00.000Z',
        address: ADDRESS,
        account: { profile: 'work' },
        summary: 'plan plan_a; mobile money, from +**********42',
        fingerprint: expect.stringMatching(/^[\w-]{43}$/),
        body: BODY,
        sender: expect.objectContaining({ host: 'here', pid: process.pid, until: '2026-03-01T12:02:00.000Z' }),
      },
    ],
  });
});

test('the same purchase keeps its key until it is closed, and has another one afterwards', async () => {
  const { journal: written, path } = await journal();
  const first = await begun(written.begin(plan(), PATIENCE_MS));
  const again = await begun(written.begin(plan(), PATIENCE_MS));
  expect(again.record.key).toBe(first.record.key);
  expect(again.earlier).toMatchObject({ key: first.record.key, state: 'open' });
  expect(await written.unfinished()).toHaveLength(1);
  await written.close(again.record, 'ord_1');
  expect(await written.unfinished()).toEqual([]);
  const [closed, ...others] = onDisk(path);
  expect(closed).toMatchObject({ key: first.record.key, state: 'closed', orderId: 'ord_1' });
  expect(Object.keys(closed ?? {})).not.toContain('sender');
  expect(readFileSync(path, 'utf8'), 'a finished purchase holds no number').not.toContain('670000042');
  expect(others).toEqual([]);
  const next = await begun(written.begin(plan(), PATIENCE_MS));
  expect(next.record.key).not.toBe(first.record.key);
  expect(await written.look(plan({ isNew: true }))).toMatchObject({ kind: 'none', alike: { key: next.record.key } });
});

test('a purchase is resumed with the bytes it began with', async () => {
  const { journal: written, path } = await journal();
  await begun(written.begin(plan(), PATIENCE_MS));
  const otherOrder = '{"mobileMoneyPhone":"+237670000042","items":[{"planId":"plan_a"}]}';
  const again = await begun(written.begin(plan({ body: otherOrder }), PATIENCE_MS));
  expect(again.record.body).toBe(BODY);
  expect(onDisk(path).map(({ body }) => body)).toEqual([BODY]);
});

test('no account resumes, closes or forgets the purchase of another, even under the same key', async () => {
  const { journal: written, path } = await journal();
  const other = plan({ account: { profile: 'home' } });
  const first = await begun(written.begin(plan(), PATIENCE_MS));
  const second = await begun(written.begin(other, PATIENCE_MS));
  expect(second.earlier).toBeUndefined();
  expect(second.record.key).not.toBe(first.record.key);
  const third = await begun(written.begin({ ...other, isNew: true, key: first.record.key }, PATIENCE_MS));
  expect(third.earlier).toBeUndefined();
  await written.close(third.record, 'ord_3');
  await written.forget(second.record);
  expect(await written.unfinished()).toMatchObject([{ key: first.record.key, account: { profile: 'work' } }]);
  expect(onDisk(path)).toHaveLength(2);
});

test('a purchase that came to nothing is forgotten', async () => {
  const { journal: written, path } = await journal();
  const { record } = await begun(written.begin(plan(), PATIENCE_MS));
  await written.forget(record);
  expect(onDisk(path)).toEqual([]);
});

test('a second purchase on purpose gets a new key', async () => {
  const { journal: written } = await journal();
  const first = await begun(written.begin(plan(), PATIENCE_MS));
  const second = await begun(written.begin(plan({ isNew: true }), PATIENCE_MS));
  expect(second.record.key).not.toBe(first.record.key);
  expect((await written.unfinished()).map(({ key }) => key)).toEqual([first.record.key, second.record.key]);
});

test('a chosen key is refused to another body, and to no one else', async () => {
  const { journal: written } = await journal();
  const { record } = await begun(written.begin(plan({ key: 'mine' }), PATIENCE_MS));
  expect(record.key).toBe('mine');
  const other = { key: 'mine', body: '{"items":[]}' };
  expect(await written.begin(plan(other), PATIENCE_MS)).toMatchObject({ kind: 'key_taken' });
  expect((await begun(written.begin(plan({ key: 'mine' }), PATIENCE_MS))).earlier).toMatchObject({ key: 'mine' });
  const elsewhere = plan({ ...other, address: 'https://api.example.org' });
  expect((await begun(written.begin(elsewhere, PATIENCE_MS))).earlier).toBeUndefined();
  expect(await written.unfinished()).toHaveLength(2);
});

test('a purchase that another process is sending is left to it until it has ended or its time is over', async () => {
  const { journal: written, folder, clock } = await journal();
  const theirs = openJournal(folder, THERE, clock);
  const { record } = await begun(theirs.begin(plan(), PATIENCE_MS));
  for (const key of [undefined, record.key]) {
    expect(await written.begin(plan({ key }), PATIENCE_MS)).toMatchObject({ kind: 'in_flight' });
    expect(await written.look(plan({ key }))).toMatchObject({ kind: 'in_flight' });
  }
  await theirs.release(record);
  expect(await written.look(plan())).toMatchObject({ kind: 'same' });
  await begun(theirs.begin(plan(), PATIENCE_MS));
  clock.advance(PATIENCE_MS);
  expect(await written.look(plan())).toMatchObject({ kind: 'same' });
});

test('a process that wakes after its deadline leaves the purchase to the one sending it now', async () => {
  const { journal: written, folder, clock, path } = await journal();
  const theirs = openJournal(folder, THERE, clock);
  const late = await begun(theirs.begin(plan(), PATIENCE_MS));
  clock.advance(PATIENCE_MS);
  const now = await begun(written.begin(plan(), PATIENCE_MS));
  await theirs.forget(late.record);
  await theirs.release(late.record);
  expect(onDisk(path)).toMatchObject([{ state: 'open', sender: { until: now.record.sender?.until } }]);
});

test('an unfinished purchase is not repeated without consent for 30 days, and is then dropped', async () => {
  const { journal: written, path, clock } = await journal();
  const closed = await begun(written.begin(plan(), PATIENCE_MS));
  await written.close(closed.record, 'ord_1');
  const open = await begun(written.begin(plan(), PATIENCE_MS));
  clock.advance(25 * HOUR_MS);
  expect(await written.begin(plan(), PATIENCE_MS)).toMatchObject({
    kind: 'unresolved',
    record: { key: open.record.key },
  });
  const late = await begun(written.begin(plan({ isNew: true }), PATIENCE_MS));
  expect(onDisk(path).map(({ key }) => key)).toEqual([open.record.key, late.record.key]);
  expect((await written.unfinished()).map(({ key }) => key)).toEqual([open.record.key, late.record.key]);
  clock.advance(30 * 24 * HOUR_MS);
  expect(await written.unfinished()).toEqual([]);
  expect(await written.look(plan()), 'what is dropped is not pointed at').toEqual({ kind: 'none', alike: undefined });
  await begun(written.begin(plan(), PATIENCE_MS));
  expect(onDisk(path)).toHaveLength(1);
});

test('of twenty that begin the same purchase at once, all have one key', async () => {
  const folder = await temporaryFolder();
  const begin = () => begun(openJournal(folder, MACHINE, systemClock).begin(plan(), PATIENCE_MS));
  const keys = (await Promise.all(Array.from({ length: 20 }, begin))).map(({ record }) => record.key);
  expect(new Set(keys).size).toBe(1);
});

test('of twenty different purchases begun at once, none is lost', async () => {
  const folder = await temporaryFolder();
  const bodies = Array.from({ length: 20 }, (_, quantity) => JSON.stringify({ items: [{ quantity }] }));
  const begin = (body: string) => begun(openJournal(folder, MACHINE, systemClock).begin(plan({ body }), PATIENCE_MS));
  await Promise.all(bodies.map(begin));
  expect(await openJournal(folder, MACHINE, systemClock).unfinished()).toHaveLength(20);
});

test('a journal that cannot be understood is never guessed at, and left as it is', async () => {
  const { journal: written, path } = await journal();
  await begun(written.begin(plan(), PATIENCE_MS));
  const whole = readFileSync(path, 'utf8');
  const damaged = [
    '',
    '{',
    '[]',
    '{"version":2}',
    '{"version":2,"purchases":{}}',
    '{"version":0,"purchases":[]}',
    '{"version":1,"purchases":[]}',
    whole.slice(0, -20),
    whole.replace('"open"', '"opened"'),
    whole.replace(/"createdAt": "[^"]*"/, '"createdAt": "soon"'),
    whole.replace(/"fingerprint": "[^"]*"/, '"fingerprint": 7'),
    whole.replace(/"profile": "[^"]*"/, '"profiles": "work"'),
    whole.replace(/"body": ".*"/, '"body": "{"'),
    whole.replace(/"body": ".*"/, '"bodies": "{}"'),
  ];
  for (const text of damaged) {
    writeFileSync(path, text);
    const refusal = { code: 'usage', message: `The list of purchases is damaged: ${path}.` };
    await expect(written.unfinished(), text).rejects.toMatchObject(refusal);
    await expect(written.begin(plan(), PATIENCE_MS), text).rejects.toMatchObject(refusal);
    expect(readFileSync(path, 'utf8')).toBe(text);
  }
  writeFileSync(path, '{"version":3,"purchases":"elsewhere"}');
  await expect(written.unfinished()).rejects.toThrow(`${path} was written by a newer svc.`);
});

test('a folder that takes no file is said to be one, before anything else happens', async () => {
  const { journal: written, path } = await journal();
  mkdirSync(path);
  chmodSync(path, 0o700);
  await expect(written.begin(plan(), PATIENCE_MS)).rejects.toMatchObject({ code: 'usage' });
  const nowhere = openJournal('/dev/null/svc', MACHINE, fakeClock());
  await expect(nowhere.begin(plan(), PATIENCE_MS)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(/^Cannot save the list of purchases in \/dev\/null\/svc: .*\(ENOTDIR\)\.$/),
  });
});
