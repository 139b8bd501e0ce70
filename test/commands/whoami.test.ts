import { expect, test } from 'vitest';
import { against } from '../support/against.ts';
import type { RunOptions } from '../support/svc.ts';
import { CANARY_TOKEN } from '../support/svc.ts';

const ANSWER = {
  user: { id: 'usr_1', email: 'marie@example.com', locale: 'fr' },
  organization: { id: 'org_1', slug: 'acme', name: 'Acme' },
  organizations: [
    { id: 'org_1', slug: 'acme', name: 'Acme', role: 'owner' },
    { id: 'org_2', slug: 'guild', name: 'Guild', role: 'member' },
  ],
  authMethod: 'token',
  token: { id: 'tok_9', name: 'ci', expiresAt: '2027-02-18T00:00:00.000Z' },
  flags: { beta: true },
};

async function whoami(answer: object | string, argv: readonly string[] = [], options: RunOptions = {}) {
  const run = await against(['whoami', ...argv], { 'GET /v1/user': [answer] }, options);
  return Object.assign(run, { headers: run.sent[0]?.headers ?? {} });
}

test('the account, the organizations and the source of the token are shown', async () => {
  const { exitCode, stdout, stderr, headers } = await whoami(ANSWER);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout.replace(/http:\S+/, 'URL')).toMatchInlineSnapshot(`
    "  Signed in as    marie@example.com (usr_1)
      Address         URL
      Organization    Acme (acme, org_1)
      Role            owner
      Signed in with  token
      Token from      SVC_TOKEN
      Token           ci (tok_9)
      Token expires   2027-02-18T00:00:00.000Z

    Other organizations:
      • Guild (guild, org_2), member

    More
      User locale     fr
      Flags beta      yes
    "
  `);
  expect([headers['authorization'], headers['x-service-org']]).toEqual([`Bearer ${CANARY_TOKEN}`, undefined]);
});

test('--json prints the bytes of the answer', async () => {
  const text = '{"user":{"email":"a@b.c"},"n":1.50,"big":123456789012345678901}';
  expect(await whoami(text, ['--json'])).toMatchObject({ exitCode: 0, stdout: `${text}\n`, stderr: '' });
});

test('--jq filters that answer, or prints no part of it; an invalid filter sends nothing', async () => {
  const filtered = await whoami(ANSWER, ['--jq', '.user.email, .organizations[].slug']);
  expect(filtered).toMatchObject({ exitCode: 0, stdout: 'marie@example.com\nacme\nguild\n' });
  const failed = await whoami(ANSWER, ['--jq', '.user, .user + 1']);
  expect(failed).toMatchObject({ exitCode: 1, stdout: '', error: { code: 'unexpected' } });
  const invalid = await against(['whoami', '--jq', '.user |'], {});
  expect(invalid).toMatchObject({ exitCode: 2, stdout: '', error: { code: 'usage' }, sent: [] });
});

test('without a sign-in nothing is sent', async () => {
  const stranger = await against('whoami', {}, { token: null });
  expect(stranger).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('svc login'), sent: [] });
});

test('--org chooses the organization, and a dashboard session is sent as its cookie', async () => {
  const options = { token: null, env: { SVC_SESSION_TOKEN: 'ses_1' } };
  const { stdout, headers } = await whoami(ANSWER, ['--org', 'guild'], options);
  expect(stdout).toContain('SVC_SESSION_TOKEN');
  expect(headers).toMatchObject({ cookie: 'svc.session-token=ses_1', 'x-service-org': 'guild' });
  expect(headers['authorization']).toBeUndefined();
});

test.each([
  ['nothing at all', {}, ''],
  ['fields of other types', { user: ['marie'], organizations: 'acme', authMethod: [7], token: 'tok' }, 'marie acme 7'],
  ['lists of other things', { organizations: [null, 'x', { name: ['y'] }] }, 'x y'],
  ['one organization with more fields', { organizations: [{ id: 'org_1', seats: 5 }] }, 'org_1 Seats 5'],
  ['fields that svc does not know', { user: 'marie', newField: { deep: ['x'] } }, 'New field deep'],
  ['text that would drive a terminal', { user: { email: 'a\u001b[2J@b.c', name: '\u202ename' } }, 'a\\u{1b}[2J@b.c'],
])('an answer with %s is shown whole', async (_name, answer, words) => {
  const { exitCode, stdout, stderr } = await whoami(answer);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  for (const word of words.split(' ')) expect(stdout).toContain(word);
  expect(stdout).not.toMatch(/\[object Object\]|[\u001b\u202e]/);
});

test('a token that does not look like one of the platform is used, with a warning', async () => {
  const said = 'SVC_TOKEN does not start with svc_; is it an API token?';
  expect((await whoami({}, [], { token: 'plain-token' })).stderr).toBe(`Warning: ${said}\n`);
  expect((await whoami({}, ['--json'], { token: 'plain-token' })).error).toEqual({ warning: said, code: 'odd_token' });
});

test('an answer that repeats the token is printed as it came for scripts, and without the token for people', async () => {
  const answer = { user: { id: 'u', note: `you sent ${CANARY_TOKEN}` } };
  expect((await whoami(answer, ['--json'])).json).toEqual(answer);
  expect((await whoami(answer, ['--jq', '.user.note'])).stdout).toBe(`you sent ${CANARY_TOKEN}\n`);
  expect((await whoami(answer)).stdout).not.toContain(CANARY_TOKEN);
});
