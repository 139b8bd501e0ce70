import { describe, expect, test } from 'vitest';
import { type Answers, against } from '../../support/against.ts';
import { buyer, editJournal } from '../../support/buyer.ts';
import type { RunOptions } from '../../support/svc.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const BODY = ['--field', 'items:=[{"planId":"p1"}]'];
const ORDER = ['api', '/v1/checkout', ...BODY, '--yes'];

/** Runs `svc api <path> -X POST`, against a platform with these answers to it. */
const post = (
  path: string,
  more: readonly string[],
  answers: Answers[string] = [],
  options: RunOptions = {},
) =>
  against(
    ['api', path, '-X', 'POST', ...more],
    answers.length === 0 ? {} : { [`POST ${path}`]: answers },
    options,
  );

const order = (more: readonly string[], answers: Answers[string] = [], options: RunOptions = {}) =>
  post('/v1/checkout', [...BODY, ...more], answers, options);

/** Other ways to write a path, which some server or other reads as the same. */
const spelled = (path: string): string[] => {
  const [before, last = ''] = [
    path.slice(0, path.lastIndexOf('/')),
    path.slice(path.lastIndexOf('/') + 1),
  ];
  const escaped = `%25${last.charCodeAt(0).toString(16)}${last.slice(1)}`;
  const wide = [...last]
    .map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0))
    .join('');
  return [
    path,
    `/V1${path.slice(3).toUpperCase()}/`,
    `${before}/${escaped}`,
    `${before}%5C${last}`,
    `${before}/x%2F..%2F%2F${last}`,
    `${path};a=b`,
    `${path}%3Fa=b`,
    `${path}%00`,
    `${path}.`,
    `${path}.json`,
    `${before}/${last.slice(0, 2)}%E2%80%8B${last.slice(2)}`,
    `${before}/${wide}`,
  ];
};

const STAGING = '/v1/services/svc_1/domains/example.com/import';
/** Ids that a lenient server could take for several parts of the path, and a strict one for one. */
const ODD_IDS = ['a%2Fb', '%2E%2E%2Fb'].map(
  (id) => `/v1/services/${id}/domains/example.com/import`,
);

const UNCONFIRMED = { exitCode: 2, stdout: '', error: { hint: expect.stringContaining('--yes') } };

describe('needs a confirmation as its own command does:', () => {
  test.each([...spelled('/v1/checkout'), ...spelled(STAGING), ...ODD_IDS])(
    'POST %s',
    async (path) => {
      expect(await post(path, [...BODY, '--json'])).toMatchObject(UNCONFIRMED);
    },
  );

  test('a path that the base address completes', async () => {
    const run = await post('/checkout', [...BODY, '--json'], [], {
      url: 'http://127.0.0.1:9/api/%76%31',
    });
    expect(run).toMatchObject(UNCONFIRMED);
  });

  test('a path that {service} completes', async () => {
    const run = await post('/v1/{service}', [...BODY, '--json'], [], {
      env: { SVC_SERVICE: 'checkout' },
    });
    expect(run).toMatchObject(UNCONFIRMED);
  });

  test.each(['/v1/checkouts', '/v1/checkout/promo', '/v1/precheckout'])(
    'but not %s',
    async (path) => {
      expect(await post(path, ['--json'], [{}])).toMatchObject({ exitCode: 0 });
    },
  );
});

test.each(spelled('/v1/auth/device/token'))(
  'the request of a login is refused: POST %s',
  async (path) => {
    const run = await post(path, ['--dry-run', '--yes', '--json']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '', error: { hint: 'svc login' } });
  },
);

test('POST /v1/domains/import/scan is a read, and is asked again', async () => {
  expect(await post('/v1/domains/import/%73can', ['--json'], [[502], {}])).toMatchObject({
    exitCode: 0,
  });
});

describe('an order', () => {
  test.each<[where: string, words: string[], key: unknown]>([
    ['of its own, without one', BODY, expect.stringMatching(UUID)],
    ['of a header', [...BODY, '-H', 'idempotency-KEY: k1'], 'k1'],
    ['of a file', ['--input', '-'], 'k1'],
  ])('has one key for all its attempts: that %s', async (_where, words, key) => {
    const stdin = '{"idempotencyKey":"k1"}';
    const run = await post(
      '/v1/checkout',
      [...words, '--yes', '--json'],
      ['reset', { orderId: 'o1' }],
      { stdin },
    );
    expect(run).toMatchObject({ exitCode: 0, stdout: '{"orderId":"o1"}\n', stderr: '' });
    const keys = run.sent.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([key, keys[0]]);
  });

  test('is a JSON object', async () => {
    const run = await post('/v1/checkout', ['--input', '-', '--yes'], [], { stdin: '[]' });
    expect(run).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^Error: An order is a JSON/),
    });
  });

  test('has the headers of the line, and the organization among them', async () => {
    const { wire, run, checkout, journal } = await buyer();
    checkout().reply(200, { orderId: 'o1' });
    const headers = ['-H', 'X-A: b', '-H', 'x-service-org: acme', '--org', 'kola'];
    expect((await run([...ORDER, ...headers])).exitCode).toBe(0);
    expect(wire.requests[0]?.headers).toMatchObject({ 'x-a': 'b', 'x-service-org': 'acme' });
    editJournal(journal, ([entry]) =>
      expect(entry).toMatchObject({ org: 'acme', items: 'plan p1' }),
    );
  });

  test('whose answer is lost names its key and the command that sends it again; so does the line itself', async () => {
    const { run, checkout, keys, bodies } = await buyer();
    checkout().reset().reply(200, { orderId: 'o1' });
    const lost = await run([...ORDER, '--no-retry', '--json']);
    const [key] = keys();
    const error = {
      outcome: 'unknown',
      idempotencyKey: key,
      next: [`svc buy --resume ${key} --yes`],
    };
    expect(lost).toMatchObject({ exitCode: 8, stdout: '', error });
    expect(await run([...ORDER, '--json'])).toMatchObject({
      exitCode: 0,
      stdout: '{"orderId":"o1"}\n',
    });
    expect([new Set(keys()).size, new Set(bodies()).size]).toEqual([1, 1]);
  });

  test('is stopped by one of svc buy in doubt, goes on with it if it is the same, and is a second one if meant', async () => {
    const { run, buy, checkout, keys, pending } = await buyer();
    checkout().reset();
    expect((await buy('--plan', 'p1', '--no-retry')).exitCode).toBe(8);
    const more = [
      'api',
      '/v1/checkout',
      '--field',
      'items:=[{"planId":"p1"},{"planId":"p2"}]',
      '--yes',
      '--json',
    ];
    const stopped = await run(more);
    expect(stopped).toMatchObject({
      exitCode: 2,
      stdout: '',
      error: { code: 'usage', idempotencyKey: keys()[0] },
    });
    checkout().reply(200, { orderId: 'o2' }).reply(200, { orderId: 'o1' });
    expect(await run([...more, '--new-order'])).toMatchObject({ exitCode: 2, stdout: '' });
    expect(await run([...more, `--new-order=${keys()[0]}`])).toMatchObject({
      exitCode: 0,
      error: { code: 'order_in_doubt' },
    });
    expect(await run([...ORDER, '--json'])).toMatchObject({
      exitCode: 0,
      stdout: '{"orderId":"o1"}\n',
    });
    expect(keys().at(-1)).toBe(keys()[0]);
    expect(await pending()).toEqual([]);
  });

  test('that was placed is refused for a day, and placed once more with --new-order', async () => {
    const { run, checkout, keys } = await buyer();
    checkout().reply(200, { orderId: 'o1' }).reply(200, { orderId: 'o2', n: 1.1 });
    expect(await run(ORDER)).toMatchObject({ exitCode: 0 });

    expect(await run([...ORDER, '--json'])).toMatchObject({
      exitCode: 2,
      stdout: '',
      error: { code: 'already_placed', orderId: 'o1', idempotencyKey: keys()[0] },
    });
    const again = await run([...ORDER, '--new-order', '--include']);
    expect(again).toMatchObject({ exitCode: 0 });
    expect(again.stdout).toContain('{\n  "orderId": "o2",\n  "n": 1.1\n}\n');
  });

  test('that svc buy has placed is the same order, whatever the order of the fields', async () => {
    const { run, buy, checkout } = await buyer();
    checkout().reply(200, { orderId: 'o1' });
    await buy('--plan', 'p1', '--label', 'x');

    const body = ['--field', 'items:=[{"label":"x","planId":"p1 "}]', '--yes', '--json'];
    const again = await run(['api', '/v1/checkout', ...body]);

    expect(again).toMatchObject({ exitCode: 2, error: { code: 'already_placed', orderId: 'o1' } });
  });

  const KEY = { idempotencyKey: expect.any(String) };
  const BOUNCED = { orderId: 'o1', status: 'bounced' };
  const env = { SVC_ASSUME: 'checkout.failed=+bounced' };

  test.each<[what: string, answer: Answers[string][number], expected: object]>([
    ['a word of a failed order', BOUNCED, { exitCode: 9 }],
    [
      'a refusal',
      [422, { error: 'no such plan' }],
      { exitCode: 3, error: { error: 'no such plan', ...KEY } },
    ],
    [
      'something else than JSON',
      [202, 'ok'],
      { exitCode: 8, error: { outcome: 'unknown', ...KEY } },
    ],
  ])('that is answered with %s is judged as one of svc buy', async (_what, answer, expected) => {
    expect(await order(['--yes', '--json'], [answer], { env })).toMatchObject(expected);
  });

  test('lends its words to no other change', async () => {
    expect(await post('/v1/things', ['--json'], [BOUNCED], { env })).toMatchObject({ exitCode: 0 });
  });

  test('needs more than a session, however its path is written', async () => {
    const session = { token: null, env: { SVC_SESSION_TOKEN: 'a-session-of-the-dashboard' } };
    expect(await post('/v1%2fcheckout', [...BODY, '--yes'], [], session)).toMatchObject({
      exitCode: 4,
      stdout: '',
    });
  });

  test('is shown with a key by --dry-run', async () => {
    const run = await order(['--dry-run', '--json'], [], { token: null });
    const headers = { 'idempotency-key': expect.stringMatching(UUID) };
    expect(run.json).toMatchObject({ headers, body: { items: [{ planId: 'p1' }] } });
  });
});
