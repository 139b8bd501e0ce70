import { describe, expect, test } from 'vitest';
import { CANARY_TOKEN, type RunOptions, svc } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const PROMO = '0b9d1c6e-2f4a-4c8e-9b1d-7a6f5e4d3c2b';
const NUMBER = '+237670000042';
const CHECKOUT = '/v1/checkout';

/** Buys on a wire that answers once, and returns the run and the request that came. */
async function buy(
  argv: readonly string[],
  options: RunOptions = {},
  answer: object = { orderId: 'ord_1' },
) {
  const wire = await testWire();
  wire.on('POST', CHECKOUT).reply(201, answer);
  const run = await svc(['buy', '--yes', ...argv], { url: wire.url, ...options });
  return { run, request: wire.requests[0] };
}

describe('the request', () => {
  test('an order is one request, with the key in the header and nowhere else', async () => {
    const { run, request } = await buy([
      '--plan',
      'plan_wp_pro',
      '--network',
      'mtn',
      '--phone',
      '+237 670.00-00 42',
    ]);
    expect(run.exitCode).toBe(0);
    expect(request?.body).toBe(
      `{"items":[{"planId":"plan_wp_pro"}],"mobileMoneyNetwork":"mtn","mobileMoneyPhone":"${NUMBER}"}`,
    );
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${CANARY_TOKEN}`,
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(UUID),
    });
  });

  const P1 = { planId: 'p1' };
  const NAMES = 'checkout.paymentMethod=method,checkout.currency=cur,checkout.language=locale';
  test.each<[what: string, argv: string[], body: object, assume?: string]>([
    [
      'a domain in the spelling of the DNS',
      ['--domain', 'Exämple.COM.'],
      { items: [{ domain: 'xn--exmple-cua.com' }] },
    ],
    [
      'one item from its flags',
      ['--plan=p1', '--label', 'blog, the', '--quantity=3', '--renew'],
      { items: [{ ...P1, label: 'blog, the', quantity: 3, renew: true }] },
    ],
    [
      'several items',
      ['--item', 'plan=p1,quantity=2', '--item', 'domain=example.com,renew'],
      {
        items: [
          { ...P1, quantity: 2 },
          { domain: 'example.com', renew: true },
        ],
      },
    ],
    [
      'the usual payment and currency, by not naming them',
      ['--plan=p1', '--payment=mobile_money', '--currency=local'],
      { items: [P1] },
    ],
    [
      'another payment, currency and language',
      ['--plan=p1', '--payment=credit_card', '--currency=USD', '--lang=en'],
      { items: [P1], paymentMethod: 'credit_card', currency: 'USD', language: 'en' },
    ],
    [
      'the same under other names',
      ['--plan=p1', '--payment=credit_card', '--currency=USD', '--lang=en'],
      { items: [P1], method: 'credit_card', cur: 'USD', locale: 'en' },
      NAMES,
    ],
    [
      'a promo code and automatic renewals',
      ['--plan=p1', '--promo', PROMO.toUpperCase(), '--autopay'],
      { items: [P1], enableAutopay: true, appliedPromoCodeId: PROMO },
    ],
    [
      'documented fields through --field, in the form of their flags, and others',
      [
        '--plan=p1',
        '--field=mobileMoneyPhone=+237 670.00-00 42',
        '--field=enableAutopay:=false',
        '--field',
        'billing.city=Douala',
      ],
      { items: [P1], mobileMoneyPhone: NUMBER, enableAutopay: false, billing: { city: 'Douala' } },
    ],
  ])('%s', async (_what, argv, body, assume) => {
    const { run, request } = await buy(argv, { env: { SVC_ASSUME: assume } });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(request?.json).toEqual(body);
  });
});

test.each([
  ['https://pay.example.com/o/1?x=1', 'Payment page https://pay.example.com/o/1?x=1'],
  [
    'http://pay.example.com/',
    'http://pay.example.com/ (no plain https address, so svc does not open it)',
  ],
  ['https://user:pw@pay.example.com/', 'https://user:********@pay.example.com/ (no plain https'],
])('the payment page %s', async (payment_url, shown) => {
  const answer = { orderId: 'ord_1', paymentMethod: 'credit_card', payment_url };
  const { run } = await buy(['--plan', 'p1', '--payment', 'credit_card'], {}, answer);
  expect(run.stdout.replace(/\s+/g, ' ')).toContain(shown);
  expect(run.stdout).not.toContain('phone');
});

test("the platform's words if it refuses an order, and how to name a network only if none was named", async () => {
  const wire = await testWire();
  const refuse = (...more: string[]) => {
    wire.on('POST', CHECKOUT).reply(400, { error: { mobileMoneyNetwork: 'is down' } });
    return svc(['buy', '--plan', 'p1', '--yes', ...more], { url: wire.url });
  };
  const script = await refuse('--network', 'mtn', '--json');
  expect(script).toMatchObject({ exitCode: 3, stdout: '' });
  expect(script.error).toMatchObject({
    error: { mobileMoneyNetwork: 'is down' },
    code: 'rejected',
    status: 400,
    idempotencyKey: expect.stringMatching(UUID),
  });
  expect(script.stderr).not.toContain('Add --network');
  expect((await refuse()).stderr).toContain('Add --network mtn or --network orange.');
});

test.each<[what: string, argv: string[], options: RunOptions, exitCode: number, says: string]>([
  ['off a terminal, without --yes', [], {}, 2, 'Repeat the command with --yes.'],
  [
    'with a dashboard session',
    ['--yes'],
    { token: null, env: { SVC_SESSION_TOKEN: 'cookie' } },
    4,
    'Try: svc login',
  ],
])('%s, nothing is sent', async (_what, argv, options, exitCode, says) => {
  const { url } = await testWire();
  const run = await svc(['buy', '--plan', 'p1', ...argv], { url, ...options });
  expect(run).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(says) });
});

test('a dry run shows the very request, and needs neither token nor --yes', async () => {
  const { url } = await testWire();
  const argv = ['buy', '--plan', 'p1', '--phone', NUMBER, '--dry-run', '--org', 'acme', '--json'];
  const run = await svc(argv, { url, token: null });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.json).toEqual({
    schemaVersion: 1,
    method: 'POST',
    url: `${url}${CHECKOUT}`,
    headers: {
      accept: 'application/json',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(UUID),
      'user-agent': expect.stringMatching(/^svc\//),
      'x-service-org': 'acme',
    },
    body: { items: [{ planId: 'p1' }], mobileMoneyPhone: NUMBER },
  });
  const named = await svc([...argv, '--idempotency-key', 'mine'], { url });
  expect(named.json).toMatchObject({ headers: { 'idempotency-key': 'mine' } });
  expect(named.stdout).not.toContain(CANARY_TOKEN);
});

test.each<[string[], string?]>([
  [['api', CHECKOUT, '--field', 'mobileMoneyPhone:=237670000042']],
  [['api', CHECKOUT, '--input', '-'], `{"n": 1.10, "mobileMoneyPhone" : "${NUMBER}"}`],
])('a dry run of %j masks the number for people', async (argv, stdin = '') => {
  const { url } = await testWire();
  const people = await svc([...argv, '--dry-run'], { url, stdin });
  expect(people.stdout).toMatch(/"mobileMoneyPhone": "(\+237)?\*{7,10}42"/);
  expect(people.stdout).not.toContain('670000042');
});
