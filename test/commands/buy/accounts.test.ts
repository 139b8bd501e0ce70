import { expect, test } from 'vitest';
import { buyer, flowing, ORDER } from '../../support/buyer.ts';
import { wordsOf } from '../../support/command-line.ts';
import { storedSignIn, writeSignIns } from '../../support/stored.ts';
import { CANARY_TOKEN } from '../../support/svc.ts';

const BARE = { SVC_TOKEN: CANARY_TOKEN };

/** Two people with a stored sign-in each in one folder, and the address of whoever is asked about. */
async function office() {
  const one = await buyer({ env: { SVC_TOKEN: undefined } });
  writeSignIns(one.configDir, storedSignIn('a', one.wire.url), storedSignIn('b', one.wire.url));
  const says = (email?: string) => one.wire.on('GET', '/v1/user').reply(200, { user: { email } });
  const buyLine = ['buy', '--yes', '--no-retry'];
  const posted = () => one.wire.requests.filter(({ method }) => method === 'POST');
  return { ...one, says, buyLine, posted };
}

/**
 * An office where each person has lost an order, and somebody else one with a token of the
 * environment.
 */
async function agency() {
  const one = await office();
  const { checkout, run, buyLine, says } = one;
  checkout().reset().reset().reset();
  for (const line of [
    [...ORDER, '--profile', 'a'],
    [...ORDER, '--profile', 'b', '--org', 'acme'],
  ]) {
    expect(await run([...buyLine, ...line])).toMatchObject({ exitCode: 8 });
  }
  says('c@example.com');
  const third = await run([...buyLine, '--plan', 'p2'], { env: BARE });
  expect(third).toMatchObject({ exitCode: 8 });
  const posts = () => one.posted().map(({ headers }) => `${headers['idempotency-key']}`);
  const [a = '', b = '', bare = ''] = posts();
  return { ...one, keys: posts, a, b, bare };
}

test('whose a bare token is, the platform is asked once, and only if that can decide', async () => {
  const { checkout, run, buyLine, says, wire, posted } = await office();
  checkout().reply(201, { orderId: 'ord_1' }).reset().reply(201, { orderId: 'ord_2' });
  expect(await run([...buyLine, '--plan', 'p1'], { env: BARE })).toMatchObject({ exitCode: 0 });
  expect(wire.requests, 'nothing is in doubt').toHaveLength(1);
  await run([...buyLine, '--plan', 'p2', '--profile', 'a']);
  says('c@example.com');

  const other = await run([...buyLine, '--plan', 'p3', '--json'], { env: BARE });

  expect(other).toMatchObject({ exitCode: 0, stdout: '{"orderId":"ord_2"}\n', stderr: '' });
  expect(wire.requests).toHaveLength(posted().length + 1);
});

test.each([
  ['is the owner of the order in doubt', 'A@example.com'],
  ['is not told', undefined],
])('a bare token whose owner %s does not order beside it', async (_what, email) => {
  const { checkout, run, buyLine, says, posted } = await office();
  checkout().reset();
  await run([...buyLine, '--plan', 'p2', '--profile', 'a']);
  says(email);

  const stopped = await run([...buyLine, '--plan', 'p3', '--json'], { env: BARE });

  expect(stopped).toMatchObject({ exitCode: 2, error: { code: 'usage' } });
  expect(posted()).toHaveLength(1);
});

test('a bare token that the platform refuses sends no order', async () => {
  const { checkout, run, buyLine, wire, posted } = await office();
  checkout().reset();
  await run([...buyLine, '--plan', 'p2', '--profile', 'a']);
  wire.on('GET', '/v1/user').reply(401, { error: 'no' });

  expect(await run([...buyLine, '--plan', 'p3'], { env: BARE })).toMatchObject({ exitCode: 4 });
  expect(posted()).toHaveLength(1);
});

test('two people in one folder do not stop each other', async () => {
  const { checkout, run, buyLine } = await office();
  checkout().reset().reply(201, { orderId: 'ord_2' });
  await run([...buyLine, '--plan', 'p2', '--profile', 'a']);

  const other = await run([...buyLine, '--plan', 'p2', '--profile', 'b', '--json']);

  expect(other).toMatchObject({ exitCode: 0, stdout: '{"orderId":"ord_2"}\n', stderr: '' });
});

test('svc orders lists what is in doubt of all accounts, each with a command that works where it is pasted', async () => {
  const { checkout, run, wire, posted, a, b, bare, pending } = await agency();
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
  const sent = posted()
    .slice(3)
    .map(({ headers }) => [headers['authorization'], headers['idempotency-key']]);
  expect(sent).toEqual([
    ['Bearer svc_CANARY_a', a],
    ['Bearer svc_CANARY_b', b],
    [`Bearer ${CANARY_TOKEN}`, bare],
  ]);
});

test('--resume of the order of another account sends nothing, and tells how to go on', async () => {
  const { checkout, run, posted, keys, a, bare } = await agency();
  const resume = ['buy', '--yes', '--resume'];
  const ofA = await run([...resume, a, '--profile', 'b']);
  expect(ofA).toMatchObject({ exitCode: 2, stdout: '' });
  expect(ofA.stderr).toContain(`Try: svc buy --resume ${a} --profile a --yes`);
  const ofToken = await run([...resume, bare, '--profile', 'b']);
  const told = `Set SVC_TOKEN to the token that ends in cdef, then: Try: svc buy --resume ${bare} --yes `;
  expect(flowing(ofToken.stderr)).toContain(told);
  expect(posted()).toHaveLength(3);
  checkout().reply(200, { orderId: 'ord_a' });
  expect(await run([...resume, '--profile', 'a'])).toMatchObject({ exitCode: 0 });
  expect(keys().at(-1)).toBe(a);
});
