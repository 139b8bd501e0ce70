import { statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { figure } from '../support/figure.ts';
import { isSoak, tries } from '../support/property.ts';
import { writers } from './processes.ts';
import { newStore, saidOf, signIn } from './stage.ts';

const start = writers();

const ROUNDS = tries(1, 0).numRuns;

test(`sixteen processes at once, each signing in six times, lose nothing (${ROUNDS} rounds)`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { store, place, list } = newStore();
    const all = Array.from({ length: 16 }, (_, index) =>
      start(['save-six', place.folder, `w${index}`]),
    );
    expect(await Promise.all(all.map(({ ended }) => ended))).toEqual(all.map(() => 0));
    const stored = store.read().credentials.map(({ profile }) => `stored ${profile}`);
    expect(stored.toSorted()).toEqual(all.flatMap(({ lines }) => lines).sort());
    expect([stored.length, list()]).toEqual([96, ['credentials.json']]);
  }
  figure('Concurrent writers', ROUNDS * 96, '16 processes at once');
}, 600_000);

test('four tokens for one profile at once: one is kept, and each of the others is named as valid still', async () => {
  const { store, place } = newStore();
  await store.save(signIn('work', 'former'));
  const all = [0, 1, 2, 3].map((index) => {
    const record = signIn('work', index);
    return { record, ...start(['save-record', place.folder, JSON.stringify(record)]) };
  });
  await Promise.all(all.map(({ ended }) => ended));
  const said = all.map(({ lines: [line = ''], record }) => saidOf(JSON.parse(line), record));
  const tokens = ['tok_former', 'tok_0', 'tok_1', 'tok_2', 'tok_3'];
  const unnamed = tokens.filter((id) => !said.join().includes(`Token ${id} `));
  expect(store.read().credentials.map(({ tokenId }) => tokenId)).toEqual(unnamed);
});

/**
 * What killed processes may leave in the file: for each profile the last token said to be stored,
 * or a later one.
 */
function newLedger() {
  const acceptable = new Map<string, string[]>();
  const stored = new Set<string>();
  return {
    hear(lines: readonly string[]): void {
      for (const line of lines) {
        const [verb, profile = '', token = ''] = line.split(' ');
        if (verb === 'stored') stored.add(profile);
        acceptable.set(profile, [
          ...(verb === 'stored' ? [] : (acceptable.get(profile) ?? [])),
          token,
        ]);
      }
    },
    /**
     * Profiles whose token is older than what was said, or missing though it was said to be stored.
     */
    lost: (kept: ReadonlyMap<string, string>): string[] =>
      [...stored].filter((profile) => !acceptable.get(profile)?.includes(kept.get(profile) ?? '')),
  };
}

test('kill -9 at any moment tears no file, loses no token, and leaves nothing behind the next writer', async () => {
  const { numRuns, seed } = tries(200, 20_260_303);
  const moments = fc.sample(fc.noBias(fc.integer({ min: 0, max: 25 })), {
    numRuns: numRuns + 2,
    seed,
  });
  let inTheMiddle = 0;
  const lane = async (laneName: string): Promise<void> => {
    const { store, place, list } = newStore();
    const ledger = newLedger();
    const lost = () =>
      ledger.lost(new Map(store.read().credentials.map(({ profile, token }) => [profile, token])));
    for (let run = 0; run < numRuns / 2; run += 1) {
      const writer = start(['save-until-killed', place.folder, `${laneName}${run}`]);
      await writer.next();
      await systemClock.sleep(moments.pop() ?? 0);
      writer.kill();
      expect(await writer.ended, 'it was killed, and had not failed before').toBeNull();
      ledger.hear(writer.lines);
      if (list().length > 1) inTheMiddle += 1;
      const modes = list().map((name) => statSync(join(place.folder, name)).mode & 0o077);
      expect(modes.filter(Boolean), 'no file with a token is for others').toEqual([]);
      expect(lost()).toEqual([]);
      expect(await store.save(signIn('parent', `${laneName}${run}`))).toMatchObject({
        kind: 'stored',
      });
      expect(lost()).toEqual([]);
      expect(list()).toEqual(['credentials.json']);
    }
  };
  await Promise.all([lane('a'), lane('b')]);
  // Else the kills came too late or too early to test anything, as may be in few runs.
  if (isSoak) expect(inTheMiddle).toBeGreaterThan(0);
  figure(
    'Kill -9 on the credentials',
    numRuns,
    `${inTheMiddle} in the middle of a write, seed ${seed}`,
  );
}, 600_000);
