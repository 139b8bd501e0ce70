import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { parseFault, startSandbox } from '../../../sandbox/server.ts';
import { fakeClock } from '../../support/clock.ts';
import { wordsOf } from '../../support/command-line.ts';
import { figure } from '../../support/figure.ts';
import { tries } from '../../support/property.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';

const { numRuns, seed } = tries(200, 20_260_301);

/** What befalls a request; a third of them get through. */
const FATES = [
  ...['', '', '', '', '', 'drop-after', 'drop-after', '500-after', '504-after'],
  ...['drop', '503', 'cut', 'garbage', '409', '429'],
];

/** More than one purchase in a billion needs, with a third of all requests that get through. */
const MAX_TRIES = 50;

/** One fate for each request, in order. */
function faultsOf(requests: number) {
  const fates = fc.sample(fc.constantFrom(...FATES), { numRuns: requests, seed });
  return fates.flatMap((fate, index) =>
    fate === '' ? [] : [parseFault(`buy:${fate}*1,skip=${index}`)],
  );
}

test(`${numRuns} purchases over a bad line make ${numRuns} orders, and every lost answer is found again (seed ${seed})`, async () => {
  const sandbox = await startSandbox({ port: 0, faults: faultsOf(numRuns * 6) });
  onTestFinished(() => sandbox.close());
  const ways = fc.sample(fc.boolean(), { numRuns: numRuns * 6, seed: seed + 1 });
  const options = {
    url: sandbox.url,
    token: sandbox.token,
    configDir: await temporaryFolder(),
    clock: fakeClock(),
  };
  const orders: unknown[] = [];
  let lost = 0;

  for (let intent = 0; intent < numRuns; intent += 1) {
    const payer = ['--network', 'mtn', '--phone', '+237670000042'];
    const typed = [
      'buy',
      '--plan',
      'plan_wp_pro',
      '--label',
      `order ${intent}`,
      ...payer,
      '--yes',
      '--json',
    ];
    // Until an order is shown: by the command that the last end tells, or by typing the first one
    // again.
    let next: readonly string[] = typed;
    for (let tried = 1; ; tried += 1) {
      expect(tried, 'tries of one purchase').toBeLessThan(MAX_TRIES);
      const ended = await svc(next, options);
      if (ended.exitCode === 0) {
        orders.push((ended.json as { orderId: unknown }).orderId);
        break;
      }
      expect(ended.stdout).toBe('');
      expect([7, 8]).toContain(ended.exitCode);
      const isLost = ended.error['outcome'] === 'unknown';
      if (isLost) lost += 1;
      next =
        isLost && ways.pop() ? [...wordsOf(String(ended.error['hint'])).slice(1), '--json'] : typed;
    }
  }

  const made = sandbox.snapshot().orders.map(({ answer }) => answer.orderId);
  expect(made).toHaveLength(numRuns);
  expect(orders).toEqual(made);
  expect(lost, 'answers that were lost').toBeGreaterThan(numRuns / 20);
  figure('Purchases under fault', numRuns, `${lost} answers lost and found again, seed ${seed}`);
}, 600_000);
