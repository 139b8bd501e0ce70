import { mkdtemp, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { figure } from '../support/figure.ts';
import { type Fate, type KeyedService, keyedService } from '../support/keyed-service.ts';
import { builtProgram } from '../support/program.ts';
import { isSoak, tries } from '../support/property.ts';
import { storedSignIn, writeSignIns } from '../support/stored.ts';
import { IN_MEMORY, svc } from '../support/svc.ts';
import { type End, killedBuyers, orderOf, readJournal } from './killed-buyer.ts';

const { numRuns, seed } = tries(150, 20_261_101);

/** Half of the requests get through. */
const FATES: readonly Fate[] = [
  ...(['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'slow', 'slow'] as const),
  ...(['lost', 'lost-after', 'lost-after', 'lost-after', '500-after', 'unnamed', '410', '422'] as const),
];

/** How a buyer goes about it: most of the time in this process, sometimes in one that is killed or two at once. */
const WAYS = [...Array.from({ length: 4 }, () => 'here' as const), 'killed', 'twice'] as const;

/** Two stored sign-ins and a bare token. */
const ACCOUNTS = [
  { token: 'svc_CANARY_a', profile: 'a' },
  { token: 'svc_CANARY_b', profile: 'b' },
  { token: 'svc_CANARY_bare_0123456789', profile: undefined },
] as const;
type Account = (typeof ACCOUNTS)[number];

/** What the buyers share. */
interface Town {
  readonly service: KeyedService;
  readonly configDir: string;
  readonly run: ReturnType<typeof killedBuyers>;
  readonly ways: Array<(typeof WAYS)[number]>;
  readonly flips: boolean[];
  readonly moments: number[];
  /** What the buyers met. */
  readonly tally: { lost: number; refused: number; killed: number; twice: number };
}

test(`${numRuns} purchases of three accounts in one folder are as many orders, each of the account that meant it (seed ${seed})`, async () => {
  const sample = <T>(values: fc.Arbitrary<T>, times: number, offset: number) =>
    fc.sample(values, { numRuns: numRuns * times, seed: seed + offset });
  const service = await keyedService(sample(fc.constantFrom(...FATES), 5, 0));
  // A disk would be waited for most of the time.
  const configDir = await mkdtemp(join(IN_MEMORY, 'svc-accounts-'));
  onTestFinished(() => rm(configDir, { recursive: true, force: true }));
  writeSignIns(configDir, storedSignIn('a', service.url), storedSignIn('b', service.url));
  const town: Town = {
    service,
    configDir,
    run: killedBuyers(await builtProgram(), { SVC_API_URL: service.url, SVC_CONFIG_DIR: configDir }),
    ways: sample(fc.constantFrom(...WAYS), 10, 1),
    flips: sample(fc.boolean(), 10, 2),
    moments: sample(fc.double({ min: 0.2, max: 2, noNaN: true }), 10, 3),
    tally: { lost: 0, refused: 0, killed: 0, twice: 0 },
  };
  await inProcess(town, ACCOUNTS[0], [...orderOf('none'), '--dry-run']);

  // The two people buy the same things at the same time. Nobody knows whose the bare token is, so it buys others.
  const lanes = ACCOUNTS.map(async (account, lane) => {
    const orders: Bought[] = [];
    for (let intent = lane; intent < numRuns; intent += ACCOUNTS.length) {
      orders.push(await buy(town, account, labelOf(account, Math.floor(intent / ACCOUNTS.length))));
    }
    return orders;
  });
  const bought = await Promise.all(lanes);

  for (const [lane, account] of ACCOUNTS.entries()) {
    const made = [...(service.orders.get(`Bearer ${account.token}`) ?? [])];
    const orders = bought[lane] ?? [];
    const labels = made.map(([, body]) => JSON.parse(body).items[0].label);
    expect(labels.sort()).toEqual(orders.map(({ label }) => label).sort());
    expect(made.map(([id]) => id).sort()).toEqual(orders.map(({ orderId }) => orderId).sort());
  }
  for (const [key, { accounts, bodies }] of service.keys) {
    expect([accounts.size, bodies.size], `the key ${key} has one account and one body`).toEqual([1, 1]);
  }
  const { lost, refused, killed, twice } = town.tally;
  // A few purchases may meet nothing of a kind.
  if (isSoak) for (const count of [lost, killed, twice]) expect(count).toBeGreaterThan(0);
  const told = `${lost} answers lost, ${refused} refusals, ${killed} kills, ${twice} resumed twice at once, seed ${seed}`;
  figure('Purchases of several accounts', numRuns, told);
}, 900_000);

interface Bought {
  readonly label: string;
  readonly orderId: string;
}

/** Runs a command line in this process, in one that is killed, or in two at once. */
async function endsOf(town: Town, account: Account, argv: readonly string[], way: Town['ways'][number]) {
  if (way === 'killed') return [await inProcess(town, account, argv, town.moments.pop() ?? 1)];
  if (way === 'here') return [await here(town, account, argv)];
  return Promise.all([inProcess(town, account, argv), inProcess(town, account, argv)]);
}

/** Buys until an order is shown, as somebody does who does not give up. */
async function buy(town: Town, account: Account, label: string): Promise<Bought> {
  const { tally } = town;
  let wasKilled = false;
  for (;;) {
    const open = openEntry(town, account, label);
    const way = town.ways.pop() ?? 'here';
    const isResumed = open !== undefined && (way === 'twice' || town.flips.pop() === true);
    const argv = isResumed
      ? ['buy', '--resume', open, '--yes', '--json', '--no-retry']
      : [...orderOf(label), '--no-retry'];
    const ends = await endsOf(town, account, argv, way === 'twice' && !isResumed ? 'here' : way);
    if (ends.length === 2) {
      tally.twice += 1;
      if (!wasKilled) expect([...town.service.together].filter((body) => body.includes(label))).toEqual([]);
    }
    for (const { exitCode, stderr } of ends) {
      // The other one of two may have been quicker, and even be done.
      expect(ends.length === 2 ? [0, 2, 8] : [0, 3, 8, null], stderr).toContain(exitCode);
      if (exitCode === 3) {
        tally.refused += 1;
        expect(open, 'an order that may exist was given up').toBeUndefined();
      }
      if (exitCode === 8) tally.lost += 1;
      if (exitCode === null) tally.killed += 1;
      wasKilled ||= exitCode === null;
    }
    // An answer without an order is printed as well.
    const shown = ends.find(({ stdout }) => stdout.endsWith('}\n') && stdout.includes('orderId'));
    if (shown !== undefined) return { label, orderId: JSON.parse(shown.stdout).orderId };
  }
}

function labelOf({ profile }: Account, intent: number): string {
  return `${profile === undefined ? 'bare order' : 'order'} <${intent}>`;
}

function openEntry({ configDir }: Town, { profile }: Account, label: string): string | undefined {
  const isOpen = (one: ReturnType<typeof readJournal>[number]) =>
    one.state === 'open' && one.account.profile === profile && one.summary.includes(label);
  return readJournal(configDir).find(isOpen)?.key;
}

function wordsFor({ profile }: Account, argv: readonly string[]): readonly string[] {
  return profile === undefined ? argv : [...argv, '--profile', profile];
}

function here({ service, configDir }: Town, account: Account, argv: readonly string[]): Promise<End> {
  const token = account.profile === undefined ? account.token : null;
  // Under the name of the processes, so that it can look them up.
  return svc(wordsFor(account, argv), { url: service.url, token, configDir, hostname: hostname() });
}

/** The same in a process of its own, which may be killed. */
function inProcess({ run }: Town, account: Account, argv: readonly string[], killAfter?: number): Promise<End> {
  const env = account.profile === undefined ? { SVC_TOKEN: account.token } : {};
  return run(wordsFor(account, argv), killAfter, env);
}
