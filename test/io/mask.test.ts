import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maskJson, maskSecrets } from '../../src/io/mask.ts';
import { MASK, maskText } from '../../src/io/mask-text.ts';
import { rowsOfRest } from '../../src/io/rest.ts';
import { secrecyOf } from '../../src/io/secret-names.ts';
import { tries } from '../support/property.ts';

test.each(
  `password DB_PASSWORD dbPassword db-password dbpassword smtp_pass DBPass user_pwd passphrase passwordHash password2 secret clientSecret
  JWT_SECRET SECRET_KEY_BASE AWS_SECRET_ACCESS_KEY secrets token GITHUB_TOKEN accessToken access_token api_key apiKey APIKey
  X-Api-Key private_key privateKeyPem AUTH_KEY SECURE_AUTH_SALT Authorization set-cookie apiKeys tokens`.split(/\s+/),
)('%s is a name of a secret', (name) => {
  expect(secrecyOf(name)).toBeDefined();
});

test.each(
  `tokenExpiresAt passwordChangedAt tokenId secretName AWS_ACCESS_KEY_ID publicKey key nextPageToken tokenType PWD OLDPWD bypass
  passed tokenizer secretary maxTokenCount passwordPolicy keyboard cookies basalt name`.split(/\s+/),
)('%s is not', (name) => {
  expect(secrecyOf(name)).toBeUndefined();
});

describe('texts', () => {
  test.each([
    ['redis://:pw@h:6379/0', `redis://:${MASK}@h:6379/0`],
    ['postgres://u@server:p@ss/w#rd@h/db', `postgres://u@server:${MASK}@h/db`],
    ['postgres://h/db?user=u&password=p%40w&x=1', `postgres://h/db?user=u&password=${MASK}&x=1`],
    ["host=h password='a b' user=u", `host=h password=${MASK} user=u`],
    ['jdbc:mysql://h/db;pwd=abc;x=1', `jdbc:mysql://h/db;pwd=${MASK};x=1`],
    ['two: a://b:c@d and e://f:g@h', `two: a://b:${MASK}@d and e://f:${MASK}@h`],
    ['https://example.com/docs', 'https://example.com/docs'],
    ['postgres://u@h:5432/db', 'postgres://u@h:5432/db'],
  ])('%s becomes %s', (text, masked) => {
    expect(maskText(text)).toBe(masked);
  });

  test.each([
    'https://host.test:8080/@scope/package',
    'wss://h:443?mail=a@b',
    'https://en.example.org/a:b@c',
    'ssh://git@host.test:22/x@y',
    'git@github.com:owner/name',
    'at 12:30, mail ann@example.com',
    'PWD=/home/ann',
    'SVC_TOKEN=<token> and API_TOKEN=$T',
    'https://pay.test/c?token=abc&user_code=ABCD',
    'The password must have 8 characters: try again.',
    'password: is too short',
    'The password is required.',
    'Basic authentication is off.',
    'a token = b',
    'secret garden',
    `postgres://u:${MASK}@h","mail":"a@b"`,
  ])('%s is left as it is', (text) => {
    expect(maskText(text)).toBe(text);
  });

  test.each([
    ['https://u:p@w@h/logo@2x.png?a=b@c', `https://u:${MASK}@h/logo@2x.png?a=b@c`],
    ['https://u:p@w@h', `https://u:${MASK}@h`],
    ['https://u:p@w@h/', `https://u:${MASK}@h/`],
    ['https://u:p/w@h', `https://u:${MASK}@h`],
    ['{"url":"redis://:p@h","mail":"a@b"}', `{"url":"redis://:${MASK}@h","mail":"a@b"}`],
    ['Your new password is hunter2!', `Your new password is ${MASK}`],
    ['admin / password: s3cr3t', `admin / password: ${MASK}`],
    ['Authorization: Bearer abc.def', `Authorization: Bearer ${MASK}`],
    ['postgres://u:1234/abc@h/db', `postgres://u:${MASK}@h/db`],
    ['"postgres://user:a-long-passw…"', `"postgres://user:${MASK}…"`],
    ['started with API_TOKEN=abc JWT_SECRET="a b"', `started with API_TOKEN=${MASK} JWT_SECRET=${MASK}`],
    ['got {"dbPassword": "a\\"b", "port": "1"}', `got {"dbPassword": "${MASK}", "port": "1"}`],
    [
      '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----',
      `-----BEGIN RSA PRIVATE KEY----- ${MASK} -----END RSA PRIVATE KEY-----`,
    ],
    ['-----BEGIN PRIVATE KEY-----\nMIIE, cut', `-----BEGIN PRIVATE KEY----- ${MASK} `],
    ['Endpoint=x;AccountKey=abc==;Suffix=y', `Endpoint=x;AccountKey=${MASK};Suffix=y`],
  ])('%j is masked', (text, masked) => {
    expect(maskText(text)).toBe(masked);
    expect(maskText(masked)).toBe(masked);
  });

  test('no password of a URL is left, wherever the URL stands', () => {
    const urls = fc.record({
      scheme: fc.constantFrom('postgres', 'mysql', 'rediss', 'mongodb+srv', 'https', 'amqp', 'x'),
      user: fc.constantFrom('', 'ann', 'ann%40x', 'a.b'),
      password: fc.string({ minLength: 6, maxLength: 40 }).map(encodeURIComponent),
      rest: fc.constantFrom('h', 'h:5432/db', 'h/p?x=y@z', 'h/@a/b', '[::1]:80/'),
    });
    const around = fc.constantFrom('', ' ', 'see ', '"', '("', ', then ', '\n', '…');
    fc.assert(
      fc.property(fc.array(urls, { minLength: 1, maxLength: 3 }), around, around, (list, before, after) => {
        const text = list.map(
          ({ scheme, user, password, rest }) => `${before}${scheme}://${user}:${password}@${rest}${after}`,
        );
        const masked = maskText(text.join(' '));
        for (const { password } of list) expect(masked).not.toContain(`:${password}@`);
      }),
      tries(500, 20261121),
    );
  });

  test('however long, take no longer than reading them', () => {
    const started = performance.now();
    for (const piece of [
      'a',
      'a://b:',
      'password ',
      '"a":"',
      'A_',
      "password='",
      '-----BEGIN PRIVATE KEY-----',
      '1',
      '@',
    ]) {
      maskText(`${piece.repeat(100_000)}=:`);
    }
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('answers', () => {
  test.each<[string, unknown, unknown]>([
    ['nested', { env: { DB_PASSWORD: 'x', PORT: '80' } }, { env: { DB_PASSWORD: MASK, PORT: '80' } }],
    ['name and value', [{ name: 'DB_PASSWORD', value: 'x' }], [{ name: 'DB_PASSWORD', value: MASK }]],
    ['value and key', [{ value: 'x', key: 'API_TOKEN' }], [{ value: MASK, key: 'API_TOKEN' }]],
    ['a flag', { name: 'GREETING', value: 'x', secret: true }, { name: 'GREETING', value: MASK, secret: true }],
    ['variables', ['DB_PASSWORD=x', 'PORT=80'], [`DB_PASSWORD=${MASK}`, 'PORT=80']],
    [
      'a list',
      { tokens: ['x'], apiKeys: [{ id: 'k1', key: 'x' }] },
      { tokens: [MASK], apiKeys: [{ id: 'k1', key: MASK }] },
    ],
    ['a number', { password: 1234 }, { password: MASK }],
    [
      'below',
      { secret: { id: 's1', value: 'x', createdAt: 'y' } },
      { secret: { id: 's1', value: MASK, createdAt: 'y' } },
    ],
    ['a token with its value', { token: { name: 'ci', value: 'x' } }, { token: { name: 'ci', value: MASK } }],
    ['URLs', { note: 'at redis://:x@h' }, { note: `at redis://:${MASK}@h` }],
  ])('%s', (_, answer, masked) => {
    expect(maskSecrets(answer)).toEqual(masked);
  });

  test.each<[string, unknown]>([
    ['metrics', { tokens: 12, series: [{ name: 'tokens', value: 5 }], token: 3, secrets: 2 }],
    ['names of things', { plan: 'secret garden', name: 'password', label: 'token' }],
    ['switches', { hasPassword: true, secret: false, password: null, apiKey: null, token: '' }],
    ['dates', { tokenExpiresAt: '2026-05-30T12:00:00Z', passwordChangedAt: '2026-01-01' }],
    ['a description of a token', { token: { id: 't1', name: 'laptop', scopes: ['read'], lastUsedAt: 'now' } }],
    ['places in a list', { nextPageToken: 'abc', next_token: 'abc' }],
    ['a list of secrets', { secrets: [{ name: 'DB_PASSWORD', createdAt: '2026-01-01' }] }],
  ])('%s are left as they are', (_, answer) => {
    expect(maskSecrets(answer)).toBe(answer);
  });

  test('the mask stands in the rows for people', () => {
    expect(rowsOfRest(maskSecrets({ env: { DB_PASSWORD: 'x' } }))).toEqual([['env.DB_PASSWORD', MASK]]);
  });
});

describe('JSON', () => {
  test('without a secret is the same text', () => {
    const text = '{ "a": 1.10, "a": 12345678901234567890 }';
    expect(maskJson(text)).toBe(text);
  });

  test('with one keeps its numbers as they were written', () => {
    const text = '{"id":12345678901234567890,"price":1.10,"e":[-1e5],"password":"x\\"1","n":"a 5"}';
    expect(maskJson(text)).toBe(`{"id":12345678901234567890,"price":1.10,"e":[-1e5],"password":"${MASK}","n":"a 5"}`);
  });
});
