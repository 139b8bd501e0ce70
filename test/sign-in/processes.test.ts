import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { figure } from '../support/figure.ts';
import { isSoak, tries } from '../support/property.ts';
import { writers } from './processes.ts';
import { newStore, signIn, tempFolder } from './stage.ts';

const start = writers();

const ROUNDS = tries(1, 0).numRuns;

test.each([
  [2, 10],
  [16, 4],
])(
  `%i processes at once, each signing in %i times, lose nothing (${ROUNDS} rounds)`,
  async (processes, count) => {
    for (let round = 0; round < ROUNDS; round += 1) await expectNothingLost(processes, count);
    figure('Concurrent writers', ROUNDS * processes * count, `${processes} processes at once`);
  },
  600_000,
);

async function expectNothingLost(processes: number, count: number): Promise<void> {
  const { store, place, list } = newStore();
  const all = Array.from({ length: processes }, (_, index) =>
    start(['save-many', place.folder, `w${index}`, `${count}`]),
  );
  expect(await Promise.all(all.map(({ ended }) => ended))).toEqual(all.map(() => 0));
  const said = all.flatMap(({ lines }) => lines);
  expect(said.filter((line) => !line.startsWith('stored '))).toEqual([]);
  const profiles = store.read().credentials.map(({ profile }) => profile);
  expect(profiles.toSorted()).toEqual(said.map((line) => line.replace('stored ', '')).sort());
  expect(profiles).toHaveLength(processes * count);
  expect(list()).toEqual(['credentials.json']);
}

/** What a run of killed processes may leave in the file: for each profile the last token said to be stored, or a later one. */
function newLedger() {
  const acceptable = new Map<string, Set<string>>();
  const stored = new Set<string>();
  return {
    hear(lines: readonly string[]): void {
      for (const line of lines) {
        const [verb, profile = '', token = ''] = line.split(' ');
        if (verb === 'stored') {
          stored.add(profile);
          acceptable.set(profile, new Set());
        }
        acceptable.set(profile, (acceptable.get(profile) ?? new Set()).add(token));
      }
    },
    /** Profiles whose token is older than what was said, or missing though it was said to be stored. */
    lost(kept: ReadonlyMap<string, string>): string[] {
      const isLost = ([profile, tokens]: [string, Set<string>]) =>
        stored.has(profile) && !tokens.has(kept.get(profile) ?? '');
      return [...acceptable].filter(isLost).map(([profile]) => profile);
    },
  };
}

test('kill -9 at any moment tears no file, loses no token, and leaves nothing behind the next writer', async () => {
  const { numRuns, seed } = tries(200, 20_260_303);
  const moments = fc.sample(fc.noBias(fc.integer({ min: 0, max: 25 })), { numRuns: numRuns + 2, seed });
  let inTheMiddle = 0;
  const lane = async (laneName: string): Promise<void> => {
    const { store, place, list } = newStore();
    const ledger = newLedger();
    const lost = () => ledger.lost(new Map(store.read().credentials.map(({ profile, token }) => [profile, token])));
    for (let run = 0; run < numRuns / 2; run += 1) {
      const writer = start(['save-until-killed', place.folder, `${laneName}${run}`]);
      await writer.next();
      await systemClock.sleep(moments.pop() ?? 0);
      writer.kill();
      expect(await writer.ended, 'it was killed, and had not failed before').toBeNull();
      ledger.hear(writer.lines);
      if (list().length > 1) inTheMiddle += 1;
      expect(lost()).toEqual([]);
      expect(await store.save(signIn('parent', `${laneName}${run}`))).toMatchObject({ kind: 'stored' });
      expect(lost()).toEqual([]);
      expect(list()).toEqual(['credentials.json']);
    }
  };
  await Promise.all([lane('a'), lane('b')]);
  // Otherwise the kills came too late or too early to test anything; in a few runs of `npm test` that may be.
  if (isSoak) expect(inTheMiddle).toBeGreaterThan(0);
  figure('Kill -9 on the credentials', numRuns, `${inTheMiddle} in the middle of a write, seed ${seed}`);
}, 600_000);

test.runIf(process.platform !== 'win32')(
  'a folder without the right to write is named before anything is asked for',
  async () => {
    const root = tempFolder();
    chmodSync(root, 0o755);
    // One that is the user's own and named after svc would be made right.
    const folder = join(root, 'project');
    mkdirSync(folder);
    writeFileSync(join(folder, 'notes'), '');
    chmodSync(folder, 0o555);
    const isRoot = process.getuid?.() === 0;
    const writer = start(['save-record', folder, JSON.stringify(signIn('work'))], isRoot ? { uid: 65_534 } : {});
    expect(await writer.ended).toBe(0);
    const message = `Cannot save credentials in ${folder}: permission denied (EACCES).`;
    expect(JSON.parse(writer.lines[0] ?? '')).toEqual({ kind: 'error', exitCode: 2, message });
    expect(readdirSync(folder)).toEqual(['notes']);
    chmodSync(folder, 0o755);
  },
);

test('the token of a killed login is never in a file that others can read', async () => {
  const { place } = newStore();
  const writer = start(['save-until-killed', place.folder, 'x']);
  for (let line = 0; line < 6; line += 1) await writer.next();
  writer.kill();
  await writer.ended;
  const secret = readdirSync(place.folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(place.folder, name))
    .filter((path) => statSync(path).isFile() && readFileSync(path, 'utf8').includes('CANARY'));
  expect(secret.filter((path) => (statSync(path).mode & 0o077) !== 0)).toEqual([]);
});
