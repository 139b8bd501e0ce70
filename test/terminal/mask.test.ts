import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSecret, MASK, maskJson, maskSecrets, maskText, secrecyOf } from '../../src/terminal/mask.ts';
import { render } from '../../src/terminal/render.ts';
import { lengthOf, tries } from '../support/property.ts';
import { stepsOf } from '../support/work.ts';
import { testView } from './gallery.ts';

test.each(
  `password DB_PASSWORD dbPassword db-password dbpassword smtp_pass DBPass user_pwd passphrase passwordHash password2 secret clientSecret
  JWT_SECRET SECRET_KEY_BASE AWS_SECRET_ACCESS_KEY secrets token GITHUB_TOKEN accessToken access_token api_key apiKey APIKey
  X-Api-Key private_key privateKeyPem AUTH_KEY SECURE_AUTH_SALT Authorization set-cookie apiKeys tokens jwt session
  sessionId PHPSESSID sessions bearer otp totp otpCode pin userPin cvv rootPw recoveryCodes backup_codes licenseKey
  licenceKey stripeKey STRIPE_KEY deviceCode emailVerificationToken`.split(/\s+/),
)('%s is a secret name', (name) => {
  expect(secrecyOf(name)).toBeDefined();
});

test.each(
  `tokenExpiresAt passwordChangedAt tokenId secretName AWS_ACCESS_KEY_ID publicKey nextPageToken tokenType PWD OLDPWD bypass
  passed tokenizer secretary maxTokenCount passwordPolicy keyboard cookies basalt name verificationToken
  domainVerificationToken DNS_VERIFICATION_TOKEN keyName pinCode pinned spin sessionCount sessionExpiresAt obsessed
  idempotencyKey siteKey objectKey monkey recoveryEmail backup code bearerless licenseId`.split(/\s+/),
)('%s is an ordinary name', (name) => {
  expect(secrecyOf(name)).toBeUndefined();
});

test.each(['key', 'sendgridKey', 'keys', 'MAILGUN_KEY'])('%s is secret only if its value looks random', (name) => {
  const ordinary =
    'logo wp_options user-profile-2026-01-05-large UserProfileSettingsPage 0b6f7b4e-2f1c-4f7e-9a54-0a8f3f4f2f10 uploads/2026/Photo1-Original.jpg';
  expect(['', ...ordinary.split(' ')].filter((text) => isSecret(name, text))).toEqual([]);
  for (const secret of ['aB3dE5fG7hJ9kL1mN3pQ', 'd41d8cd98f00b204e9800998ecf8427e']) {
    expect(isSecret(name, secret)).toBe(true);
  }
});

test.each(['primaryKey', 'foreignKey', 'sortKey'])('%s is not secret if it names a field', (name) => {
  expect(isSecret(name, 'customer_id')).toBe(false);
});

/* biome-ignore format: what repeated texts are made of */
const PIECES = [
  'a://b:', 'a://', 'https://a:b@c/', 'https://h:80/', 'a://b:c@d ', 'a://b@c…', 'password ', 'password=',
  "password='", '"a":"', '"a":"\\', '"token":"x"', 'A_', 'A=', '-----BEGIN PRIVATE KEY-----', 'mysql -p',
  'mysql-', '-eyJ', 'eyJaaaaaaaa.', 'SG.aaaaaaaaaaaaaaaaaaaaa.', 'sk_live_', '1', '@',
];

describe('texts', () => {
  test.each([
    'https://example.com/docs',
    'postgres://u@h:5432/db',
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
    `postgres://u:${MASK}@h/db?mail=a@b`,
    '{"url":"https://example.com","mail":"a@b"}',
    'docker run -p3306:3306 mysql and mysql -p3306:3306',
    'mysql -p asks for the password',
    'pk_live_4eC39HqLyjWDarjtT1zdp7dc is public',
    'risk_live_now and task_test_results',
  ])('%s stays the same', (text) => {
    expect(maskText(text)).toBe(text);
  });

  test.each([
    ['redis://:pw@h:6379/0', `redis://:${MASK}@h:6379/0`],
    ['postgres://u@server:p@ss/w#rd@h/db', `postgres://u@server:${MASK}@h/db`],
    ['postgres://h/db?user=u&password=p%40w&x=1', `postgres://h/db?user=u&password=${MASK}&x=1`],
    ["host=h password='a b' user=u", `host=h password=${MASK} user=u`],
    ['jdbc:mysql://h/db;pwd=abc;x=1', `jdbc:mysql://h/db;pwd=${MASK};x=1`],
    ['two: a://b:c@d and e://f:g@h', `two: a://b:${MASK}@d and e://f:${MASK}@h`],
    ['https://u:p@w@h/logo@2x.png?a=b@c', `https://u:${MASK}@h/logo@2x.png?a=b@c`],
    ['https://u:p@w@h', `https://u:${MASK}@h`],
    ['https://u:p@w@h/', `https://u:${MASK}@h/`],
    ['https://u:p/w@h', `https://u:${MASK}@h`],
    ['{"url":"redis://:p@h","mail":"a@b"}', `{"url":"redis://:${MASK}@h","mail":"a@b"}`],
    ['Your new password is hunter2!', `Your new password is ${MASK}`],
    ['admin / password: s3cr3t', `admin / password: ${MASK}`],
    ['Authorization: Bearer abc.def', `Authorization: Bearer ${MASK}`],
    ['authorization: basic dTpwdw==', `authorization: basic ${MASK}`],
    ['Authorization: token abc', `Authorization: token ${MASK}`],
    ['postgres://u:1234/abc@h/db', `postgres://u:${MASK}@h/db`],
    ['"postgres://user:a-long-passw…"', `"postgres://user:${MASK}…"`],
    ['started with API_TOKEN=abc JWT_SECRET="a b"', `started with API_TOKEN=${MASK} JWT_SECRET=${MASK}`],
    ['API_TOKENS=abc,def', `API_TOKENS=${MASK}`],
    ['got {"dbPassword": "a\\"b", "port": "1"}', `got {"dbPassword": "${MASK}", "port": "1"}`],
    [
      '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----',
      `-----BEGIN RSA PRIVATE KEY----- ${MASK} -----END RSA PRIVATE KEY-----`,
    ],
    ['-----BEGIN PRIVATE KEY-----\nMIIE, cut', `-----BEGIN PRIVATE KEY----- ${MASK} `],
    ['mysql -h db -u root -psecret shop', `mysql -h db -u root -p${MASK} shop`],
    ["run mysqldump -p'a b' x", `run mysqldump -p${MASK} x`],
    ['charged with sk_live_4eC39HqLyjWDarjtT1zdp7dc', `charged with ${MASK}`],
    ['(rk_test_4eC39HqLyjWD)', `(${MASK})`],
    ['ghp_0123456789abcdefghijABCDEFGHIJ456789', MASK],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', MASK],
    ['started with STRIPE_KEY=abc', `started with STRIPE_KEY=${MASK}`],
    ['https://h:8080/?to=redis://:pw@h', `https://h:8080/?to=redis://:${MASK}@h`],
    ['Endpoint=x;AccountKey=abc==;Suffix=y', `Endpoint=x;AccountKey=${MASK};Suffix=y`],
  ])('%j is masked', (text, masked) => {
    expect(maskText(text)).toBe(masked);
    expect(maskText(masked)).toBe(masked);
  });

  test('the passwords of all URLs are masked, in any context', () => {
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

  test('take work in proportion to their length', async () => {
    const inputs = PIECES.flatMap((piece) => [2_000, 20_000].map((length) => [piece, length]));
    const steps = await stepsOf(join(import.meta.dirname, 'mask-piece.ts'), inputs);
    for (const [index, piece] of PIECES.entries()) {
      const [few = 0, many = 0] = steps.slice(2 * index);
      // Its expressions are analysed in regexps.test.ts. A quadratic step would make it a hundred times as much.
      expect(many / few, piece).toBeLessThan(11);
    }
  });

  test.each([
    ['a', 'of one word'],
    ['\\n', 'of escapes'],
    ['a://b:', 'of URLs'],
    ['é', 'of letters beyond ASCII'],
  ])('of megabytes are masked (%j, %s)', (piece) => {
    const long = piece.repeat(lengthOf(9_900_000) / piece.length);
    expect(maskText(`${long} "password":"x" "note":"${long}"`).endsWith(`${long}"`)).toBe(true);
    const json = `{"id":1.10,"password":"x","note":${JSON.stringify(long)}}`;
    expect(maskJson(json) === json.replace('"x"', `"${MASK}"`)).toBe(true);
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
    ['logins', { jwt: 'x', session: 'y', otp: 123456 }, { jwt: MASK, session: MASK, otp: MASK }],
    ['codes', { recoveryCodes: ['a', 12345678] }, { recoveryCodes: [MASK, MASK] }],
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
    ['tokens to publish', { verificationToken: 'svc-verify=abc' }],
    ['a session that is described', { session: { id: 's1', createdAt: '2026-01-01' }, sessions: 3 }],
    ['keys of things', { key: 'wp_home', keys: ['a', 'b'], primaryKey: 'id' }],
    ['a list of secrets', { secrets: [{ name: 'DB_PASSWORD', createdAt: '2026-01-01' }] }],
  ])('%s stay the same', (_, answer) => {
    expect(maskSecrets(answer)).toBe(answer);
  });

  test('the rows for people show the mask', async () => {
    const drawn = await render(
      [{ kind: 'rest', values: [{ env: { DB_PASSWORD: 'x' } }], title: undefined }],
      testView(),
    );
    expect(drawn).toBe(`  Env DB_PASSWORD  ${MASK}\n`);
  });
});

describe('JSON', () => {
  test('without a secret stays the same text', () => {
    const text = '{ "a": 1.10, "a": 12345678901234567890 }';
    expect(maskJson(text)).toBe(text);
  });

  test('with a secret keeps numbers as written', () => {
    const text = '{"id":12345678901234567890,"price":1.10,"e":[-1e5],"password":"x\\"1","n":"a 5"}';
    expect(maskJson(text)).toBe(`{"id":12345678901234567890,"price":1.10,"e":[-1e5],"password":"${MASK}","n":"a 5"}`);
  });
});
