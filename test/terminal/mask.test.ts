import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  getSecrecy,
  isSecret,
  MASK,
  maskJson,
  maskSecrets,
  maskText,
} from '../../src/terminal/mask.ts';
import { render } from '../../src/terminal/render.ts';
import { lengthOf, tries } from '../support/property.ts';
import { stepsOf } from '../support/work.ts';
import { testView } from './view.ts';

test.each(
  `DB_PASSWORD DBPass user_pwd passphrase passwordHash password2 clientSecret SECRET_KEY_BASE AWS_SECRET_ACCESS_KEY
  accessToken APIKey X-Api-Key privateKeyPem SECURE_AUTH_SALT Authorization set-cookie apiKeys tokens jwt sessionId
  sessions otpCode userPin recoveryCodes stripeKey sendgridKey MAILGUN_KEY apikey key keys deviceCode
  emailVerificationToken`.split(/\s+/),
)('%s is a secret name', (name) => {
  expect(getSecrecy(name)).toBeDefined();
});

test.each(
  `tokenExpiresAt secretName AWS_ACCESS_KEY_ID publicKey nextPageToken PWD bypass tokenizer keyboard cookies basalt
  DNS_VERIFICATION_TOKEN pinCode spin sessionCount idempotencyKey primaryKey cacheKeys monkey backup`.split(
    /\s+/,
  ),
)('%s is an ordinary name', (name) => {
  expect(getSecrecy(name)).toBeUndefined();
});

test('a name decides, whatever its value looks like, and nothing is no secret', () => {
  expect(isSecret('key', 'hello')).toBe(true);
  expect(isSecret('key', '')).toBe(false);
  expect(isSecret('id', 'aB3dE5fG7hJ9kL1mN3pQ')).toBe(false);
});

test.each([
  'postgres://u@h:5432/db',
  'https://host.test:8080/@scope/package',
  'https://en.example.org/a:b@c',
  'ssh://git@host.test:22/x@y',
  'SVC_TOKEN=<token> and API_TOKEN=$T',
  'https://pay.test/c?token=abc&user_code=ABCD',
  'The password must have 8 characters: try again.',
  'password: is too short',
  'Your new password is hunter2!',
  'mysql -h db -u root -psecret shop',
  `postgres://u:${MASK}@h/db?mail=a@b`,
  'risk_live_now and task_test_results',
])('the text %j stays the same', (text) => {
  expect(maskText(text)).toBe(text);
});

test.each([
  ['redis://:pw@h:6379/0', `redis://:${MASK}@h:6379/0`],
  ['postgres://u@server:p@ss/w#rd@h/db', `postgres://u@server:${MASK}@h/db`],
  ['postgres://u:1234/abc@h/db', `postgres://u:${MASK}@h/db`],
  ['postgres://h/db?user=u&password=p%40w&x=1', `postgres://h/db?user=u&password=${MASK}&x=1`],
  ["host=h password='a b' user=u", `host=h password=${MASK} user=u`],
  ['two: a://b:c@d and e://f:g@h', `two: a://b:${MASK}@d and e://f:${MASK}@h`],
  ['https://u:p@w@h/logo@2x.png?a=b@c', `https://u:${MASK}@h/logo@2x.png?a=b@c`],
  ['https://h:8080/?to=redis://:pw@h', `https://h:8080/?to=redis://:${MASK}@h`],
  ['"postgres://user:a-long-passw…"', `"postgres://user:${MASK}…"`],
  ['authorization: basic dTpwdw==', `authorization: basic ${MASK}`],
  [
    'started with API_TOKEN=abc JWT_SECRET="a b"',
    `started with API_TOKEN=${MASK} JWT_SECRET=${MASK}`,
  ],
  ['API_TOKENS=abc,def', `API_TOKENS=${MASK}`],
  ['got {"dbPassword": "a\\"b", "port": "1"}', `got {"dbPassword": "${MASK}", "port": "1"}`],
  ['-----BEGIN PRIVATE KEY-----\nMIIE, cut', `-----BEGIN PRIVATE KEY----- ${MASK} `],
  ['charged with sk_live_4eC39HqLyjWDarjtT1zdp7dc', `charged with ${MASK}`],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', MASK],
])('in the text %j secrets are masked', (text, masked) => {
  expect(maskText(text)).toBe(masked);
  expect(maskText(masked)).toBe(masked);
});

test('the passwords of all URLs are masked, in any context', () => {
  const url = fc.tuple(
    fc.constantFrom('postgres', 'rediss', 'mongodb+srv', 'https', 'x'),
    fc.constantFrom('', 'ann', 'ann%40x', 'a.b'),
    fc.string({ minLength: 6, maxLength: 40 }).map(encodeURIComponent),
    fc.constantFrom('h', 'h:5432/db', 'h/p?x=y@z', 'h/@a/b', '[::1]:80/'),
  );
  const around = fc.constantFrom('', ' ', 'see ', '"', '("', ', then ', '\n', '…');
  fc.assert(
    fc.property(
      fc.array(url, { minLength: 1, maxLength: 3 }),
      around,
      around,
      (urls, before, after) => {
        const texts = urls.map(
          ([scheme, user, password, rest]) =>
            `${before}${scheme}://${user}:${password}@${rest}${after}`,
        );
        const masked = maskText(texts.join(' '));
        for (const [, , password] of urls) expect(masked).not.toContain(`:${password}@`);
      },
    ),
    tries(500, 20261121),
  );
});

const PIECES = [
  'a://b:',
  'https://a:b@c/',
  'a://b:c@d ',
  'a://b@c…',
  '"a":"',
  '"a":"\\',
  '"token":"x"',
  'A=',
];

test('texts take work in proportion to their length', async () => {
  const inputs = PIECES.flatMap((piece) => [2_000, 20_000].map((length) => [piece, length]));
  const steps = await stepsOf(join(import.meta.dirname, 'mask-piece.ts'), inputs);
  for (const [index, piece] of PIECES.entries()) {
    const [few = 0, many = 0] = steps.slice(2 * index);
    // Its expressions are analysed in regexps.test.ts. A quadratic step would make it a hundred
    // times as much.
    expect(many / few, piece).toBeLessThan(11);
  }
});

test.each(['a://b:', 'é'])('megabytes of %j are masked', (piece) => {
  const long = piece.repeat(lengthOf(9_900_000) / piece.length);
  const json = `{"id":1.10,"password":"x","note":${JSON.stringify(long)}}`;
  expect(maskJson(json) === json.replace('"x"', `"${MASK}"`)).toBe(true);
});

test.each<[string, unknown, unknown]>([
  ['nested', { env: { DB_PASSWORD: 'x', PORT: '80' } }, { env: { DB_PASSWORD: MASK, PORT: '80' } }],
  ['value and key', [{ value: 'x', key: 'API_TOKEN' }], [{ value: MASK, key: 'API_TOKEN' }]],
  [
    'a flag',
    { name: 'GREETING', value: 'x', secret: true },
    { name: 'GREETING', value: MASK, secret: true },
  ],
  ['variables', ['DB_PASSWORD=x', 'PORT=80'], [`DB_PASSWORD=${MASK}`, 'PORT=80']],
  [
    'a list',
    { tokens: ['x'], keys: ['x'], apiKeys: [{ id: 'k1', key: 'x' }] },
    { tokens: [MASK], keys: [MASK], apiKeys: [{ id: 'k1', key: MASK }] },
  ],
  [
    'below',
    { secret: { id: 's1', value: 'x', createdAt: 'y' } },
    { secret: { id: 's1', value: MASK, createdAt: 'y' } },
  ],
  [
    'a token with its value',
    { token: { name: 'ci', value: 'x' } },
    { token: { name: 'ci', value: MASK } },
  ],
  [
    'numbers',
    { password: 1234, recoveryCodes: ['a', 12345678] },
    { password: MASK, recoveryCodes: [MASK, MASK] },
  ],
])('an answer is masked: %s', (_, answer, masked) => {
  expect(maskSecrets(answer)).toEqual(masked);
});

test.each<[string, unknown]>([
  ['metrics', { tokens: 12, series: [{ name: 'tokens', value: 5 }], token: 3, secrets: 2 }],
  ['switches', { hasPassword: true, secret: false, password: null, apiKey: null, token: '' }],
  [
    'a description of a token',
    { token: { id: 't1', name: 'laptop', scopes: ['read'], lastUsedAt: 'now' } },
  ],
  [
    'tokens to publish, and of pages',
    { verificationToken: 'svc-verify=abc', nextPageToken: 'abc' },
  ],
  ['keys of things', { options: [{ key: 'home', value: 'a' }], primaryKey: 'id', keys: 2 }],
])('an answer stays the same: %s', (_, answer) => {
  expect(maskSecrets(answer)).toBe(answer);
});

test('the rows for people show the mask', async () => {
  const content = { values: [{ env: { DB_PASSWORD: 'x' } }], title: undefined };
  expect(await render([{ kind: 'rest', content }], testView())).toBe(
    `  Env DB_PASSWORD  ${MASK}\n`,
  );
});

test('JSON without a secret stays the same text, and with one its numbers stay as written', () => {
  const text = '{ "a": 1.10, "a": 12345678901234567890 }';
  expect(maskJson(text)).toBe(text);
  const json = '{"id":12345678901234567890,"price":1.10,"e":[-1e5],"password":"x\\"1","n":"a 5"}';
  expect(maskJson(json)).toBe(json.replace('x\\"1', MASK));
});
