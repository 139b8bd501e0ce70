import { chownSync } from 'node:fs';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { builtProgram } from '../support/program.ts';
import { readSignIns } from '../support/stored.ts';
import { temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

/** A user id that no user database knows, as containers give it. */
const NOBODY_KNOWN = 54_321;

test.runIf(process.getuid?.() === 0)(
  'a user whom the system does not know, without a home, signs in as others do (needs root)',
  async () => {
    const [runner, program] = (await builtProgram()).command;
    const config = await temporaryFolder();
    chownSync(config, NOBODY_KNOWN, NOBODY_KNOWN);
    const wire = await testWire();
    wire.on('GET', '/v1/user').reply(200, { user: { email: 'a@example.com' } });
    const { exitCode, stderr } = await execa(runner, [program, 'login', '--with-token'], {
      env: { PATH: process.env['PATH'], SVC_CONFIG_DIR: config, SVC_API_URL: wire.url },
      extendEnv: false,
      input: 'svc_0123456789abcdef',
      uid: NOBODY_KNOWN,
      gid: NOBODY_KNOWN,
      cwd: '/',
      reject: false,
    });
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('Signed in as a@example.com')]);
    expect(readSignIns(config).credentials).toMatchObject([{ token: 'svc_0123456789abcdef' }]);
  },
);
