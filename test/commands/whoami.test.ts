import { expect, test } from 'vitest';
import { against } from '../support/against.ts';
import { fakeClock } from '../support/clock.ts';
import { CANARY_TOKEN, svc } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

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

async function whoami(answer: unknown, argv: readonly string[] = [], options = {}) {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(200, answer);
  const run = await svc(['whoami', ...argv], { url: wire.url, ...options });
  const { exitCode, stderr } = run;
  return { run, exitCode, stderr, stdout: run.stdout.replaceAll(wire.url, 'URL'), request: wire.requests[0] };
}

test('the account, the organizations and the source of the token are shown', async () => {
  const { exitCode, stdout, stderr, request } = await whoami(ANSWER, [], { clock: fakeClock() });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatchInlineSnapshot(`
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
  expect(request?.headers['authorization']).toBe(`Bearer ${CANARY_TOKEN}`);
  expect(request?.headers['x-service-org']).toBeUndefined();
});

test('--json prints the bytes of the answer', async () => {
  const text = '{"user":{"email":"a@b.c"},"n":1.50,"big":123456789012345678901}';
  expect(await whoami(text, ['--json'])).toMatchObject({ exitCode: 0, stdout: `${text}\n`, stderr: '' });
});

test.each([
  ['.user.email, .organizations[].slug', 0, 'marie@example.com\nacme\nguild\n', {}],
  ['.user, .user + 1', 1, '', { code: 'unexpected' }],
])('--jq %j filters that answer, or prints no part of it', async (filter, exitCode, stdout, error) => {
  const { run } = await whoami(ANSWER, ['--jq', filter]);
  expect(run).toMatchObject({ exitCode, stdout });
  if (exitCode !== 0) expect(run.error).toMatchObject(error);
});

test('an invalid filter sends nothing, nor does a run without a sign-in', async () => {
  const filtered = await against(['whoami', '--jq', '.user |'], {});
  expect(filtered).toMatchObject({ exitCode: 2, stdout: '', error: { code: 'usage' }, sent: [] });
  const stranger = await against('whoami', {}, { token: null });
  expect(stranger).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('svc login'), sent: [] });
});

test('--org chooses the organization', async () => {
  const { request } = await whoami(ANSWER, ['--org', 'guild']);
  expect(request?.headers['x-service-org']).toBe('guild');
});

test('a dashboard session is sent as its cookie', async () => {
  const { exitCode, stdout, request } = await whoami(ANSWER, [], { token: null, env: { SVC_SESSION_TOKEN: 'ses_1' } });
  expect(exitCode).toBe(0);
  expect(stdout).toContain('SVC_SESSION_TOKEN');
  expect(request?.headers['cookie']).toBe('svc.session-token=ses_1');
  expect(request?.headers['authorization']).toBeUndefined();
});

test.each([
  ['nothing at all', {}, ''],
  ['fields of other types', { user: ['marie'], organizations: 'acme', authMethod: [7], token: 'tok' }, 'marie acme 7'],
  ['lists of other things', { organizations: [null, 'x', { name: ['y'] }] }, 'x y'],
  ['one organization with more fields', { organizations: [{ id: 'org_1', seats: 5 }] }, 'org_1 Seats 5'],
])('an answer with %s is shown whole', async (_name, answer, words) => {
  const { exitCode, stdout, stderr } = await whoami(answer);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  for (const word of words.split(' ')) expect(stdout).toContain(word);
  expect(stdout).not.toContain('[object Object]');
});

test('fields that svc does not know are shown, and text of the platform cannot drive the terminal', async () => {
  expect((await whoami({ user: 'marie', newField: { deep: ['x'] } })).stdout).toContain('New field deep');
  const { stdout } = await whoami({ user: { email: 'a\u001b[2J@b.c', name: '\u202ename' } });
  expect(stdout).not.toMatch(/[\u001b\u202e]/);
  expect(stdout).toContain('a\\u{1b}[2J@b.c');
});

test('a folder that cannot be read does not stop a token of the environment', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(200, ANSWER);
  const run = await svc(['whoami'], { url: wire.url, configDir: '/proc/svc-is-not-here' });
  expect(run.exitCode).toBe(0);
});

test('a token that does not look like one of the platform is used, with a warning', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(200, ANSWER).reply(200, ANSWER);
  const run = await svc(['whoami'], { url: wire.url, token: 'plain-token' });
  expect(run.stderr).toBe('Warning: SVC_TOKEN does not start with svc_; is it an API token?\n');
  const json = await svc(['whoami', '--json'], { url: wire.url, token: 'plain-token' });
  expect(json.error).toEqual({ warning: expect.stringContaining('does not start with svc_'), code: 'odd_token' });
});

test('an answer that repeats the token is printed as it came for scripts, and without the token for people', async () => {
  const answer = { user: { id: 'u', note: `you sent ${CANARY_TOKEN}` } };
  expect((await whoami(answer, ['--json'])).run.json).toEqual(answer);
  expect((await whoami(answer, ['--jq', '.user.note'])).stdout).toBe(`you sent ${CANARY_TOKEN}\n`);
  expect((await whoami(answer)).stdout).not.toContain(CANARY_TOKEN);
});
