import { expect, test } from 'vitest';
import { storedSignIn, writeNamesSeen, writeSignIns } from '../support/stored.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

const URL = 'https://api.example.com';

test('svc alone says who is signed in, what is in use and what to do next, and sends nothing', async () => {
  const configDir = await temporaryFolder();
  writeSignIns(configDir, { ...storedSignIn('work', URL), org: 'acme' });
  const services = [{ name: 'svc_1', about: 'kola-blog' }];
  writeNamesSeen(configDir, { [URL]: { organizations: [{ name: 'acme', about: 'Acme Ltd' }], services } });
  const { exitCode, stdout, stderr } = await svc([], { configDir, env: { SVC_SERVICE: 'svc_1' } });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatchInlineSnapshot(`
    "Manage your hosting from the terminal.

      Account       work@example.com, api.example.com
      Organization  Acme Ltd (acme)
      Service       kola-blog (svc_1)

    Next:
      svc status   your account and service at a glance
      svc metrics  CPU, memory and traffic
      svc --help   every command
    "
  `);
  const without = await svc([], { configDir });
  expect(without.stdout).toContain('Service       none (choose one with svc link <id>)');
});

test('a newcomer is led to the sign-in and to the sandbox', async () => {
  const { exitCode, stdout } = await svc([], { configDir: await temporaryFolder() });
  expect(exitCode).toBe(0);
  expect(stdout).toMatchInlineSnapshot(`
    "Manage your hosting from the terminal.

    You are not signed in.

    Next:
      svc login         sign in
      svc sandbox tour  see every command in action, without an account
      svc --help        every command
    "
  `);
});

test('the token of a variable is never shown', async () => {
  const { stdout } = await svc([], { env: { SVC_API_URL: URL, SVC_TOKEN: 'secret-of-mine-1234' } });
  expect(stdout).toContain('Account  the token of SVC_TOKEN, api.example.com\n');
  expect(stdout).not.toContain('secret');
});
