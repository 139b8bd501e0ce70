import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ISSUED, START } from '../../support/device-login.ts';
import { holdLock } from '../../support/held-lock.ts';
import { needs } from '../../support/needs.ts';
import { builtProgram, type Program } from '../../support/program.ts';
import { until } from '../../support/until.ts';
import { send } from '../../support/wire-plan.ts';
import { childrenOf, newStage } from './stage.ts';

let program: Program;
beforeAll(async () => {
  program = await builtProgram();
});

const PENDING = { error: 'authorization_pending' };
const prlimit = needs('prlimit', 'util-linux');

/** No file may grow from now on, as on a full disk; what is a pipe or a terminal may. */
function fillDiskFor(pid = Number.NaN): void {
  execFileSync(prlimit.path, ['--pid', String(pid), '--fsize=0']);
}

describe
  .skipIf(prlimit.missing)
  .concurrent(prlimit.title('where the disk is full when the token comes'), () => {
    test('a log gets the way to revoke it, and never the token', async (context) => {
      const { wire, poll, run, files } = await newStage(context, program);
      poll.reply(400, PENDING).reply(200, ISSUED);
      const login = run(['login']);
      for (const _request of ['start', 'poll']) await wire.nextRequest();
      fillDiskFor(login.child.pid);
      expect(await login.ended()).toBe(9);
      expect(login.stderr()).toContain('Token tok_9 ("');
      expect(login.stdout() + login.stderr()).not.toContain('CANARY');
      expect(files()).toEqual([]);
    });

    test('a person sees it once', async (context) => {
      const { wire, poll, terminal } = await newStage(context, program);
      poll.reply(400, PENDING).reply(200, ISSUED);
      const login = terminal(['login']);
      for (const _request of ['start', 'poll']) await wire.nextRequest();
      for (const pid of childrenOf(login.pid)) fillDiskFor(pid);
      expect(await login.ended()).toBe(9);
      expect(login.output()).toContain(
        `NOT SAVED. Keep this, it is shown once:\r\nexport SVC_TOKEN=${ISSUED.token}\r\n`,
      );
    });
  });

test.concurrent('with --print-token on a full stdout, the terminal shows the token', async (context) => {
  const { poll, terminal } = await newStage(context, program);
  poll.reply(200, ISSUED);
  const login = terminal(['login', '--print-token'], { stdout: '/dev/full' });
  expect(await login.ended()).toBe(9);
  expect(login.output()).toContain(`export SVC_TOKEN=${ISSUED.token}\r\n`);
});

describe.concurrent('a login that is killed', () => {
  test('while it waits, is cleaned up after by the next', async (context) => {
    const { wire, poll, run, here, files, tokens } = await newStage(context, program);
    poll.hang().reply(200, ISSUED);
    const killed = run(['login']);
    for (const _request of ['start', 'poll']) await wire.nextRequest();
    expect(files()).toEqual([expect.stringMatching(/^login-[0-9a-f-]+\.json$/)]);
    killed.child.kill('SIGKILL');
    await killed.ended();
    expect(await here(['login', '--complete'])).toMatchObject({ exitCode: 2 });
    wire.on('POST', '/v1/auth/device').reply(200, START);
    expect(await here(['login'])).toMatchObject({ exitCode: 0 });
    expect([tokens(), files()]).toEqual([[ISSUED.token], ['credentials.json']]);
  });

  test('between the token and its place, loses nothing: the next command has it', async (context) => {
    const { wire, poll, run, here, configDir, files, tokens } = await newStage(context, program);
    poll.reply(200, ISSUED);
    // Another svc holds the lock, and it lives: this test.
    mkdirSync(configDir, { recursive: true, mode: 0o700 });
    const letGo = holdLock(configDir, 'credentials.json');
    const killed = run(['login']);
    const journals = () => files().filter((name) => name.startsWith('login-'));
    await until(() =>
      journals().some((name) => readFileSync(join(configDir, name), 'utf8').includes('CANARY')),
    );
    killed.child.kill('SIGKILL');
    await killed.ended();
    expect(files()).not.toContain('credentials.json');
    letGo();
    rmSync(join(configDir, 'credentials.json.lock'), { recursive: true, force: true });
    wire
      .on('GET', '/v1/user')
      .act(({ request: { headers }, response }) =>
        send(response, 200, { seen: headers['authorization'] }),
      );
    expect((await here(['whoami', '--json'])).json).toEqual({ seen: `Bearer ${ISSUED.token}` });
    expect([tokens(), journals()]).toEqual([[ISSUED.token], []]);
  });

  test('while it completes a login that was started, leaves it to the next', async (context) => {
    const { wire, poll, run, here, files, tokens } = await newStage(context, program);
    expect(await here(['login', '--no-wait'])).toMatchObject({ exitCode: 0 });
    poll.hang().reply(200, ISSUED);
    const killed = run(['login', '--complete']);
    await wire.nextRequest();
    killed.child.kill('SIGKILL');
    await killed.ended();
    expect(await here(['login', '--complete'])).toMatchObject({ exitCode: 0 });
    expect([tokens(), files()]).toEqual([[ISSUED.token], ['credentials.json']]);
  });
});
