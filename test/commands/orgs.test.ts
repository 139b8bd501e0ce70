import { describe, expect, test } from 'vitest';
import { against } from '../support/against.ts';
import { readSignIns, storedSignIn, writeSignIns } from '../support/stored.ts';
import { type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const ORGANIZATIONS = [
  { id: 'org_1', slug: 'acme', name: 'Acme', role: 'owner' },
  { id: 'org_2', slug: 'guild', name: 'Guild', role: 'member' },
];
const ANSWER = { organization: ORGANIZATIONS[0], organizations: ORGANIZATIONS };

/** Somebody signed in to a platform that tells the organizations. */
async function member(org?: string, answer: unknown = ANSWER) {
  const wire = await testWire();
  wire.on('GET', '/v1/user').always(200, answer);
  const configDir = await temporaryFolder();
  writeSignIns(configDir, storedSignIn('work', wire.url, { org }));
  const run = (line: string, options: RunOptions = {}) =>
    svc(line.split(' ').filter(Boolean), { configDir, ...options });
  const kept = () => readSignIns(configDir).credentials[0]?.org;
  const asked = () => wire.requests.map(({ headers }) => headers['x-service-org']);
  return { wire, configDir, run, kept, asked };
}

describe('svc orgs', () => {
  test.each([
    ['--org guild', { SVC_ORG: 'acme' }, 'acme', '--org'],
    ['', { SVC_ORG: 'org_2' }, 'acme', 'SVC_ORG'],
    ['', {}, 'guild', 'profile work'],
  ])('says what chose it, and asks in none: %s %j, stored %s', async (flags, env, org, where) => {
    const { run, asked } = await member(org);
    const { json } = await run(`orgs --json ${flags}`, { env });
    expect(json).toMatchObject({ active: { slug: 'guild' }, chosenBy: { where } });
    expect(asked()).toEqual([undefined]);
  });

  test('an organization that the account has left is said to be none of them', async () => {
    const { run } = await member('gone');
    expect((await run('orgs --json')).json).toMatchObject({
      active: null,
      chosenBy: { value: 'gone' },
    });
  });

  test('a list that cannot be read is not empty', async () => {
    const { run } = await member(undefined, { organizations: { org_1: { name: 'x' } } });
    expect(await run('orgs')).toMatchObject({ exitCode: 1, stdout: '' });
  });
});

describe('an account without a list of organizations', () => {
  test.each([
    ['has none', { organizations: [] }, 0, 'You do not belong to an organization yet.'],
    ['is not told', { organization: { id: 'org_1' } }, 0, 'does not list your organizations'],
    ['is told nothing', { user: {}, organizations: null }, 0, 'does not list your organizations'],
    ['is told names', { organizations: ['org_1'] }, 1, 'cannot read the list of organizations'],
  ])('%s', async (_what, answer, exitCode, words) => {
    const { run } = await member(undefined, answer);
    const person = await run('orgs');
    const script = await run('orgs --json');

    expect(person.exitCode).toBe(exitCode);
    expect(person.shown).toContain(words);
    expect(script.stderr.includes('organizations_not_listed')).toBe(/not list/.test(words));
  });
});

describe('svc orgs use', () => {
  test('keeps the choice with the sign-in, and later commands act in it', async () => {
    const { run, kept, asked } = await member('gone');
    expect(await run('orgs use guild')).toMatchObject({ exitCode: 0, stderr: '' });
    expect(kept()).toBe('guild');
    await run('whoami');
    expect(asked()).toEqual([undefined, 'guild']);
  });

  test.each([
    ['acme', 'svc orgs use acme'],
    ['guild', undefined],
    [undefined, 'svc config unset org'],
  ])('on a terminal says how to go back from guild to %s', async (before, back) => {
    const { run } = await member(before);

    const { stdout } = await run('orgs use guild', { terminal: { columns: 100, rows: 40 } });

    if (back === undefined) expect(stdout).not.toContain('Next');
    else expect(stdout).toContain(`  ${back}  go back to the one before`);
  });

  test('on a terminal goes back to the organization of the settings, or to none that is overridden', async () => {
    const { run } = await member(undefined);
    const terminal = { columns: 100, rows: 40 };
    await run('config set org acme');

    const used = await run('orgs use guild', { terminal });
    const unset = await run('config unset org', { terminal });
    const overridden = await run('orgs use guild', { terminal, env: { SVC_ORG: 'acme' } });

    expect(used.stdout).toContain('  svc orgs use acme  go back to the one before');
    expect(unset.stdout).toContain('  svc orgs use guild  set it again');
    expect(overridden.stdout).not.toContain('Next');
  });

  test('with SVC_TOKEN keeps nothing: it would count for every profile and address', async () => {
    const { wire, run, kept } = await member('acme');
    const env = { SVC_API_URL: wire.url, SVC_TOKEN: 'svc_CANARY_env' };
    const stderr = expect.stringContaining('Try: export SVC_ORG=org_2\n');
    expect(await run('orgs use org_2', { env })).toMatchObject({ exitCode: 2, stderr });
    expect(kept()).toBe('acme');
    // The profile's organization is not that of the token either.
    expect((await run('orgs --json', { env })).json).toMatchObject({ chosenBy: null });
  });

  test.each(['orgs', 'orgs use acme'])('without a sign-in svc %s sends nothing', async (line) => {
    expect(await against(line, {}, { token: null })).toMatchObject({ exitCode: 4, sent: [] });
  });

  test('of an organization that the account is not in changes nothing', async () => {
    const { run, kept } = await member('acme');
    const error = { code: 'not_found', hint: 'svc orgs' };
    // A name is neither an id nor a slug.
    expect(await run('orgs use Acme --json')).toMatchObject({ exitCode: 6, stdout: '', error });
    expect(kept()).toBe('acme');
  });

  test('is undone by unsetting the organization', async () => {
    const { run, kept } = await member('acme');
    expect((await run('config unset org')).exitCode).toBe(0);
    expect(kept()).toBeUndefined();
    expect((await run('orgs --json')).json).toMatchObject({ chosenBy: null });
  });
});
