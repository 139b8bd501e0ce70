import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { startSandbox } from '../../../sandbox/server.ts';
import { decideOnPage } from '../../support/approve.ts';
import { ISSUED, START } from '../../support/device-login.ts';
import { builtProgram, type Program } from '../../support/program.ts';
import { startWire } from '../../support/wire.ts';
import { newStage, POLL } from './stage.ts';

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

const PENDING = { error: 'authorization_pending' };

describe.concurrent('a login in a pipe', () => {
  test('a network that is gone and comes back is waited for', async (context) => {
    const { wire, poll, run, tokens } = await newStage(context, program);
    poll.reply(400, PENDING);
    const login = run(['login']);
    await wire.nextRequest();
    await wire.nextRequest();
    await wire.close();
    await login.shows('Still waiting: network problem (ECONNREFUSED), retrying');
    const back = await startWire({ port: wire.port });
    context.onTestFinished(() => back.close());
    back.on('POST', POLL).reply(400, PENDING).reply(200, ISSUED);
    await login.shows('Waiting for approval again.');
    expect(await login.ended()).toBe(0);
    expect(tokens()).toEqual([ISSUED.token]);
  });

  test.for(['approve', 'deny'] as const)(
    'on the page of the sandbox, somebody decides to %s',
    async (decision, context) => {
      const sandbox = await startSandbox({ port: 0, intervalSeconds: 1 });
      context.onTestFinished(() => sandbox.close());
      const { run, here } = await newStage(context, program, null);
      const env = { SVC_API_URL: sandbox.url };
      const login = run(['login', '--json'], { env });
      await login.shows('}\n');
      const { verificationUriComplete } = JSON.parse(login.stdout());
      await decideOnPage(verificationUriComplete, decision);
      expect(await login.ended()).toBe(decision === 'approve' ? 0 : 9);
      expect(await here(['whoami', '--json'], { env })).toMatchObject({ exitCode: decision === 'approve' ? 0 : 4 });
      expect(login.stdout() + login.stderr()).not.toContain('svc_sandbox_');
    },
  );
});

describe.concurrent('the reader of a login', () => {
  test('gets each event at once, and may leave after the first', async (context) => {
    const { poll, run, tokens } = await newStage(context, program);
    poll.reply(400, PENDING).reply(200, { ...ISSUED, expiresAt: undefined });
    const login = run(['login', '--json']);
    await login.shows('}\n');
    expect(JSON.parse(login.stdout())).toMatchObject({ event: 'login_pending', userCode: 'WDJB-MJHT' });
    login.child.stdout?.destroy();
    expect(await login.ended()).toBe(0);
    expect(login.stderr()).toBe('');
    expect(tokens()).toEqual([ISSUED.token]);
  });

  test('may close the other end of stderr', async (context) => {
    const { poll, run, tokens } = await newStage(context, program);
    poll.reply(503).reply(503).reply(200, ISSUED);
    const login = run(['login', '--debug']);
    await login.shows('WDJB-MJHT');
    login.child.stderr?.destroy();
    expect(await login.ended()).toBe(0);
    expect(tokens()).toEqual([ISSUED.token]);
  });

  test.runIf(existsSync('/dev/full'))('who cannot be shown the code is not asked to approve it', async (context) => {
    const { wire, run, files } = await newStage(context, program);
    const login = run(['login', '--json'], { through: ['sh', '-c', '"$@" > /dev/full', 'sh'] });
    expect(await login.ended()).toBe(1);
    expect(JSON.parse(login.stderr())).toMatchObject({ code: 'unexpected', exitCode: 1 });
    expect(wire.requests).toHaveLength(1);
    expect(files()).toEqual([]);
  });

  test.for([[[]], [['--json']]])('may have closed both before it began (%j)', async ([options = []], context) => {
    const { poll, run, tokens } = await newStage(context, program);
    poll.reply(200, ISSUED);
    const login = run(['login', ...options]);
    login.child.stdout?.destroy();
    login.child.stderr?.destroy();
    expect(await login.ended()).toBe(0);
    expect(tokens()).toEqual([ISSUED.token]);
  });

  test('that leaves before the token is printed: no log has it, and it is named to be revoked', async (context) => {
    const { poll, run, files } = await newStage(context, program);
    poll.reply(400, PENDING).reply(200, ISSUED);
    const login = run(['login', '--print-token', '--name', 'runner']);
    await login.shows('WDJB-MJHT');
    login.child.stdout?.destroy();
    expect(await login.ended()).toBe(9);
    expect(login.stderr()).toContain('Error: The token could not be printed: nobody reads this output any more.\n');
    expect(login.stderr()).toMatch(/Token tok_9 \("runner"\) exists at 127\.0\.0\.1:\d+/);
    expect(login.stderr()).not.toContain('CANARY');
    expect(files()).toEqual([]);
  });

  test('sees no secret, with --debug neither', async (context) => {
    const { poll, here } = await newStage(context, program);
    poll.reply(400, PENDING).reply(200, { ...ISSUED, user: { email: `${ISSUED.token}@${START.deviceCode}` } });
    const login = await here(['login', '--debug']);
    expect(login.exitCode).toBe(0);
    expect(login.stdout + login.stderr).not.toMatch(/CANARY|DEVICE-CODE/);
  });
});
