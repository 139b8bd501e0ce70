import { mkdtemp, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { figure } from '../support/figure.ts';
import { type Fate, keyedService } from '../support/keyed-service.ts';
import { builtProgram } from '../support/program.ts';
import { isSoak, tries } from '../support/property.ts';
import { storedSignIn, writeSignIns } from '../support/stored.ts';
import { IN_MEMORY, svc } from '../support/svc.ts';
import { until } from '../support/until.ts';
import {
  type End,
  findOrderId,
  killedBuyers,
  MAX_TRIES,
  orderOf,
  readJournal,
  readJournalText,
} from './killed-buyer.ts';

const { numRuns, seed } = tries(150, 20_261_101);

/** Half of the requests get through. */
const FATES: readonly Fate[] = [
  ...(['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'slow', 'slow'] as const),
  ...([
    'lost',
    'lost-after',
    'lost-after',
    'lost-after',
    '500-after',
    'unnamed',
    '410',
    '422',
  ] as const),
];

/**
 * How a buyer goes about it: most of the time in this process, sometimes in one that is killed or
 * two at once.
 */
const WAYS = ['here', 'here', 'here', 'here', 'killed', 'twice'] as const;

/** Two stored sign-ins and a bare token. */
const ACCOUNTS = [
  { token: 'svc_CANARY_a', profile: 'a' },
  { token: 'svc_CANARY_b', profile: 'b' },
  { token: 'svc_CANARY_bare_0123456789', profile: undefined },
] as const;
type Account = (typeof ACCOUNTS)[number];

test(`${numRuns} purchases of three accounts in one folder are as many orders, each of the account that meant it (seed ${seed})`, async () => {
  const sample = <T>(values: fc.Arbitrary<T>, times: number, offset: number) =>
    fc.sample(values, { numRuns: numRuns * times, seed: seed + offset });
  const service = await keyedService(sample(fc.constantFrom(...FATES), 5, 0));
  const { url } = service;
  // A disk would be waited for most of the time.
  const configDir = await mkdtemp(join(IN_MEMORY, 'svc-accounts-'));
  onTestFinished(() => rm(configDir, { recursive: true, force: true }));
  writeSignIns(configDir, storedSignIn('a', url), storedSignIn('b', url));
  const run = killedBuyers(await builtProgram(), { SVC_API_URL: url, SVC_CONFIG_DIR: configDir });
  const ways = sample(fc.constantFrom(...WAYS), 10, 1);
  const flips = sample(fc.boolean(), 10, 2);
  const moments = sample(fc.double({ min: 0.2, max: 2, noNaN: true }), 10, 3);
  /** What the buyers met. */
  const tally = { lost: 0, refused: 0, killed: 0, twice: 0 };

  /** Runs a command line in this process, in one that is killed, or in two at once. */
  const endsOf = (
    { token, profile }: Account,
    line: readonly string[],
    way: (typeof WAYS)[number],
  ) => {
    const argv = profile === undefined ? line : [...line, '--profile', profile];
    const bare = profile === undefined ? token : null;
    const apart = (killAfter?: number): Promise<End> =>
      run(argv, killAfter, bare === null ? {} : { SVC_TOKEN: bare });
    if (way === 'killed') return Promise.all([apart(moments.pop() ?? 1)]);
    if (way === 'twice') return Promise.all([apart(), apart()]);
    // Under the name of the processes, so that it can look them up.
    return Promise.all<End>([svc(argv, { url, token: bare, configDir, hostname: hostname() })]);
  };

  /** Buys until an order is shown, as somebody does who does not give up. */
  const buy = async (
    account: Account,
    label: string,
  ): Promise<readonly [label: string, orderId: string]> => {
    let wasKilled = false;
    for (let tried = 1; ; tried += 1) {
      expect(tried, `tries of ${label}`).toBeLessThan(MAX_TRIES);
      const before = readJournalText(configDir);
      const open = readJournal(configDir).find(
        (entry) =>
          entry.state !== 'placed' &&
          entry.account.profile === account.profile &&
          entry.summary.includes(label),
      );
      const way = ways.pop() ?? 'here';
      const isResumed = open !== undefined && (way === 'twice' || flips.pop() === true);
      const argv = isResumed ? ['buy', '--resume', open.key, '--yes', '--json'] : orderOf(label);
      const ends = await endsOf(
        account,
        [...argv, '--no-retry'],
        way === 'twice' && !isResumed ? 'here' : way,
      );
      const isTwice = ends.length === 2;
      if (isTwice) tally.twice += 1;
      if (isTwice && !wasKilled)
        expect([...service.together].filter((body) => body.includes(label))).toEqual([]);
      for (const { exitCode, stderr } of ends) {
        // The other one of two may have been quicker, and even be done.
        expect(isTwice ? [0, 2, 8] : [0, 2, 3, 8, null], stderr).toContain(exitCode);
        if (exitCode === 3) expect(open, 'an order that may exist was given up').toBeUndefined();
        if (exitCode === 3) tally.refused += 1;
        if (exitCode === 8) tally.lost += 1;
        if (exitCode === null) tally.killed += 1;
        wasKilled ||= exitCode === null;
      }
      const orderId = ends.map(findOrderId).find((id) => id !== undefined);
      if (orderId !== undefined) return [label, orderId];
      // The order of another buyer is in doubt, who goes on with it.
      const isStopped = !isTwice && ends[0]?.exitCode === 2;
      if (isStopped) await until(() => readJournalText(configDir) !== before);
    }
  };

  await run([...orderOf('none'), '--dry-run', '--profile', 'a']);
  // The two people buy the same things at the same time. Nobody knows whose the bare token is, so
  // it buys others.
  const lanes = ACCOUNTS.map(async (account, lane) => {
    const what = account.profile === undefined ? 'bare order' : 'order';
    const bought: Array<Awaited<ReturnType<typeof buy>>> = [];
    for (let intent = 0; intent * ACCOUNTS.length + lane < numRuns; intent += 1) {
      bought.push(await buy(account, `${what} <${intent}>`));
    }
    return { account, bought };
  });

  for (const { account, bought } of await Promise.all(lanes)) {
    const made = [...(service.orders.get(`Bearer ${account.token}`) ?? [])];
    const labels = made.map(([, body]) => JSON.parse(body).items[0].label);
    expect(labels.sort()).toEqual(bought.map(([label]) => label).sort());
    expect(made.map(([id]) => id).sort()).toEqual(bought.map(([, orderId]) => orderId).sort());
  }
  for (const [key, { accounts, bodies }] of service.keys) {
    expect([accounts.size, bodies.size], `the key ${key} has one account and one body`).toEqual([
      1, 1,
    ]);
  }
  const { lost, refused, killed, twice } = tally;
  // A few purchases may meet nothing of a kind.
  if (isSoak) for (const count of [lost, killed, twice]) expect(count).toBeGreaterThan(0);
  const told = `${lost} answers lost, ${refused} refusals, ${killed} kills, ${twice} resumed twice at once, seed ${seed}`;
  figure('Purchases of several accounts', numRuns, told);
}, 900_000);
