import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/server.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const USER = {
  user: { email: 'marie@example.com' },
  organization: { id: 'org_1', slug: 'acme' },
  organizations: [
    { id: 'org_1', slug: 'acme' },
    { id: 'org_2', slug: '$(touch pwned)' },
    { id: 'org_3', slug: '-y' },
    { id: 'org_4' },
  ],
};

const read = (configDir: string, kind: string) => readFile(join(configDir, 'known', kind), 'utf8');

async function orgs(configDir: string, organizations: unknown = USER.organizations) {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(200, { ...USER, organizations });
  return svc(['orgs'], { url: wire.url, configDir });
}

describe('the names that completion offers', () => {
  test('organizations, as svc orgs saw them last; nothing that a shell takes for something else', async () => {
    const configDir = await temporaryFolder();
    await orgs(configDir);
    expect(await read(configDir, 'orgs')).toBe('acme\norg_1\norg_2\norg_3\norg_4\n');
    await orgs(configDir, [{ id: 'org_9' }]);
    expect(await read(configDir, 'orgs')).toBe('org_9\n');
    expect(await readdir(join(configDir, 'known'))).toEqual(['orgs']);
  });

  test('services, the last linked one first, each once', async () => {
    const configDir = await temporaryFolder();
    const cwd = await temporaryFolder();
    for (const id of ['svc_1', 'svc_2', 'svc_1']) await svc(['link', id], { configDir, cwd });
    expect(await read(configDir, 'services')).toBe('svc_1\nsvc_2\n');
  });

  test('no more than fifty', async () => {
    const configDir = await temporaryFolder();
    await orgs(
      configDir,
      Array.from({ length: 80 }, (_, index) => ({ id: `org_${index}` })),
    );
    expect((await read(configDir, 'orgs')).trimEnd().split('\n')).toHaveLength(50);
  });

  test('profiles, from login to logout', async () => {
    const sandbox = await startSandbox({ port: 0 });
    const configDir = await temporaryFolder();
    try {
      const options = { url: sandbox.listing.url, token: null, configDir };
      const login = (...words: string[]) =>
        svc(['login', '--with-token', ...words], { ...options, stdin: sandbox.listing.token });
      await login('--profile', 'work');
      await login('--profile', 'home');
      expect((await read(configDir, 'profiles')).trimEnd().split('\n').sort()).toEqual(['home', 'work']);
      await svc(['profiles', 'remove', 'home'], { configDir });
      expect(await read(configDir, 'profiles')).toBe('work\n');
      await svc(['logout', '--all'], { configDir });
      expect(await read(configDir, 'profiles')).toBe('');
    } finally {
      await sandbox.close();
    }
  });

  test('make no folder where svc has none, as in a pipeline', async () => {
    const configDir = join(await temporaryFolder(), 'none');
    expect(await orgs(configDir)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(existsSync(configDir)).toBe(false);
  });

  test('are left alone where they cannot be written, and nothing fails', async () => {
    const configDir = await temporaryFolder();
    await writeFile(join(configDir, 'known'), 'a file where the folder should be');
    expect(await orgs(configDir)).toMatchObject({ exitCode: 0, stderr: '' });
    const other = await temporaryFolder();
    await mkdir(join(other, 'known', 'orgs'), { recursive: true });
    expect(await orgs(other)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await readdir(join(other, 'known'))).toEqual(['orgs']);
  });
});
