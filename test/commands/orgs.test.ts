import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSignIns, storedSignIn, writeSignIns } from '../support/stored.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const ANSWER = {
  organization: { id: 'org_1', slug: 'acme', name: 'Acme' },
  organizations: [
    { id: 'org_1', slug: 'acme', name: 'Acme', role: 'owner' },
    { id: 'org_2', slug: 'guild', name: 'Guild', role: 'member' },
  ],
};

/** Somebody signed in to a platform that tells the organizations. */
async function member(org?: string, answer: unknown = ANSWER) {
  const wire = await testWire();
  wire.on('GET', '/v1/user').always(200, answer);
  const configDir = await temporaryFolder();
  writeSignIns(configDir, storedSignIn('work', wire.url, { org }));
  return { wire, configDir };
}

describe('svc orgs', () => {
  test('lists the organizations with the one that commands act in', async () => {
    const { configDir } = await member();
    const { exitCode, stdout, stderr } = await svc(['orgs'], { configDir });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatchInlineSnapshot(`
      "          NAME   SLUG   ROLE    ID
        active  Acme   acme   owner   org_1
                Guild  guild  member  org_2

      No organization is selected, so the first one (Acme) is used.
      "
    `);
  });

  test.each<
    [name: string, argv: readonly string[], env: Record<string, string>, org: string | undefined, where: string]
  >([
    ['a flag', ['--org', 'guild'], { SVC_ORG: 'acme' }, 'acme', '--org'],
    ['the environment', [], { SVC_ORG: 'org_2' }, 'acme', 'SVC_ORG'],
    ['the profile', [], {}, 'guild', 'profile work'],
  ])('says that %s chose it, and asks in none', async (_name, argv, env, org, where) => {
    const { wire, configDir } = await member(org);
    const run = await svc(['orgs', '--json', ...argv], { configDir, env });
    expect(run.json).toMatchObject({ active: { slug: 'guild' }, chosenBy: { where } });
    expect(wire.requests[0]?.headers['x-service-org']).toBeUndefined();
  });

  test('an organization that the account has left is said to be none of them', async () => {
    const { configDir } = await member('gone');
    const run = await svc(['orgs'], { configDir });
    expect(run.stdout).toContain('! profile work selects gone, which is not one of them.');
    expect((await svc(['orgs', '--json'], { configDir })).json).toMatchObject({ active: null });
  });

  test('odd fields are no reason to fail', async () => {
    const { configDir } = await member(undefined, { organizations: [{ name: ['y'] }], organization: 7 });
    expect((await svc(['orgs'], { configDir })).exitCode).toBe(0);
  });

  test.each([[{ org_1: { name: 'x' } }], [['org_1', 'org_2']], ['org_1'], [[null]]])(
    'a list that cannot be read (%j) is never said to be empty',
    async (organizations) => {
      const { configDir } = await member(undefined, { organizations, organization: { id: 'o' } });
      const run = await svc(['orgs'], { configDir });
      expect(run).toMatchObject({ exitCode: 1, stdout: '' });
      expect(run.stderr).toContain('svc cannot read the list of organizations in the answer.');
    },
  );

  test('without a sign-in nothing is sent', async () => {
    const wire = await testWire();
    expect((await svc(['orgs'], { url: wire.url, token: null })).exitCode).toBe(4);
  });
});

describe('svc orgs use', () => {
  test('keeps the choice with the sign-in, and later commands act in it', async () => {
    const { wire, configDir } = await member('gone');
    const { exitCode, stdout } = await svc(['orgs', 'use', 'guild'], { configDir });
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: '✓ Now using organization guild.\n\n  Saved in  profile work\n',
    });
    expect(readSignIns(configDir).credentials[0]?.org).toBe('guild');
    await svc(['whoami'], { configDir });
    expect(wire.requests.map(({ headers }) => headers['x-service-org'])).toEqual([undefined, 'guild']);
  });

  test('with a token of the environment keeps nothing: it would count for every profile and every address', async () => {
    const [wire, configDir] = [await testWire(), await temporaryFolder()];
    writeSignIns(configDir, storedSignIn('work', wire.url, { org: 'acme' }));
    const file = join(configDir, 'token');
    writeFileSync(file, 'svc_CANARY_env');
    for (const name of ['SVC_TOKEN', 'SVC_TOKEN_FILE', 'SVC_SESSION_TOKEN']) {
      const env = { SVC_API_URL: wire.url, [name]: name === 'SVC_TOKEN_FILE' ? file : 'svc_CANARY_env' };
      expect(await svc(['orgs', 'use', 'org_2'], { configDir, env })).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: `Error: This shell signs in with ${name}, which cannot store a choice.\n  Choose the organization in this shell instead:\nTry: export SVC_ORG=org_2\n`,
      });
    }
    expect(wire.connections()).toBe(0);
    expect(existsSync(join(configDir, 'config.json'))).toBe(false);
    expect(readSignIns(configDir).credentials[0]?.org).toBe('acme');
  });

  test('with a token of the environment nobody is asked to choose', async () => {
    const wire = await testWire();
    const run = await svc(['orgs', 'use'], { url: wire.url, terminal: { columns: 80, rows: 24 } });
    expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('which cannot store a choice.') });
    expect(wire.connections()).toBe(0);
  });

  test('without a sign-in sends nothing', async () => {
    const wire = await testWire();
    expect((await svc(['orgs', 'use', 'acme'], { url: wire.url, token: null })).exitCode).toBe(4);
    expect((await svc(['orgs', 'use', 'acme'])).exitCode).toBe(2);
  });

  test('names the setting that wins over it', async () => {
    const { configDir } = await member();
    const run = await svc(['orgs', 'use', 'guild'], { configDir, env: { SVC_ORG: 'acme' } });
    expect(run.stdout).toContain('! SVC_ORG overrides it here: acme');
  });

  test.each(['other', 'Acme'])('of an organization that the account is not in (%s) changes nothing', async (name) => {
    const { configDir } = await member('acme');
    const run = await svc(['orgs', 'use', name, '--json'], { configDir });
    expect(run).toMatchObject({ exitCode: 6, stdout: '', error: { code: 'not_found', hint: 'svc orgs' } });
    expect(readSignIns(configDir).credentials[0]?.org).toBe('acme');
  });

  test('is undone by unsetting the organization', async () => {
    const { configDir } = await member('acme');
    const run = await svc(['config', 'unset', 'org'], { configDir });
    expect(run).toMatchObject({ exitCode: 0, stdout: '✓ org is no longer set.\n' });
    expect(readSignIns(configDir).credentials[0]?.org).toBeUndefined();
    expect((await svc(['orgs', '--json'], { configDir })).json).toMatchObject({ chosenBy: null });
  });
});
