import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { parseFault, startSandbox } from '../../sandbox/server.ts';
import { figure } from '../support/figure.ts';
import { builtProgram } from '../support/program.ts';
import { isSoak, tries } from '../support/property.ts';
import { temporaryFolder } from '../support/svc.ts';
import { killedBuyers, orderOf, readJournal } from './killed-buyer.ts';

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

  /** Resumes the journal's entry or repeats the first command, until there is an answer. */
  const buy = async (label: string): Promise<void> => {
    let kill: number | undefined = moments.pop() ?? 1;
    for (;;) {
      const open = readJournal(configDir).find(
        ({ state, summary }) => state === 'open' && summary.includes(label),
      );
      const isResumed = ways.pop() && open !== undefined;
      const end = await run(
        isResumed ? ['buy', '--resume', open.key, '--yes', '--json'] : orderOf(label),
        kill,
      );
      if (end.exitCode === null) kills += 1;
      else expect([0, 8], end.stderr).toContain(end.exitCode);
      // Who has the whole answer has no reason to ask again, whatever became of the process.
      if (end.stdout.endsWith('}\n')) return void orders.push(JSON.parse(end.stdout).orderId);
      expect(end.stdout).toBe('');
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
  while (last.exitCode === 8) last = await run(orderOf('last'));
  expect(last.exitCode, last.stderr).toBe(0);
  const kept = ['cache.json', 'changes.ndjson', 'orders.json'];
  const left = readdirSync(configDir).filter((name) => !kept.includes(name));
  expect(left, 'what the killed left').toEqual([]);
  figure('Purchases killed', numRuns, `${kills} kills, seed ${seed}`);
}, 900_000);
