import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { figure } from '../support/figure.ts';
import { keyedService } from '../support/keyed-service.ts';
import { tries } from '../support/property.ts';
import { storedSignIn, writeSignIns } from '../support/stored.ts';
import { CANARY_TOKEN, svc, temporaryFolder } from '../support/svc.ts';

const { numRuns, seed } = tries(1_000, 20_261_124);

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const YEAR_MS = 366 * 24 * 3_600_000;

/** Ways to type the order, and to be signed in to the account. */
const WAY = fc.record({
  token: fc.constantFrom(CANARY_TOKEN, 'svc_OTHER_0123456789abc1234'),
  profile: fc.constantFrom('', 'a', 'b'),
  org: fc.constantFrom('', '--org alpha'),
  items: fc.constantFrom(
    ...['--plan plan_a --quantity 2', '--plan plan_a --quantity=2', '--item quantity=2,plan=plan_a'],
    '--item plan=plan_a --item plan=plan_a,quantity=1',
  ),
  phone: fc.constantFrom('+237670000042', '+237 670 00 00 42', '+237671111142'),
  network: fc.constantFrom('mtn', 'MTN'),
  language: fc.constantFrom('', '--lang fr', '--lang en'),
  locale: fc.constantFrom('C.UTF-8', 'fr_FR.UTF-8'),
  key: fc.constantFrom('', '--idempotency-key mine'),
  clockMs: fc.oneof(fc.constant(0), fc.integer({ min: -YEAR_MS, max: YEAR_MS })),
});
type Way = typeof WAY extends fc.Arbitrary<infer W> ? W : never;

test(`${numRuns} repeats of an order in doubt under another name place no second one unasked (seed ${seed})`, async () => {
  const counts = { stopped: 0, resumed: 0, second: 0 };
  const attempt = fc.record({ first: WAY, again: WAY, isNew: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(attempt, async ({ first, again, isNew }) => {
      // Every token is of one account, which the platform knows and svc does not.
      const service = await keyedService(['lost-after'], () => 'the account');
      const configDir = await temporaryFolder();
      const buy = (way: Way, more = '') => typed(service.url, configDir, way, more);
      const orders = () => service.orders.get('the account')?.size ?? 0;

      const lost = await buy(first);
      expect(lost.exitCode, lost.stderr).toBe(8);
      expect(orders()).toBe(1);

      const repeated = await buy(again);
      expect([0, 2], repeated.stderr).toContain(repeated.exitCode);
      expect(orders(), 'a second order').toBe(1);
      if (repeated.exitCode === 0) counts.resumed += 1;
      else {
        counts.stopped += 1;
        const isTaken = repeated.stderr.includes('The key mine belongs to another order');
        for (const way of isTaken ? ['or none'] : ['--resume', '--new-order', 'svc orders settle'])
          expect(repeated.stderr).toContain(way);
      }
      if (!isNew || repeated.exitCode === 0 || again.key !== '') return;
      expect(await buy(again, '--new-order')).toMatchObject({ exitCode: 0 });
      expect(orders()).toBe(2);
      counts.second += 1;
    }),
    { numRuns, seed },
  );
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
  const told = `${counts.stopped} stopped, ${counts.resumed} resumed with their key, ${counts.second} placed on request`;
  figure('Doubt under another name', numRuns, `${told}, seed ${seed}`);
}, 900_000);

async function typed(url: string, configDir: string, way: Way, more: string) {
  const email = 'amina@kola.example';
  writeSignIns(configDir, storedSignIn('a', url, { email }), storedSignIn('b', url, { email }));
  const { profile, items, network, language, org, key, phone } = way;
  const named = profile === '' ? '' : `--profile ${profile}`;
  const line = `buy --yes --no-retry ${items} --network ${network} ${language} ${named} ${org} ${key} ${more}`;
  return svc([...line.split(' ').filter(Boolean), '--phone', phone], {
    ...{ url, configDir, token: profile === '' ? way.token : null, env: { LANG: way.locale } },
    clock: fakeClock(new Date(NOW + way.clockMs).toISOString()),
  });
}
