import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJournal } from '../e2e/killed-buyer.ts';
import { fakeClock } from '../support/clock.ts';
import { figure } from '../support/figure.ts';
import { keyedService } from '../support/keyed-service.ts';
import { tries } from '../support/property.ts';
import { storedSignIn, writeSignIns } from '../support/stored.ts';
import { CANARY_TOKEN, svc, temporaryFolder } from '../support/svc.ts';

const { numRuns, seed } = tries(1_000, 20_261_124);

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const DAY_MS = 24 * 3_600_000;
const YEAR_MS = 366 * DAY_MS;
const email = 'amina@kola.example';

/** Ways to type the order, and to be signed in to the account. */
const anyWay = fc.record({
  words: fc.tuple(
    fc.constantFrom(
      '--plan plan_a --quantity 2',
      '--item quantity=2,plan=plan_a',
      '--item plan=plan_a --item plan=plan_a',
    ),
    fc.constantFrom('--phone=+237670000042', '--phone 237670000042', '--phone +237671111142'),
    fc.constantFrom('--network mtn', '--network MTN'),
    fc.constantFrom('', '--lang fr', '--org alpha', '--idempotency-key mine'),
  ),
  profile: fc.constantFrom(undefined, 'a', 'b'),
  token: fc.constantFrom(CANARY_TOKEN, 'svc_OTHER_0123456789abc1234'),
  locale: fc.constantFrom('C.UTF-8', 'fr_FR.UTF-8'),
  clockMs: fc.oneof(fc.constant(0), fc.integer({ min: -YEAR_MS, max: YEAR_MS })),
});

test(`${numRuns} repeats of an order in doubt under another name place no second one unasked (seed ${seed})`, async () => {
  const counts = { stopped: 0, resumed: 0, second: 0 };
  const property = fc.asyncProperty(anyWay, anyWay, async (first, again) => {
    // Every token is of one account, which the platform knows and svc does not.
    const { url, orders } = await keyedService(['lost-after'], () => 'the account');
    const configDir = await temporaryFolder();
    const buy = ({ words, profile, token, locale, clockMs }: typeof first, more = '') => {
      writeSignIns(configDir, storedSignIn('a', url, { email }), storedSignIn('b', url, { email }));
      const line = [
        'buy --yes --no-retry',
        ...words,
        profile === undefined ? '' : `--profile ${profile}`,
        more,
      ].join(' ');
      const clock = fakeClock(new Date(NOW + clockMs).toISOString());
      const as = { token: profile === undefined ? token : null, env: { LANG: locale } };
      return svc(line.split(' ').filter(Boolean), { url, configDir, clock, ...as });
    };
    const placed = () => orders.get('the account')?.size ?? 0;
    expect([(await buy(first)).exitCode, placed()]).toEqual([8, 1]);
    const { exitCode, stderr } = await buy(again);
    expect([0, 2], stderr).toContain(exitCode);
    expect(placed(), 'a second order').toBe(1);
    counts[exitCode === 0 ? 'resumed' : 'stopped'] += 1;
    if (exitCode === 0 || again.words.includes('--idempotency-key mine')) return;
    expect(stderr).toContain('svc orders settle');
    // A key is sent again for a day only, whichever way the clock was set.
    const isFresh = Math.abs(first.clockMs - again.clockMs) < DAY_MS;
    expect(stderr.includes('--resume')).toBe(isFresh);
    expect([(await buy(again, '--new-order')).exitCode, placed()]).toEqual([2, 1]);
    const [{ key = '' } = {}] = readJournal(configDir);
    expect(stderr).toContain(`--new-order=${key}`);
    expect([(await buy(again, `--new-order=${key}`)).exitCode, placed()]).toEqual([0, 2]);
    counts.second += 1;
  });
  await fc.assert(property, { numRuns, seed });
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
  const told = `${counts.stopped} stopped, ${counts.resumed} resumed with their key, ${counts.second} placed on request`;
  figure('Doubt under another name', numRuns, `${told}, seed ${seed}`);
}, 900_000);
