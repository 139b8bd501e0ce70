import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { journalText } from '../../../src/sign-in/journal.ts';
import { fakeClock } from '../../support/clock.ts';
import { holdLock } from '../../support/held-lock.ts';
import { readSignIns, storedSignIn, writeSignIns } from '../../support/stored.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

test('the journal of a killed login is used and merged by the next command, after its own work', async () => {
  const wire = await testWire();
  const configDir = await temporaryFolder();
  writeSignIns(configDir, storedSignIn('home', 'https://b.example.com'));
  const journal = join(configDir, 'login-00000000-1-aa.json');
  writeFileSync(journal, journalText(storedSignIn('fresh', wire.url)), { mode: 0o600 });
  let wasThere: boolean | undefined;
  wire.on('GET', '/v1/user').answer(({ headers }) => {
    wasThere = existsSync(journal);
    return { status: 200, body: { user: { email: headers['authorization'] } } };
  });
  const run = await svc(['whoami'], { configDir });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout).toContain('profile fresh');
  expect([wasThere, existsSync(journal)]).toEqual([true, false]);
  expect(readSignIns(configDir)).toMatchObject({
    current: 'fresh',
    credentials: [{ profile: 'home' }, { profile: 'fresh' }],
  });
});

test('the journal of a killed login is merged also by a command that fails, and a failed merge fails no command', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(404).reply(200, {});
  const configDir = await temporaryFolder();
  const journal = join(configDir, 'login-00000000-1-aa.json');
  const leave = () => writeFileSync(journal, journalText(storedSignIn('fresh', wire.url)), { mode: 0o600 });
  leave();
  expect((await svc(['whoami'], { configDir })).exitCode).toBe(6);
  expect(existsSync(journal)).toBe(false);
  onTestFinished(holdLock(configDir, 'credentials.json'));
  leave();
  expect(await svc(['whoami'], { configDir, clock: fakeClock(new Date().toISOString()) })).toMatchObject({
    exitCode: 0,
    stderr: '',
  });
  expect(existsSync(journal)).toBe(true);
});

test('the journal of a killed login is left alone with a token of the environment', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(200, {});
  const configDir = await temporaryFolder();
  const journal = join(configDir, 'login-00000000-1-aa.json');
  writeFileSync(journal, journalText(storedSignIn('fresh', wire.url)), { mode: 0o600 });
  expect((await svc(['whoami'], { url: wire.url, configDir })).exitCode).toBe(0);
  expect(existsSync(journal)).toBe(true);
});
