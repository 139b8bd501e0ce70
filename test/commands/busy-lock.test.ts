import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { ISSUED } from '../support/device-login.ts';
import { holdLock, isWaitedFor } from '../support/held-lock.ts';
import { type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

/** Runs a command that needs a locked file, and interrupts it as soon as it waits. */
async function interrupted(argv: readonly string[], file: string, options: RunOptions) {
  const configDir = await temporaryFolder();
  onTestFinished(holdLock(configDir, file));
  const run = await svc(argv, {
    ...options,
    configDir,
    onStart: (send) =>
      // A wait that the signal did not end would end with another error: the lock is not given back.
      void isWaitedFor(configDir, file).then(() => send('SIGTERM')),
  });
  const { exitCode, stdout, stderr } = run;
  return { exitCode, stdout, stderr, configDir };
}

const BUY = ['buy', '--plan', 'p', '--network', 'mtn', '--phone', '+237670000042', '--yes'];

describe('a signal while another svc keeps a file locked', () => {
  test.each([
    ['config.json', ['config', 'set', 'org', 'acme']],
    ['orders.json', BUY],
    ['orders.json', [...BUY, '--idempotency-key', '6c3f8a1e-5b7d-4f7a-9a51-0d8f3c2b1a00']],
  ])('ends the wait for %s, and nothing is sent: %j', async (file, argv) => {
    const wire = await testWire();
    const end = await interrupted(argv, file, { url: wire.url });
    expect(end).toMatchObject({ exitCode: 143, stdout: '', stderr: 'Interrupted.\n' });
    expect(wire.requests).toEqual([]);
    expect(readdirSync(end.configDir).filter((name) => name.startsWith(`${file}.lock-`))).toEqual([]);
  });

  test('ends a login, which keeps its token and says so', async () => {
    const wire = await testWire();
    wire.on('GET', '/v1/user').reply(200, { user: { email: 'ci@example.com' }, token: { id: 'tok_1' } });
    const argv = ['login', '--with-token'];
    const end = await interrupted(argv, 'credentials.json', { url: wire.url, token: null, stdin: ISSUED.token });
    expect(end.exitCode).toBe(143);
    const [journal = ''] = readdirSync(end.configDir).filter((name) => name.startsWith('login-'));
    expect(end.stderr.replace(/\s+/g, ' ')).toContain(
      `Interrupted. The sign-in is kept in ${join(end.configDir, journal)} and used from there.`,
    );
    expect(readFileSync(join(end.configDir, journal), 'utf8')).toContain(ISSUED.token);
    expect(end.stderr).not.toContain('Signed in');
  });
});

test('--timeout holds for the wait for a lock', async () => {
  const configDir = await temporaryFolder();
  onTestFinished(holdLock(configDir, 'config.json'));
  const clock = fakeClock();
  const run = await svc(['config', 'set', 'org', 'acme', '--timeout', '1s'], { configDir, clock });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('locked');
  expect(clock.monotonic()).toBeLessThan(1_100);
});
