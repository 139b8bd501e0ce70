import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { parseFault, startSandbox } from '../../sandbox/server.ts';
import { figure } from '../support/figure.ts';
import { builtProgram } from '../support/program.ts';
import { isSoak, tries } from '../support/property.ts';
import { temporaryFolder } from '../support/svc.ts';
import { until } from '../support/until.ts';
import {
  findOrderId,
  killedBuyers,
  MAX_TRIES,
  orderOf,
  readJournal,
  readJournalText,
} from './killed-buyer.ts';

const { numRuns, seed } = tries(75, 20_260_302);

/** Buyers at the same time; they share one configuration folder. */
const LANES = 3;

test(`${numRuns} buyers killed at any moment have one order each when they have gone on (seed ${seed})`, async () => {
  // Answers that take a moment, so that many die while they wait for one; and some that get lost.
  const anyFate = fc.constantFrom('delay=60ms', 'delay=20ms', 'drop-after', '500-after', '');
  const fates = fc.sample(anyFate, { numRuns: numRuns * 4, seed: seed + 2 });
  const faults = fates.flatMap((fate, at) =>
    fate === '' ? [] : [parseFault(`buy:${fate}*1,skip=${at}`)],
  );
  const sandbox = await startSandbox({ port: 0, faults });
  onTestFinished(() => sandbox.close());
  const configDir = await temporaryFolder();
  const signedIn = {
    SVC_API_URL: sandbox.url,
    SVC_TOKEN: sandbox.token,
    SVC_CONFIG_DIR: configDir,
  };
  const run = killedBuyers(await builtProgram(), signedIn);
  await run([...orderOf('none'), '--dry-run']);
  // From before the first line of the program to after its last: a purchase takes longer than a dry
  // run.
  const moments = fc.sample(fc.double({ min: 0.2, max: 3, noNaN: true }), {
    numRuns: numRuns * 2,
    seed,
  });
  const ways = fc.sample(fc.boolean(), { numRuns: numRuns * 4, seed: seed + 1 });
  const orders: string[] = [];
  let kills = 0;
  /** Orders whose answer the book had, after a kill before it was printed. */
  let told = 0;

  /** Resumes the journal's entry, or repeats the first command. */
  const chooseLine = (label: string): readonly string[] => {
    const open = readJournal(configDir).find(
      (entry) => entry.state !== 'placed' && entry.summary.includes(label),
    );
    const isResumed = ways.pop() && open !== undefined;
    return isResumed ? ['buy', '--resume', open.key, '--yes', '--json'] : orderOf(label);
  };

  /** Goes on until there is an answer. */
  const buy = async (label: string): Promise<void> => {
    let kill: number | undefined = moments.pop() ?? 1;
    for (let tried = 1; ; tried += 1) {
      expect(tried, `tries of ${label}`).toBeLessThan(MAX_TRIES);
      const before = readJournalText(configDir);
      const line = chooseLine(label);
      const end = await run(line, kill);

      if (end.exitCode === null) kills += 1;
      else expect([0, 2, 8], end.stderr).toContain(end.exitCode);
      const orderId = findOrderId(end);
      if (orderId !== undefined) {
        if (end.exitCode === 2) told += 1;
        // Who has the answer has no reason to ask again, whatever became of the process.
        orders.push(orderId);
        return;
      }
      expect(end.stdout).toBe('');
      // The order of another buyer is in doubt, who goes on with it.
      if (end.exitCode === 2) await until(() => readJournalText(configDir) !== before);
      kill = kill !== undefined && ways.pop() ? (moments.pop() ?? 1) : undefined;
    }
  };
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let intent = lane; intent < numRuns; intent += LANES) await buy(`order <${intent}>`);
  });
  await Promise.all(lanes);

  const made = sandbox.snapshot().orders.map(({ answer }) => answer.orderId);
  expect(made).toHaveLength(numRuns);
  expect([...orders].sort()).toEqual([...made].sort());
  if (isSoak) expect(kills).toBeGreaterThan(0);
  let last = await run(orderOf('last'));
  for (let tried = 1; last.exitCode === 8 && tried < MAX_TRIES; tried += 1)
    last = await run(orderOf('last'));
  expect(last.exitCode, last.stderr).toBe(0);
  const kept = ['cache.json', 'changes.ndjson', 'orders.json'];
  const left = readdirSync(configDir).filter((name) => !kept.includes(name));
  expect(left, 'what the killed left').toEqual([]);
  figure(
    'Purchases killed',
    numRuns,
    `${kills} kills, ${told} answered from the book, seed ${seed}`,
  );
}, 900_000);
