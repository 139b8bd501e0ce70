import { describe, expect, test } from 'vitest';
import { type RunOptions, svc } from '../../support/svc.ts';
import { testWire, type Wire } from '../../support/wire.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const api = (wire: Wire, path: string, argv: readonly string[], options: RunOptions = {}) =>
  svc(['api', path, '-X', 'POST', ...argv], { url: wire.url, ...options });

/** Other ways to write a path, which some server or other reads as the same. */
const spelled = (path: string): string[] => {
  const [before, last = ''] = [path.slice(0, path.lastIndexOf('/') + 1), path.slice(path.lastIndexOf('/') + 1)];
  const escaped = `%${last.charCodeAt(0).toString(16)}${last.slice(1)}`;
  return [
    path,
    `${path}/`,
    `${before}${last.toUpperCase()}`,
    `/V1${path.slice(3)}`,
    `${before}${escaped}`,
    `${before}${escaped.replace('%', '%25')}`,
    `${before.slice(0, -1)}%2F${last}`,
    `${before.slice(0, -1)}%5C${last}`,
    `${before}%2e%2f${last}`,
    `${before}x%2F..%2F${last}`,
    `${before}%2F${last}`,
    `${path};a=b`,
    `${path}%3Fa=b`,
    `${path}?a=b`,
    `${path}%20`,
    `${path}%00`,
    `${path}.`,
    `${path}.json`,
    ...['%C2%AD', '%E2%80%8B', '%CD%8F'].map((letter) => `${path.slice(0, -2)}${letter}${path.slice(-2)}`),
    `${before}${[...last].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)).join('')}`,
  ];
};

const STAGING = '/v1/services/svc_1/domains/example.com/import';
/** Ids that a lenient server could take for several parts of the path, and a strict one for one. */
const ODD_IDS = ['a%2Fb', '%2E%2E%2Fb'].map((id) => `/v1/services/${id}/domains/example.com/import`);

describe('needs a confirmation as its own command does:', () => {
  test.each([...spelled('/v1/checkout'), ...spelled(STAGING), ...ODD_IDS])('POST %s', async (path) => {
    const wire = await testWire();
    const run = await api(wire, path, ['--json']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '', error: { hint: expect.stringContaining('--yes') } });
    expect(wire.requests).toEqual([]);
  });

  test('a path that the base address completes', async () => {
    const wire = await testWire();
    for (const base of ['/v1', '/api/V1', '/%76%31']) {
      const run = await api(wire, '/checkout', ['--json'], { url: wire.url + base });
      expect(run).toMatchObject({ exitCode: 2, error: { hint: expect.stringContaining('--yes') } });
    }
  });

  test('a path that {service} completes', async () => {
    const wire = await testWire();
    const run = await api(wire, '/v1/{service}', ['--json'], { env: { SVC_SERVICE: 'checkout' } });
    expect(run).toMatchObject({ exitCode: 2, error: { hint: expect.stringContaining('--yes') } });
  });

  test('and no other path does', async () => {
    const wire = await testWire();
    for (const path of [
      '/v1/checkouts',
      '/v1/checkout/promo',
      '/v1/precheckout',
      '/v1/domains/import/scan',
      '/v1/..c',
    ]) {
      wire.on('POST', path).reply(200, {});
      expect(await api(wire, path, ['--json']), path).toMatchObject({ exitCode: 0 });
    }
  });
});

describe('an order', () => {
  test.each(['/v1/checkout', '/v1/%63heckout', '/v1/Checkout'])(
    'to %s has a key of its own, and all attempts have the same',
    async (path) => {
      const wire = await testWire();
      wire.on('POST', path).reset().reply(200, { orderId: 'o1' });
      const run = await api(wire, path, ['--field', 'items:=[]', '--yes']);
      expect(run).toMatchObject({ exitCode: 0, stdout: '{\n  "orderId": "o1"\n}\n' });
      const [first, second] = wire.requests.map(({ headers }) => headers['idempotency-key']);
      expect(first).toMatch(UUID);
      expect(second).toBe(first);
      expect(run.stderr).toBe(`The order has the Idempotency-Key ${first}.\n`);
    },
  );

  test.each([
    ['in a header', ['-H', 'idempotency-KEY: k1'], 'k1'],
    ['in a field', ['--field', 'idempotencyKey=k1'], undefined],
    ['in a file', ['--input', '-'], undefined],
  ])('keeps a key that was given %s', async (_where, argv, header) => {
    const wire = await testWire();
    wire.on('POST', '/v1/checkout').reset().reply(200, {});
    const run = await api(wire, '/v1/checkout', [...argv, '--yes', '--json'], { stdin: '{"idempotencyKey":"k1"}' });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(wire.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([header, header]);
  });

  test('whose answer is lost names its key, and the command that repeats it', async () => {
    const wire = await testWire();
    wire.on('POST', '/v1/checkout').reset();
    const script = await api(wire, '/v1/checkout', ['--yes', '--no-retry', '--json']);
    const key = wire.requests[0]?.headers['idempotency-key'];
    expect(key).toMatch(UUID);
    expect(script).toMatchObject({
      exitCode: 8,
      stdout: '',
      error: { outcome: 'unknown', idempotencyKey: key, hint: `Repeat the command with -H 'Idempotency-Key: ${key}'` },
    });
    wire.on('POST', '/v1/checkout').reset();
    const person = await api(wire, '/v1/checkout', ['--yes', '--no-retry', '-H', 'Idempotency-Key: k1']);
    expect(person.stderr).toMatch(/The order may exist\. .*\n {2}k1\n {2}Repeat the command: it carries the key\.\n$/);
  });

  test('is judged by the words of orders, and any other change by those of jobs', async () => {
    const wire = await testWire();
    const env = { SVC_ASSUME: 'checkout.failed=+bounced' };
    for (const [path, exitCode] of [
      ['/v1/checkout', 9],
      ['/v1/things', 0],
    ] as const) {
      wire.on('POST', path).reply(200, { orderId: 'o1', status: 'bounced' });
      expect(await api(wire, path, ['--yes', '--json'], { env }), path).toMatchObject({ exitCode });
    }
  });

  test('that is refused names its key to scripts, and leaves nothing open', async () => {
    const wire = await testWire();
    wire.on('POST', '/v1/checkout').reply(422, { error: 'no such plan' });
    const run = await api(wire, '/v1/checkout', ['--yes', '--json']);
    expect(run).toMatchObject({ exitCode: 3, error: { error: 'no such plan', idempotencyKey: expect.any(String) } });
    expect(run.error).not.toHaveProperty('outcome');
  });

  test('that is answered with something else than JSON leaves open with --json whether it exists', async () => {
    const wire = await testWire();
    wire.on('POST', '/v1/checkout').reply(200, 'ok', { 'content-type': 'text/plain' });
    const run = await api(wire, '/v1/checkout', ['--yes', '--json']);
    expect(run).toMatchObject({ exitCode: 8, error: { outcome: 'unknown', idempotencyKey: expect.any(String) } });
    expect(run.error['hint']).toContain('Idempotency-Key');
  });

  test.each(['/v1/checkout', '/v1/CHECKOUT', '/v1%2fcheckout'])(
    'to %s is not sent with a dashboard session',
    async (path) => {
      const wire = await testWire();
      const env = { SVC_SESSION_TOKEN: 'a-session-of-the-dashboard' };
      const run = await api(wire, path, ['--yes', '--json'], { token: null, env });
      expect(run).toMatchObject({ exitCode: 4, error: { code: 'unauthenticated' } });
      expect(wire.requests).toEqual([]);
    },
  );

  test('is shown with a key by --dry-run', async () => {
    const wire = await testWire();
    const run = await api(wire, '/v1/checkout', ['--dry-run', '--json'], { token: null });
    expect(run.json).toMatchObject({ headers: { 'idempotency-key': expect.stringMatching(UUID) } });
  });
});

describe('the requests of a login are refused:', () => {
  test.each([...spelled('/v1/auth/device'), ...spelled('/v1/auth/device/token')])('POST %s', async (path) => {
    const wire = await testWire();
    for (const more of [[], ['--dry-run'], ['--yes']]) {
      const run = await api(wire, path, [...more, '--json']);
      expect(run).toMatchObject({ exitCode: 2, stdout: '', error: { hint: 'svc login' } });
    }
    expect(wire.requests).toEqual([]);
  });
});

test.each(['/v1/domains/import/scan', '/v1/domains/import/%73can'])(
  'POST %s is a read, and is asked again',
  async (path) => {
    const wire = await testWire();
    wire.on('POST', path).reply(502).reply(200, {});
    expect((await api(wire, path, ['--json'])).exitCode).toBe(0);
  },
);
