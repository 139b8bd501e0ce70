import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { put } from '../../src/sign-in/record.ts';
import type { CredentialRecord } from '../../src/sign-in/types.ts';
import { ownerMark } from '../../src/store/lock.ts';
import { tries } from '../support/property.ts';
import { DEAD, killedLogin, newStore, signIn } from './stage.ts';

const PROFILES = ['work', 'home', '__proto__', 'constructor', 'a.b:8443/c'];
const profile = fc.constantFrom(...PROFILES);

/** What people and accidents do to the store. */
type Step =
  | { readonly kind: 'login' | 'killed login' | 'logout' | 'use'; readonly profile: string }
  | { readonly kind: 'org'; readonly profile: string; readonly org: string | undefined }
  | { readonly kind: 'killed start' | 'killed writer' | 'settle' | 'logout of all' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('login', 'login', 'killed login', 'logout', 'use'), profile }),
  fc.record({ kind: fc.constant('org'), profile, org: fc.option(fc.string({ minLength: 1 }), { nil: undefined }) }),
  fc.record({ kind: fc.constantFrom('killed start', 'killed writer', 'settle', 'logout of all') }),
) as fc.Arbitrary<Step>;

/** What the store should hold: the plainest thing that could. */
type Model = { current: string | undefined; credentials: readonly CredentialRecord[] };

test('after any sequence of changes, the store equals a plain list', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      const staged = newStore();
      const { store, place, list } = staged;
      const model: Model = { current: undefined, credentials: [] };
      for (const [number, one] of steps.entries()) {
        await Promise.all([real(staged, one, number), pretend(model, one, number)]);
        const { current, credentials } = store.read();
        expect({ current, credentials }).toEqual(model);
      }
      // One more writer, and nothing of any accident is left.
      await store.save(signIn('last', 'last'));
      expect(list()).toEqual(['credentials.json']);
      rmSync(place.folder, { recursive: true });
    }),
    tries(60, 20260302),
  );
});

/** One instant for each step, so that both sides make the same record. */
function recordAt(name: string, number: number): CredentialRecord {
  return signIn(name, number, { createdAt: `2026-03-01T12:00:${String(number).padStart(2, '0')}.000Z` });
}

async function real({ store, place }: ReturnType<typeof newStore>, one: Step, number: number): Promise<unknown> {
  const lock = join(place.folder, 'credentials.json.lock');
  switch (one.kind) {
    case 'login':
      return expect(await store.save(recordAt(one.profile, number))).toMatchObject({ kind: 'stored' });
    case 'killed login':
      return killedLogin(place, recordAt(one.profile, number));
    case 'killed start':
      return killedLogin(place);
    case 'killed writer':
      mkdirSync(lock, { recursive: true });
      mkdirSync(`${lock}-${ownerMark(DEAD)}-${number}`, { recursive: true });
      writeFileSync(join(lock, `${ownerMark(DEAD)}-x`), '');
      return writeFileSync(join(place.folder, 'credentials.json.tmp'), '{"half');
    case 'logout':
      return await store.remove((record) => record.profile === one.profile);
    case 'logout of all':
      return await store.remove(() => true);
    case 'settle':
      return await store.settle();
    case 'use':
      return await store.use(one.profile).catch(expectUsageError);
    case 'org':
      return await store.setOrg(one.profile, one.org).catch(expectUsageError);
  }
}

function expectUsageError(error: unknown): void {
  expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining('There is no profile') });
}

async function pretend(model: Model, one: Step, number: number): Promise<void> {
  const isMeant = (record: CredentialRecord): boolean => 'profile' in one && record.profile === one.profile;
  if (one.kind === 'login' || one.kind === 'killed login')
    Object.assign(model, put(model, recordAt(one.profile, number)));
  if (one.kind === 'logout' || one.kind === 'logout of all') {
    model.credentials = model.credentials.filter((record) => one.kind === 'logout' && !isMeant(record));
    if (!model.credentials.some((record) => record.profile === model.current)) model.current = undefined;
  }
  if (one.kind === 'use' && model.credentials.some(isMeant)) model.current = one.profile;
  if (one.kind === 'org') {
    model.credentials = model.credentials.map((record) => (isMeant(record) ? { ...record, org: one.org } : record));
  }
}
