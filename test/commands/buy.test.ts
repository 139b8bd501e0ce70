import { describe, expect, test } from 'vitest';
import { CANARY_TOKEN, type RunOptions, svc } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const PROMO = '0b9d1c6e-2f4a-4c8e-9b1d-7a6f5e4d3c2b';
const CHECKOUT = '/v1/checkout';

/** Buys on a wire that answers once, and returns the run and the request that came. */
async function buy(argv: readonly string[], options: RunOptions & { answer?: object } = {}) {
  const wire = await testWire();
  const { answer = { orderId: 'ord_1' }, ...others } = options;
  wire.on('POST', CHECKOUT).reply(201, answer);
  const run = await svc(['buy', '--yes', ...argv], { url: wire.url, ...others });
  return { run, request: wire.requests[0] };
}

describe('the request', () => {
  test('an order is one request, with the key in the header and nowhere else', async () => {
    const { run, request } = await buy(['--plan', 'plan_wp_pro', '--network', 'mtn', '--phone', '+237 670.00-00 42']);
    expect(run.exitCode).toBe(0);
    expect(request?.body).toBe(
      '{"items":[{"planId":"plan_wp_pro"}],"mobileMoneyNetwork":"mtn","mobileMoneyPhone":"+237670000042"}',
    );
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${CANARY_TOKEN}`,
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(UUID),
    });
    expect(request?.headers).not.toHaveProperty('x-service-org');
  });

  const P1 = { planId: 'p1' };
  // biome-ignore format: a table
  test.each<[what: string, argv: string[], body: object]>([
    ['a domain in the spelling of the DNS', ['--domain', 'Exämple.COM.'], { items: [{ domain: 'xn--exmple-cua.com' }] }],
    ['one item from its flags', ['--plan=p1', '--label', 'blog, the', '--quantity=3', '--renew'],
      { items: [{ ...P1, label: 'blog, the', quantity: 3, renew: true }] }],
    ['several items', ['--item', 'plan=p1,quantity=2', '--item', 'domain=example.com,renew'],
      { items: [{ ...P1, quantity: 2 }, { domain: 'example.com', renew: true }] }],
    ['the usual payment and currency, by not naming them', ['--plan=p1', '--payment=mobile_money', '--currency=local'], { items: [P1] }],
    ['another payment, currency and language, under the assumed names', ['--plan=p1', '--payment=credit_card', '--currency=USD', '--lang=en'],
      { items: [P1], paymentMethod: 'credit_card', currency: 'USD', language: 'en' }],
    ['a promo code and automatic renewals', ['--plan=p1', '--promo', PROMO.toUpperCase(), '--autopay'],
      { items: [P1], enableAutopay: true, appliedPromoCodeId: PROMO }],
    ['fields that have no flag', ['--plan=p1', '--field', 'billing.city=Douala', '--field', '__proto__=x'],
      JSON.parse('{"items":[{"planId":"p1"}],"billing":{"city":"Douala"},"__proto__":"x"}')],
    ['documented fields through --field, in the form of their flags',
      ['--plan=p1', '--field=paymentMethod=credit_card', '--field=mobileMoneyPhone=+237 670.00-00 42',
        `--field=appliedPromoCodeId=${PROMO.toUpperCase()}`, '--field=enableAutopay:=false'],
      { items: [P1], paymentMethod: 'credit_card', mobileMoneyPhone: '+237670000042', appliedPromoCodeId: PROMO, enableAutopay: false }],
  ])('%s', async (_what, argv, body) => {
    const { run, request } = await buy(argv);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(request?.json).toEqual(body);
  });

  test('other names for what the API document does not show', async () => {
    const { request } = await buy(['--plan', 'p1', '--payment', 'credit_card', '--currency', 'USD', '--lang', 'fr'], {
      env: { SVC_ASSUME: 'checkout.paymentMethod=method,checkout.currency=cur,checkout.language=locale' },
    });
    expect(request?.json).toEqual({ items: [P1], method: 'credit_card', cur: 'USD', locale: 'fr' });
  });

  test('the organization and a key that the user chose', async () => {
    const { request } = await buy(['--plan', 'p1', '--org', 'acme', '--idempotency-key', 'order 2026/03 #7']);
    expect(request?.headers).toMatchObject({ 'x-service-org': 'acme', 'idempotency-key': 'order 2026/03 #7' });
  });
});

describe('the screen', () => {
  test('a mobile money order is never said to be paid', async () => {
    const answer = { orderId: 'ord_1', paymentMethod: 'mobile_money', provider: 'mtn', total: { amount: '5400' } };
    const { run } = await buy(['--plan', 'p1', '--phone', '+237670000042'], { answer });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toBe(
      [
        '✓ Order ord_1 created.',
        '',
        '  Payment       mobile money',
        '  Provider      mtn',
        '',
        'More',
        '  Total amount  5400',
        '',
        'Approve the payment prompt on +237*******42.',
        '',
      ].join('\n'),
    );
  });

  test('with --json, the answer as it came', async () => {
    const wire = await testWire();
    const bytes = '{"orderId" : "ord_1", "total": 5400.00, "n": 12345678901234567890}';
    wire.on('POST', CHECKOUT).reply(200, bytes);
    const run = await svc(['buy', '--plan', 'p1', '--yes', '--json'], { url: wire.url });
    expect(run).toMatchObject({ exitCode: 0, stdout: `${bytes}\n`, stderr: '' });
  });

  test.each([
    ['https://pay.example.com/o/1?x=1', 'Payment page: https://pay.example.com/o/1?x=1'],
    ['http://127.0.0.1:9/o/1', 'Payment page: http://127.0.0.1:9/o/1'],
    ['http://pay.example.com/', 'is no plain https address, so svc does not open it: http://pay.example.com/'],
    ['https://user:pw@pay.example.com/', 'so svc does not open it: https://user:********@pay.example.com/'],
  ])('the payment page %s', async (payment_url, shown) => {
    const answer = { orderId: 'ord_1', paymentMethod: 'credit_card', payment_url };
    const { run } = await buy(['--plan', 'p1', '--payment', 'credit_card'], { answer });
    expect(run.exitCode).toBe(0);
    expect(run.stdout.replace(/\s+/g, ' ')).toContain(shown);
    expect(run.stdout).not.toContain('phone');
  });

  test('what is no text where svc expects it is shown with the rest', async () => {
    const answer = { orderId: 'o\u001b[2J', paymentMethod: { odd: [1] }, extra: { a: [null] }, payment_url: 5 };
    const { run } = await buy(['--plan', 'p1'], { answer });
    expect(run).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringContaining('Payment method odd  1') });
  });

  test('a filter that fails on the answer still names the order', async () => {
    const { run } = await buy(['--plan', 'p1', '--jq=.x[]']);
    expect(run).toMatchObject({ exitCode: 1, stdout: '', error: { code: 'unexpected', exitCode: 1 } });
    expect(run.error['error']).toMatch(/^Order ord_1 was placed.*\. The --jq filter failed on the answer: .*null/);
  });

  test("the platform's words if it refuses an order, and how to name a network only if none was named", async () => {
    const wire = await testWire();
    const refuse = (error: object, ...more: string[]) => {
      wire.on('POST', CHECKOUT).reply(400, { error });
      return svc(['buy', '--plan', 'p1', '--yes', ...more], { url: wire.url });
    };
    const script = await refuse({ 'items[0].planId': 'is not a plan' }, '--json');
    expect(script).toMatchObject({ exitCode: 3, stdout: '' });
    expect(script.error).toMatchObject({
      error: { 'items[0].planId': 'is not a plan' },
      code: 'rejected',
      status: 400,
      idempotencyKey: expect.stringMatching(UUID),
    });
    const down = { mobileMoneyNetwork: 'is down' };
    const named = await refuse(down, '--network', 'mtn');
    expect(named.stderr).toContain('mobileMoneyNetwork: is down');
    expect(named.stderr).not.toContain('Add --network');
    expect((await refuse(down)).stderr).toContain('Add --network mtn or --network orange.');
  });
});

test('off a terminal, --yes is needed', async () => {
  const { url } = await testWire();
  const run = await svc(['buy', '--plan', 'p1'], { url });
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toContain('svc cannot ask for one here. Nothing was sent.\n  Repeat the command with --yes.\n');
});

test('a dashboard session does not buy', async () => {
  const { url } = await testWire();
  const env = { SVC_SESSION_TOKEN: 'session-cookie' };
  const run = await svc(['buy', '--plan', 'p1', '--yes'], { url, token: null, env });
  expect(run).toMatchObject({ exitCode: 4, stdout: '' });
  expect(run.stderr).toBe(
    'Error: An order needs a token; SVC_SESSION_TOKEN is a dashboard session.\n  Sign in, or set SVC_TOKEN.\nTry: svc login\n',
  );
});

test('a dry run shows the very request, and needs neither token nor --yes', async () => {
  const { url } = await testWire();
  const argv = ['buy', '--plan', 'p1', '--phone', '+237670000042', '--dry-run', '--org', 'acme', '--json'];
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
    body: { items: [{ planId: 'p1' }], mobileMoneyPhone: '+237670000042' },
  });
  const named = await svc([...argv, '--idempotency-key', 'mine'], { url });
  expect(named.json).toMatchObject({ headers: { 'idempotency-key': 'mine' } });
  expect(named.stdout).not.toContain(CANARY_TOKEN);
});
