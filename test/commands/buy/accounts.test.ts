import { expect, test } from 'vitest';
import { type Buyer, buyer, flowing, loser, ORDER } from '../../support/buyer.ts';
import { wordsOf } from '../../support/command-line.ts';
import { storedSignIn, writeSignIns } from '../../support/stored.ts';
import { CANARY_TOKEN } from '../../support/svc.ts';

const OTHER_TOKEN = 'svc_OTHER_0123456789abc1234';
const UNSET = { SVC_TOKEN: undefined };

/** A buyer with two stored sign-ins, `a` and `b`, at one address, and no token in the environment. */
async function agency(): Promise<Buyer & { by(profile: string, ...argv: string[]): ReturnType<Buyer['run']> }> {
  const one = await buyer({ env: UNSET });
  writeSignIns(one.configDir, storedSignIn('a', one.wire.url), storedSignIn('b', one.wire.url));
  return { ...one, by: (profile, ...argv) => one.run(['buy', '--yes', ...argv, '--profile', profile]) };
}

/** The account and the key of every request. */
const sent = ({ wire }: Buyer) =>
  wire.requests.map(({ headers }) => [
    headers['authorization']?.slice('Bearer svc_'.length),
    headers['idempotency-key'],
  ]);

test('another token may be the same account: its order in doubt is neither resumed nor placed twice', async () => {
  const { checkout, run, key, keys, pending } = await loser();
  const stopped = await run(['buy', '--yes', ...ORDER], { token: OTHER_TOKEN });
  expect(stopped).toMatchObject({ exitCode: 2, stdout: '' });
  expect(flowing(stopped.stderr)).toBe(
    'Error: The same was ordered on 2026-03-01T12:00:00.000Z with SVC_TOKEN …cdef, and the result is unknown: plan ' +
      'plan_wp_pro; mobile money, network mtn, from +237*******42. Nothing was sent. Check first whether the order ' +
      `exists. Or look the order up, and settle it: svc orders settle ${key} --not-placed (or --placed <orderId>) ` +
      'For a second order, add --new-order. Set SVC_TOKEN to the token that ends in cdef, then: ' +
      `Try: svc buy --resume ${key} --yes `,
  );
  checkout().reply(200, { orderId: 'ord_2' });
  const second = ['buy', '--yes', ...ORDER, '--new-order'];
  expect(await run(second, { token: OTHER_TOKEN })).toMatchObject({ exitCode: 0 });
  expect(await pending()).toMatchObject([{ idempotencyKey: key, account: 'SVC_TOKEN …cdef' }]);
  expect(new Set(keys()).size).toBe(2);
});

test('svc orders lists what is in doubt of all accounts, each with a command that works where it is pasted', async () => {
  const { checkout, by, run, wire, keys, ...one } = await agency();
  checkout().reset().reset().reset().reset().reset().reset().reset().reset().reset();
  await by('a', ...ORDER);
  await by('b', ...ORDER, '--org', 'acme');
  await run(['buy', '--yes', ...ORDER, '--new-order'], { env: { SVC_TOKEN: CANARY_TOKEN } });
  const wanted = [
    { account: 'profile a (a@example.com)', resume: `svc buy --resume ${keys()[0]} --profile a --yes` },
    { account: 'profile b (b@example.com)', resume: `svc buy --resume ${keys()[3]} --profile b --org acme --yes` },
    { account: 'SVC_TOKEN …cdef', resume: `svc buy --resume ${keys()[6]} --yes` },
  ];
  expect(await one.pending()).toMatchObject(wanted);
  const { stdout } = await run(['orders', '--profile', 'b']);
  for (const { account, resume } of wanted) {
    expect(stdout).toContain(`  ${account}\n`);
    expect(stdout).toContain(`\n${resume}\n`);
  }

  // In a shell with another address and a token, the commands override both.
  const shell = { env: { SVC_API_URL: 'http://127.0.0.1:1', SVC_TOKEN: CANARY_TOKEN } };
  const { json } = await run(['orders', '--json'], shell);
  const commands = (json as { orders: Array<{ resume: string }> }).orders.map(({ resume }) => resume);
  expect(commands).toEqual([
    `env -u SVC_TOKEN svc buy --resume ${keys()[0]} --profile a --api-url ${wire.url} --yes`,
    `env -u SVC_TOKEN svc buy --resume ${keys()[3]} --profile b --api-url ${wire.url} --org acme --yes`,
    `svc buy --resume ${keys()[6]} --api-url ${wire.url} --yes`,
  ]);
  for (const [index, command] of commands.entries()) {
    checkout().reply(200, { orderId: `ord_${index}` });
    const words = wordsOf(command);
    const isProfile = words[0] === 'env';
    const env = isProfile ? { ...shell.env, SVC_TOKEN: undefined } : shell.env;
    const resumed = await run(words.slice(isProfile ? 4 : 1), { env });
    expect(resumed, resumed.stderr).toMatchObject({ exitCode: 0 });
    expect(resumed.stdout).toContain(`Order ord_${index} created.`);
  }
  expect(sent({ wire } as Buyer).slice(9)).toEqual([
    ['CANARY_a', keys()[0]],
    ['CANARY_b', keys()[3]],
    [CANARY_TOKEN.slice('svc_'.length), keys()[6]],
  ]);
  expect(await one.pending()).toEqual([]);
});

test("--resume of another account's purchase sends nothing, and names the account", async () => {
  const { checkout, by, run, wire, keys } = await agency();
  checkout().reset().reset().reset().reset().reset().reset();
  await by('a', ...ORDER);
  await run(['buy', '--yes', '--plan', 'p2'], { env: { SVC_TOKEN: CANARY_TOKEN } });
  const ofA = await by('b', '--resume', keys()[0] ?? '');
  expect(ofA).toMatchObject({ exitCode: 2, stdout: '' });
  expect(flowing(ofA.stderr)).toBe(
    'Error: This order was placed with profile a (a@example.com); the sign-in in use is profile b. ' +
      `Try: svc buy --resume ${keys()[0]} --profile a --yes `,
  );
  const ofToken = await by('b', '--resume', keys()[3] ?? '');
  expect(flowing(ofToken.stderr)).toBe(
    'Error: This order was placed with SVC_TOKEN …cdef; the sign-in in use is profile b. ' +
      `Set SVC_TOKEN to the token that ends in cdef, then: Try: svc buy --resume ${keys()[3]} --yes `,
  );
  expect(wire.requests).toHaveLength(6);
  checkout().reply(200, { orderId: 'ord_a' });
  const own = await by('a', '--resume');
  expect(own, 'of two, only one is of the account').toMatchObject({ exitCode: 0 });
  expect(keys().at(-1)).toBe(keys()[0]);
});
