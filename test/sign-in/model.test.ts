import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addSignIn,
  type CredentialRecord,
  type Credentials,
} from '../../src/sign-in/credentials.ts';
import { getOwnerMark } from '../../src/store/lock.ts';
import { tries } from '../support/property.ts';
import { DEAD, killedLogin, newStore, signIn } from './stage.ts';

/** What a person or an accident does to the store, and to the plainest thing that could be one. */
interface Step {
  does(stage: ReturnType<typeof newStore>, record: CredentialRecord): unknown;
  should?(stored: Credentials, record: CredentialRecord): Credentials;
}

const isNoProfile = (error: unknown) =>
  expect(error).toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('There is no profile'),
  });

const withoutProfile = ({ current, credentials }: Credentials, profile: string): Credentials => ({
  current: current === profile ? undefined : current,
  credentials: credentials.filter((record) => record.profile !== profile),
});

const STEPS: Readonly<Record<string, Step>> = {
  login: {
    does: async ({ store }, record) =>
      expect(await store.save(record)).toMatchObject({ kind: 'stored' }),
    should: addSignIn,
  },
  'killed login': { does: ({ place }, record) => killedLogin(place, record), should: addSignIn },
  'killed start': { does: ({ place }) => killedLogin(place) },
  'killed writer': {
    does({ place }, { createdAt }) {
      const lock = join(place.folder, 'credentials.json.lock');
      mkdirSync(lock, { recursive: true });
      mkdirSync(`${lock}-${getOwnerMark(DEAD)}-${Date.parse(createdAt)}`, { recursive: true });
      writeFileSync(join(lock, `${getOwnerMark(DEAD)}-x`), '');
      writeFileSync(join(place.folder, 'credentials.json.tmp'), '{"half');
    },
  },
  settle: { does: ({ store }) => store.settle() },
  logout: {
    does: ({ store }, { profile }) => store.remove((record) => record.profile === profile),
    should: (stored, { profile }) => withoutProfile(stored, profile),
  },
  'logout of all': { does: ({ store }) => store.remove(() => true), should: () => EMPTY },
  use: {
    does: ({ store }, { profile }) => store.use(profile).catch(isNoProfile),
    should: (stored, { profile }) => {
      const isThere = stored.credentials.some((record) => record.profile === profile);
      return isThere ? { ...stored, current: profile } : stored;
    },
  },
  org: {
    does: ({ store }, { profile, org }) => store.setOrg(profile, org).catch(isNoProfile),
    should: ({ current, credentials }, { profile, org }) => ({
      current,
      credentials: credentials.map((record) =>
        record.profile === profile ? { ...record, org } : record,
      ),
    }),
  },
};
const EMPTY: Credentials = { current: undefined, credentials: [] };

const anyStep = fc.record({
  kind: fc.constantFrom('login', ...Object.keys(STEPS)),
  profile: fc.constantFrom('work', 'home', '__proto__', 'constructor', 'a.b:8443/c'),
  org: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
});

test('after any sequence of changes, the store equals a plain list', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 15 }), async (steps) => {
      const staged = newStore();
      let model = EMPTY;
      for (const [number, { kind, profile, org }] of steps.entries()) {
        const createdAt = `2026-03-01T12:00:${String(number).padStart(2, '0')}.000Z`;
        const record = signIn(profile, number, kind === 'org' ? { createdAt, org } : { createdAt });
        await STEPS[kind]?.does(staged, record);
        model = STEPS[kind]?.should?.(model, record) ?? model;
        const { current, credentials } = staged.store.read();
        expect({ current, credentials }).toEqual(model);
      }
      // One more writer, and nothing of any accident is left.
      await staged.store.save(signIn('last', 'last'));
      expect(staged.list()).toEqual(['credentials.json']);
      rmSync(staged.place.folder, { recursive: true });
    }),
    tries(60, 20260302),
  );
});
