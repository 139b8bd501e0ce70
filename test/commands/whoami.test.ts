import { expect, test } from 'vitest';
import { against } from '../support/against.ts';
import type { RunOptions } from '../support/svc.ts';
import { CANARY_TOKEN } from '../support/svc.ts';

const ACME = { id: 'org_1', slug: 'acme', name: 'Acme' };
const ANSWER = {
  user: { id: 'usr_1', email: 'marie@example.com', locale: 'fr' },
  organization: ACME,
  organizations: [
    { ...ACME, role: 'owner' },
    { id: 'org_2', slug: 'guild', name: 'Guild', role: 'member' },
  ],
  authMethod: 'token',
  token: { id: 'tok_9', name: 'ci', expiresAt: '2027-02-18T00:00:00.000Z' },
  flags: { beta: true },
};

const whoami = (answer: object | string, argv: readonly string[] = [], options: RunOptions = {}) =>
  against(['whoami', ...argv], { 'GET /v1/user': [answer] }, options);

test('the account, the organizations and the source of the token are shown', async () => {
  const { exitCode, stdout, stderr, sent } = await whoami(ANSWER);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const said = [
    'marie@example.com (usr_1)',
    'Acme (acme, org_1)',
    'owner',
    'SVC_TOKEN',
    'ci (tok_9)',
    '2027-02-18',
  ];
  for (const text of [...said, 'Guild (guild, org_2), member', 'Flags beta'])
    expect(stdout).toContain(text);
  expect(sent[0]?.headers).toMatchObject({ authorization: `Bearer ${CANARY_TOKEN}` });
  expect(sent[0]?.headers).not.toHaveProperty('x-service-org');
});

test('--json prints the bytes of the answer; --jq filters it, or prints no part of it', async () => {
  const text = `{"user":{"email":"${CANARY_TOKEN}"},"n":1.50,"big":123456789012345678901}`;
  expect(await whoami(text, ['--json'])).toMatchObject({
    exitCode: 0,
    stdout: `${text}\n`,
    stderr: '',
  });
  // Scripts get what the answer repeats, and people do not.
  expect(await whoami(text, ['--jq', '.user.email, .n'])).toMatchObject({
    stdout: `${CANARY_TOKEN}\n1.50\n`,
  });
  expect((await whoami(text)).stdout).not.toContain(CANARY_TOKEN);
  expect(await whoami(text, ['--jq', '.n, .n + {}'])).toMatchObject({ exitCode: 1, stdout: '' });
});

test('without a sign-in, or with an invalid filter, nothing is sent', async () => {
  expect(await against('whoami', {}, { token: null })).toMatchObject({ exitCode: 4, sent: [] });
  const invalid = await against(['whoami', '--jq', '.user |'], {});
  expect(invalid).toMatchObject({ exitCode: 2, stdout: '', error: { code: 'usage' }, sent: [] });
});

test('an answer with fields of other types is shown whole', async () => {
  const odd = { user: ['marie\u001b[2J'], organizations: 'acme', authMethod: [7], token: 'tok' };
  const { exitCode, stdout, stderr } = await whoami(odd);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  for (const word of ['marie\\u{1b}[2J', 'acme', '7']) expect(stdout).toContain(word);
});

test('a token that does not look like one of the platform is used, with a warning', async () => {
  const warning = 'SVC_TOKEN does not start with svc_; is it an API token?';
  expect((await whoami({}, ['--json'], { token: 'plain-token' })).error).toEqual({
    warning,
    code: 'odd_token',
  });
});
