import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { journalText } from '../../../src/sign-in/journal.ts';
import { fakeClock } from '../../support/clock.ts';
import { holdLock } from '../../support/held-lock.ts';
import { readSignIns, storedSignIn, writeSignIns } from '../../support/stored.ts';
import { type RunOptions, svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

/** Somebody whose login was killed before it merged its journal; they are signed in elsewhere. */
async function killedLogin() {
  const wire = await testWire();
  const configDir = await temporaryFolder();
  writeSignIns(configDir, storedSignIn('home', 'https://b.example.com'));
  const journal = join(configDir, 'login-00000000-1-aa.json');
  writeFileSync(journal, journalText(storedSignIn('fresh', wire.url)), { mode: 0o600 });
  const whoami = (options: RunOptions = {}) => svc(['whoami'], { configDir, ...options });
  return { wire, configDir, whoami, isThere: () => existsSync(journal) };
}

test('the journal of a killed login is used and merged by the next command, after its own work', async () => {
  const { wire, configDir, whoami, isThere } = await killedLogin();
  let wasThere: boolean | undefined;
  wire.on('GET', '/v1/user').answer(() => {
    wasThere = isThere();
    return { status: 200, body: {} };
  });
  const stdout = expect.stringContaining('profile fresh');
  expect(await whoami()).toMatchObject({ exitCode: 0, stdout, stderr: '' });
  expect([wasThere, isThere()]).toEqual([true, false]);
  const credentials = [{ profile: 'home' }, { profile: 'fresh' }];
  expect(readSignIns(configDir)).toMatchObject({ current: 'fresh', credentials });
});

test('it is merged by a command that fails, left alone with a token of the environment, and fails no command', async () => {
  const failing = await killedLogin();
  failing.wire.on('GET', '/v1/user').reply(404);
  expect([(await failing.whoami()).exitCode, failing.isThere()]).toEqual([6, false]);
  const { wire, configDir, whoami, isThere } = await killedLogin();
  wire.on('GET', '/v1/user').always(200, {});
  expect([(await whoami({ url: wire.url })).exitCode, isThere()]).toEqual([0, true]);
  onTestFinished(holdLock(configDir, 'credentials.json'));
  const clock = fakeClock(new Date().toISOString());
  expect(await whoami({ clock })).toMatchObject({ exitCode: 0, stderr: '' });
  expect(isThere()).toBe(true);
});
