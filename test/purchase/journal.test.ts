import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { type Begun, JOURNAL_FILE, openJournal, type Plan } from '../../src/purchase/journal.ts';
import type { PurchaseRecord } from '../../src/purchase/record.ts';
import { unseal } from '../../src/purchase/seal.ts';
import type { Machine } from '../../src/store/machine.ts';
import { fakeClock } from '../support/clock.ts';
import { temporaryFolder } from '../support/svc.ts';

const ADDRESS = 'https://api.example.com';
const SENDING = { token: 'svc_CANARY_0123456789abcdef', patienceMs: 120_000 };
const BODY = { items: [{ planId: 'plan_a' }], mobileMoneyPhone: '+237670000042' };
const HOUR_MS = 3_600_000;

const machine = (pid: number): Machine => ({
  pid,
  uid: process.getuid?.(),
  hostname: 'here',
  platform: 'linux',
  isAlive: (other) => other === pid || other === 200,
});

function plan(changes: Partial<Plan> & { body?: Plan['request']['body'] } = {}): Plan {
  const { body = BODY, ...others } = changes;
  return {
    request: { method: 'POST', url: `${ADDRESS}/v1/checkout`, org: undefined, body },
    address: ADDRESS,
    summary: 'plan plan_a; mobile money, from +**********42',
    key: undefined,
    isNew: false,
    ...others,
  };
}

async function journal(pid = 100) {
  const folder = await temporaryFolder();
  const clock = fakeClock();
  return { folder, clock, path: join(folder, JOURNAL_FILE), journal: openJournal(folder, machine(pid), clock) };
}

const onDisk = (path: string): PurchaseRecord[] => JSON.parse(readFileSync(path, 'utf8')).purchases;

const begun = async (beginning: ReturnType<ReturnType<typeof openJournal>['begin']>): Promise<Begun> => {
  const result = await beginning;
  if (result.kind !== 'begun') throw new Error(`not begun: ${result.kind}`);
  return result;
};

test('a purchase is on the disk before it may be sent, for its user alone and without the phone number', async () => {
  const { journal: written, path } = await journal();
  const { record, earlier } = await begun(written.begin(plan(), SENDING));
  expect(earlier).toBeUndefined();
  const text = readFileSync(path, 'utf8');
  expect(text).not.toContain('670000042');
  expect(text).not.toContain(SENDING.token);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(JSON.parse(text).purchases).toMatchObject([
    { key: record.key, state: 'open', createdAt: '2026-03-01T12:00:00.000Z', address: ADDRESS },
  ]);
  expect(unseal(record.sealed ?? '', SENDING.token, record.key)).toBe(JSON.stringify(BODY));
});

test('the same purchase keeps its key until it is closed, and has another one afterwards', async () => {
  const { journal: written, path } = await journal();
  const first = await begun(written.begin(plan(), SENDING));
  const again = await begun(written.begin(plan(), SENDING));
  expect(again.record.key).toBe(first.record.key);
  expect(again.earlier).toMatchObject({ key: first.record.key, state: 'open' });
  expect(written.unfinished()).toHaveLength(1);
  await written.close(again.record, 'ord_1');
  expect(written.unfinished()).toEqual([]);
  const [closed, ...others] = onDisk(path);
  expect(closed).toMatchObject({ key: first.record.key, state: 'closed', orderId: 'ord_1' });
  expect(closed).not.toHaveProperty('sealed');
  expect(others).toEqual([]);
  const next = await begun(written.begin(plan(), SENDING));
  expect(next.record.key).not.toBe(first.record.key);
  expect(written.look(plan({ isNew: true }))).toMatchObject({ kind: 'none', alike: { key: next.record.key } });
});

test('a purchase that came to nothing is forgotten', async () => {
  const { journal: written, path } = await journal();
  const { record } = await begun(written.begin(plan(), SENDING));
  await written.forget(record);
  expect(onDisk(path)).toEqual([]);
});

test('a purchase that is meant as another one has a key of its own', async () => {
  const { journal: written } = await journal();
  const first = await begun(written.begin(plan(), SENDING));
  const second = await begun(written.begin(plan({ isNew: true }), SENDING));
  expect(second.record.key).not.toBe(first.record.key);
  expect(written.unfinished().map(({ key }) => key)).toEqual([first.record.key, second.record.key]);
});

test('a chosen key is refused to another body, and to no one else', async () => {
  const { journal: written } = await journal();
  const { record } = await begun(written.begin(plan({ key: 'mine' }), SENDING));
  expect(record.key).toBe('mine');
  expect(await written.begin(plan({ key: 'mine', body: { items: [] } }), SENDING)).toMatchObject({ kind: 'key_taken' });
  expect((await begun(written.begin(plan({ key: 'mine' }), SENDING))).earlier).toMatchObject({ key: 'mine' });
  const elsewhere = plan({ key: 'mine', address: 'https://api.example.org', body: { items: [] } });
  expect((await begun(written.begin(elsewhere, SENDING))).earlier).toBeUndefined();
  expect(written.unfinished()).toHaveLength(2);
});

test('a purchase that another living process is sending is left to it', async () => {
  const { journal: written, folder, clock } = await journal();
  await begun(openJournal(folder, machine(200), clock).begin(plan(), SENDING));
  expect(await written.begin(plan(), SENDING)).toMatchObject({ kind: 'in_flight' });
  expect(written.look(plan())).toMatchObject({ kind: 'in_flight' });
  clock.advance(SENDING.patienceMs);
  expect(written.look(plan())).toMatchObject({ kind: 'same' });
});

test('what is old is dropped when something new is written', async () => {
  const { journal: written, path, clock } = await journal();
  const closed = await begun(written.begin(plan(), SENDING));
  await written.close(closed.record, 'ord_1');
  const open = await begun(written.begin(plan(), SENDING));
  clock.advance(25 * HOUR_MS);
  const late = await begun(written.begin(plan(), SENDING));
  expect(late.earlier, 'after a day it is another purchase').toBeUndefined();
  expect(onDisk(path).map(({ key }) => key)).toEqual([open.record.key, late.record.key]);
  expect(written.unfinished().map(({ key }) => key)).toEqual([open.record.key, late.record.key]);
  clock.advance(30 * 24 * HOUR_MS);
  expect(written.unfinished()).toEqual([]);
  await begun(written.begin(plan({ isNew: true }), SENDING));
  expect(written.unfinished()).toHaveLength(1);
});

test('of twenty that begin the same purchase at once, all have one key', async () => {
  const folder = await temporaryFolder();
  const begin = () => begun(openJournal(folder, machine(100), systemClock).begin(plan(), SENDING));
  const keys = (await Promise.all(Array.from({ length: 20 }, begin))).map(({ record }) => record.key);
  expect(new Set(keys).size).toBe(1);
});

test('of twenty different purchases begun at once, none is lost', async () => {
  const folder = await temporaryFolder();
  const bodies = Array.from({ length: 20 }, (_, quantity) => ({ items: [{ planId: 'plan_a', quantity }] }));
  const begin = (body: Plan['request']['body']) =>
    begun(openJournal(folder, machine(100), systemClock).begin(plan({ body }), SENDING));
  await Promise.all(bodies.map(begin));
  expect(openJournal(folder, machine(100), systemClock).unfinished()).toHaveLength(20);
});

test('a journal that cannot be understood is never guessed at, and left as it is', async () => {
  const { journal: written, path } = await journal();
  await begun(written.begin(plan(), SENDING));
  const whole = readFileSync(path, 'utf8');
  const damaged = [
    '',
    '{',
    '[]',
    '{"version":1}',
    '{"version":1,"salt":"x","purchases":{}}',
    '{"version":0,"salt":"x","purchases":[]}',
    whole.slice(0, -20),
    whole.replace('"open"', '"opened"'),
    whole.replace(/"createdAt": "[^"]*"/, '"createdAt": "soon"'),
    whole.replace(/"fingerprint": "[^"]*"/, '"fingerprint": 7'),
  ];
  for (const text of damaged) {
    writeFileSync(path, text);
    const refusal = { code: 'usage', message: `The list of purchases is damaged: ${path}` };
    expect(() => written.unfinished(), text).toThrow(expect.objectContaining(refusal));
    await expect(written.begin(plan(), SENDING), text).rejects.toMatchObject(refusal);
    expect(readFileSync(path, 'utf8')).toBe(text);
  }
  writeFileSync(path, '{"version":2,"purchases":"elsewhere"}');
  expect(() => written.unfinished()).toThrow(`${path} was written by a newer svc.`);
});

test('a folder that takes no file is said to be one, before anything else happens', async () => {
  const { journal: written, path } = await journal();
  mkdirSync(path);
  chmodSync(path, 0o700);
  await expect(written.begin(plan(), SENDING)).rejects.toMatchObject({ code: 'usage' });
  const nowhere = openJournal('/dev/null/svc', machine(100), fakeClock());
  await expect(nowhere.begin(plan(), SENDING)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(/^Cannot save the list of purchases in \/dev\/null\/svc: .*\(ENOTDIR\)\.$/),
  });
});
