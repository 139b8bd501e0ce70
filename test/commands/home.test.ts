import { expect, test } from 'vitest';
import { storedSignIn, writeNamesSeen, writeSignIns } from '../support/stored.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

const URL = 'https://api.example.com';

test('svc alone says who is signed in, what is in use and what to do next', async () => {
  const configDir = await temporaryFolder();
  writeSignIns(configDir, { ...storedSignIn('work', URL), org: 'acme' });
  const services = [{ name: 'svc_1', about: 'kola-blog' }];
  writeNamesSeen(configDir, {
    [URL]: { organizations: [{ name: 'acme', about: 'Acme Ltd' }], services },
  });
  const { exitCode, stdout, stderr } = await svc([], { configDir, env: { SVC_SERVICE: 'svc_1' } });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(
    / work@example\.com at api\.example\.com\n.* Acme Ltd \(acme\)\n.* kola-blog \(svc_1\)\n/,
  );
  expect(stdout).toContain('  svc metrics ');
  expect(stdout.split('\n').length).toBeLessThanOrEqual(13);
});

test('a newcomer is led to the sign-in and to the sandbox', async () => {
  const { exitCode, stdout } = await svc([]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/Next:\n {2}svc login .*\n {2}svc sandbox tour .*\n {2}svc --help /);
});

test.each([
  ['one other', ['shop'], 'shop'],
  [
    'many others, the first of them',
    ['shop', 'wiki', 'app', 'api', 'old'],
    'shop, wiki, app and 2 more',
  ],
])('svc alone names the services that it knows: %s', async (_what, names, shown) => {
  const configDir = await temporaryFolder();
  writeSignIns(configDir, storedSignIn('work', URL));
  const others = names.map((about) => ({ name: `svc_${about}`, about }));
  const elsewhere = { name: 'svc_2', about: 'elsewhere', org: 'acme' };
  const services = [elsewhere, ...others, { name: 'svc_1', about: 'kola-blog' }];
  writeNamesSeen(configDir, { [URL]: { services } });

  const { stdout } = await svc([], { configDir, env: { SVC_SERVICE: 'svc_1' } });

  expect(stdout).toContain(`Used before  ${shown}\n`);
  expect(stdout.split('\n').length).toBeLessThanOrEqual(13);
});
