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
  const whoami = async (options: RunOptions = {}) => (await svc(['whoami'], { configDir, ...options })).exitCode;
  return { wire, configDir, whoami, isThere: () => existsSync(journal) };
}

test('the journal of a killed login is used and merged by the next command, after its own work', async () => {
  const { wire, configDir, whoami, isThere } = await killedLogin();
  let wasThere: boolean | undefined;
  wire.on('GET', '/v1/user').answer(() => {
    wasThere = isThere();
    return { status: 404, body: {} };
  });
  expect([await whoami(), wasThere, isThere()]).toEqual([6, true, false]);
  const credentials = [{ profile: 'home' }, { profile: 'fresh' }];
  expect(readSignIns(configDir)).toMatchObject({ current: 'fresh', credentials });
});

test('it is left alone by a command with a token of the environment, and fails no command', async () => {
  const { wire, configDir, whoami, isThere } = await killedLogin();
  wire.on('GET', '/v1/user').always(200, {});
  expect([await whoami({ url: wire.url }), isThere()]).toEqual([0, true]);
  onTestFinished(holdLock(configDir, 'credentials.json'));
  expect([await whoami({ clock: fakeClock(new Date().toISOString()) }), isThere()]).toEqual([0, true]);
});
