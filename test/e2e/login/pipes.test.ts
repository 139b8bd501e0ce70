import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { ISSUED } from '../../support/device-login.ts';
import { builtProgram, type Program } from '../../support/program.ts';
import { newStage } from './stage.ts';

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

const PENDING = { error: 'authorization_pending' };

describe.concurrent('the reader of a login', () => {
  test('gets each event at once, and may leave after the first', async (context) => {
    const { poll, run, tokens } = await newStage(context, program);
    poll.reply(400, PENDING).reply(200, { ...ISSUED, expiresAt: undefined });
    const login = run(['login', '--json']);
    await login.shows('}\n');
    expect(JSON.parse(login.stdout())).toMatchObject({
      event: 'login_pending',
      userCode: 'WDJB-MJHT',
    });
    login.child.stdout?.destroy();
    expect([await login.ended(), login.stderr(), tokens()]).toEqual([0, '', [ISSUED.token]]);
  });

  test.runIf(existsSync('/dev/full'))(
    'who cannot be shown the code is not asked to approve it',
    async (context) => {
      const { wire, run, files } = await newStage(context, program);
      const login = run(['login', '--json'], { through: ['sh', '-c', '"$@" > /dev/full', 'sh'] });
      expect(await login.ended()).toBe(1);
      expect(JSON.parse(login.stderr())).toMatchObject({ code: 'unexpected', exitCode: 1 });
      expect([wire.requests.length, files()]).toEqual([1, []]);
    },
  );

  test('that leaves before the token is printed: no log has it, and it is named to be revoked', async (context) => {
    const { poll, run, files } = await newStage(context, program);
    poll.reply(400, PENDING).reply(200, ISSUED);
    const login = run(['login', '--print-token', '--name', 'runner']);
    await login.shows('WDJB-MJHT');
    login.child.stdout?.destroy();
    expect(await login.ended()).toBe(9);
    expect(login.stderr()).toMatch(/Token tok_9 \("runner"\) exists at 127\.0\.0\.1:\d+/);
    expect(login.stderr()).not.toContain('CANARY');
    expect(files()).toEqual([]);
  });
});
