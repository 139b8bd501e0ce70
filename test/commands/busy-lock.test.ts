import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { type Answers, against } from '../support/against.ts';
import { ISSUED } from '../support/device-login.ts';
import { holdLock, isWaitedFor } from '../support/held-lock.ts';
import { type RunOptions, temporaryFolder } from '../support/svc.ts';

/** Runs a command that needs a locked file, and interrupts it as soon as it waits. */
async function interrupted(
  line: string,
  file: string,
  answers: Answers = {},
  options: RunOptions = {},
) {
  const configDir = await temporaryFolder();
  onTestFinished(holdLock(configDir, file));
  // A wait that the signal did not end would end with another error: the lock is not given back.
  const onStart = (send: (signal: 'SIGTERM') => void) =>
    void isWaitedFor(configDir, file).then(() => send('SIGTERM'));
  const run = await against(line, answers, { ...options, configDir, onStart, clock: systemClock });
  return Object.assign(run, { configDir });
}

test.each([
  ['config.json', 'config set org acme'],
  ['orders.json', 'buy --plan p --network mtn --phone +237670000042 --yes'],
])('a signal ends the wait for %s, and nothing is sent: %s', async (file, line) => {
  const end = await interrupted(line, file);
  expect(end).toMatchObject({ exitCode: 143, stdout: '', stderr: 'Interrupted.\n', sent: [] });
  expect(readdirSync(end.configDir).filter((name) => name.startsWith(`${file}.lock-`))).toEqual([]);
});

test('a login whose wait ends so keeps its token, and says where', async () => {
  const answers = {
    'GET /v1/user': [{ user: { email: 'ci@example.com' }, token: { id: 'tok_1' } }],
  };
  const options = { token: null, stdin: ISSUED.token };
  const end = await interrupted('login --with-token', 'credentials.json', answers, options);
  expect(end.exitCode).toBe(143);
  const journal = join(
    end.configDir,
    readdirSync(end.configDir).find((name) => name.startsWith('login-')) ?? '',
  );
  expect(end.stderr.replace(/\s+/g, ' ')).toContain(
    `The sign-in is kept in ${journal} and used from there.`,
  );
  expect(readFileSync(journal, 'utf8')).toContain(ISSUED.token);
  expect(end.stderr).not.toContain('CANARY');
});
