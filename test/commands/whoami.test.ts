import { expect, test } from 'vitest';
import { svc } from '../support/svc.ts';
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

test('the account, the organizations and the source of the token are shown', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(200, ANSWER);
  const run = await svc(['whoami'], { url: wire.url });
  expect(run.stderr).toBe('');
  expect(run.exitCode).toBe(0);
  expect(run.stdout).toMatchInlineSnapshot(`
    "  Signed in as  marie@example.com (usr_1)
      Address       http://127.0.0.1:33357
      Organization  Acme (acme, org_1)
      Signed in by  token
      Token from    SVC_TOKEN
      Token         ci (tok_9)
      Expires       2027-02-18T00:00:00.000Z

      ORGANIZATION  ROLE    ID
      Acme          owner   org_1
      Guild         member  org_2

    User
      locale  fr

      flags.beta  yes
    "
  `);
});

test('--json prints the bytes of the answer', async () => {
  const wire = await testWire();
  const text = '{"user":{"email":"a@b.c"},"n":1.50,"big":123456789012345678901}';
  wire.on('GET', '/v1/user').reply(200, text);
  const run = await svc(['whoami', '--json'], { url: wire.url });
  expect(run).toMatchObject({ exitCode: 0, stdout: `${text}\n`, stderr: '' });
});
