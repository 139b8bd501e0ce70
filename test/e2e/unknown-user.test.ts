import { chownSync } from 'node:fs';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { builtProgram } from '../support/program.ts';
import { readSignIns } from '../support/stored.ts';
import { temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

/** A user id that no user database knows, as containers give it. */
const UID = 54_321;
const TOKEN = 'svc_0123456789abcdef';

test.runIf(process.getuid?.() === 0)(
  'a user whom the system does not know, without a home, signs in as others do (needs root)',
  async () => {
    const [runner, program] = (await builtProgram()).command;
    const config = await temporaryFolder();
    chownSync(config, UID, UID);
    const wire = await testWire();
    wire.on('GET', '/v1/user').reply(200, { user: { email: 'a@example.com' } });
    const env = { PATH: process.env['PATH'], SVC_CONFIG_DIR: config, SVC_API_URL: wire.url };
    const options = { env, extendEnv: false, input: TOKEN, uid: UID, gid: UID, cwd: '/' } as const;
    await execa(runner, [program, 'login', '--with-token'], options);
    expect(readSignIns(config).credentials).toMatchObject([{ token: TOKEN }]);
  },
);
