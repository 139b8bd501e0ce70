import { expect, test } from 'vitest';
import { buyer, flowing, ORDER } from '../../support/buyer.ts';
import { wordsOf } from '../../support/command-line.ts';
import { storedSignIn, writeSignIns } from '../../support/stored.ts';
import { CANARY_TOKEN } from '../../support/svc.ts';

const BARE = { SVC_TOKEN: CANARY_TOKEN };

/**
 * A buyer with two stored sign-ins, who has lost an order with each and one with a token of the
 * environment.
 */
async function agency() {
  const one = await buyer({ env: { SVC_TOKEN: undefined } });
  writeSignIns(one.configDir, storedSignIn('a', one.wire.url), storedSignIn('b', one.wire.url));
  for (let request = 0; request < 3; request += 1) one.checkout().reset();
  const lines = [
    [...ORDER, '--profile', 'a'],
    [...ORDER, '--profile', 'b', '--org', 'acme'],
    ['--plan', 'p2'],
  ];
  for (const [index, line] of lines.entries()) {
    const env = index === 2 ? { env: BARE } : {};
    expect(await one.run(['buy', '--yes', '--no-retry', ...line], env)).toMatchObject({
      exitCode: 8,
    });
  }
  const [a = '', b = '', bare = ''] = one.keys();
  return { ...one, a, b, bare };
}

test('svc orders lists what is in doubt of all accounts, each with a command that works where it is pasted', async () => {
  const { checkout, run, wire, a, b, bare, pending } = await agency();
  expect(await pending()).toMatchObject([
    { account: 'profile a (a@example.com)', resume: `svc buy --resume ${a} --profile a --yes` },
    {
      account: 'profile b (b@example.com)',
      resume: `svc buy --resume ${b} --profile b --org acme --yes`,
    },
    { account: 'SVC_TOKEN …cdef', resume: `svc buy --resume ${bare} --yes` },
  ]);
  // In a shell with another address and a token, the commands override both.
  const shell = { SVC_API_URL: 'http://127.0.0.1:1', ...BARE };
  const { json } = await run(['orders', '--json'], { env: shell });
  const commands = (json as { orders: Array<{ resume: string }> }).orders.map(
    ({ resume }) => resume,
  );
  expect(commands).toEqual([
    `env -u SVC_TOKEN svc buy --resume ${a} --profile a --api-url ${wire.url} --yes`,
    `env -u SVC_TOKEN svc buy --resume ${b} --profile b --api-url ${wire.url} --org acme --yes`,
    `svc buy --resume ${bare} --api-url ${wire.url} --yes`,
  ]);
  for (const command of commands) {
    checkout().reply(200, { orderId: 'ord_1' });
    const words = wordsOf(command);
    const isProfile = words[0] === 'env';
    const env = isProfile ? { ...shell, SVC_TOKEN: undefined } : shell;
    expect(await run(words.slice(isProfile ? 4 : 1), { env })).toMatchObject({ exitCode: 0 });
  }
  const sent = wire.requests
    .slice(3)
    .map(({ headers }) => [headers['authorization'], headers['idempotency-key']]);
  expect(sent).toEqual([
    ['Bearer svc_CANARY_a', a],
    ['Bearer svc_CANARY_b', b],
    [`Bearer ${CANARY_TOKEN}`, bare],
  ]);
});

test('--resume of the order of another account sends nothing, and tells how to go on', async () => {
  const { checkout, run, wire, keys, a, bare } = await agency();
  const resume = ['buy', '--yes', '--resume'];
  const ofA = await run([...resume, a, '--profile', 'b']);
  expect(ofA).toMatchObject({ exitCode: 2, stdout: '' });
  expect(ofA.stderr).toContain(`Try: svc buy --resume ${a} --profile a --yes`);
  const ofToken = await run([...resume, bare, '--profile', 'b']);
  const told = `Set SVC_TOKEN to the token that ends in cdef, then: Try: svc buy --resume ${bare} --yes `;
  expect(flowing(ofToken.stderr)).toContain(told);
  expect(wire.requests).toHaveLength(3);
  checkout().reply(200, { orderId: 'ord_a' });
  expect(await run([...resume, '--profile', 'a'])).toMatchObject({ exitCode: 0 });
  expect(keys().at(-1)).toBe(a);
});
