import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { needs } from '../support/needs.ts';
import { builtProgram } from '../support/program.ts';
import { CANARY_TOKEN, runOf, temporaryFolder } from '../support/svc.ts';
import { CAN_MOUNT, mountTmpfs } from '../support/tmpfs.ts';
import { until } from '../support/until.ts';
import { testWire } from '../support/wire.ts';
import { onTerminal, TERMINAL_ENV } from '../terminal/script.ts';

const ORDER = 'buy --plan plan_wp_pro --network mtn --phone +237670000042 --yes --json';

/** A folder with an account, and a shell in it that knows `svc`. */
async function place({ url, token }: Pick<Sandbox, 'url' | 'token'>, disk?: string) {
  const folder = await temporaryFolder();
  const env = {
    PATH: process.env['PATH'] ?? '',
    LANG: 'C.UTF-8',
    SVC_API_URL: url,
    SVC_TOKEN: token,
    SVC_CONFIG_DIR: join(disk ?? folder, 'svc'),
  };
  const command = (await builtProgram()).command.join(' ');
  const shell = (line: string) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const whole = `svc() { ${command} "$@"; }; ${line}`;
      execFile('bash', ['--norc', '-c', whole], { cwd: folder, env }, (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
      });
    });
  return { folder, env, shell, command };
}

async function shop() {
  const sandbox = await startSandbox({ port: 0 });
  onTestFinished(() => sandbox.close());
  const ids = () => sandbox.snapshot().orders.map(({ answer }) => answer.orderId);
  return { ids, ...(await place(sandbox)) };
}

describe('an order that was answered survives a printer that fails:', () => {
  test.each([
    ['a full disk', `svc ${ORDER} > /dev/full`],
    ['a size limit', `head -c 200000 /dev/zero > out; ulimit -f 100; svc ${ORDER} >> out`],
  ])('%s', async (_what, line) => {
    const { ids, shell } = await shop();
    const failed = await shell(line);
    expect(failed.code, failed.stderr).toBe(1);
    const { orders } = JSON.parse((await shell('svc orders --json')).stdout);
    expect(orders).toMatchObject([{ state: 'answered', orderId: ids()[0], status: 'awaiting_payment' }]);
    expect(runOf(1, '', failed.stderr).error).toMatchObject({
      error: expect.stringMatching(/^Order ord_\w+ was placed \(awaiting_payment, .*\)\. /),
      exitCode: 1,
      orderId: ids()[0],
      idempotencyKey: orders[0].idempotencyKey,
      hint: expect.stringMatching(/^Repeat the command within a day to read the answer: nothing is sent again\./),
    });
    const again = await shell(`svc ${ORDER}`);
    expect([again.code, JSON.parse(again.stdout).orderId]).toEqual([0, ids()[0]]);
    expect(JSON.parse(again.stderr)).toMatchObject({ code: 'order_printed_again' });
    const another = await shell(`svc ${ORDER}`);
    expect([another.code, JSON.parse(another.stdout).orderId]).toEqual([0, ids()[1]]);
    expect(JSON.parse(another.stderr)).toMatchObject({ code: 'order_alike' });
  });

  const setsid = needs('setsid', 'util-linux');
  test.skipIf(setsid.missing)(setsid.title('a closed terminal'), async () => {
    const wire = await testWire();
    const { env, folder, shell, command } = await place({ url: wire.url, token: CANARY_TOKEN });
    // In a session of its own svc hears no signal, so that it reads the answer after its terminal is gone.
    const line = `trap : HUP; setsid -w ${command} ${ORDER} 2> err; echo $? > code.new; mv code.new code`;
    const asked = wire.nextRequest();
    wire.on('POST', '/v1/checkout').act(async ({ response }) => {
      run.hangUp();
      await until(() => !isAlive(run.pid));
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"orderId":"ord_1","status":"paid"}');
    });
    const run = onTerminal(['sh', '-c', `cd ${folder}; ${line}`], { env: { ...TERMINAL_ENV, ...env } });
    await asked;
    await until(() => existsSync(join(folder, 'code')));
    expect(readFileSync(join(folder, 'code'), 'utf8')).toBe('129\n');
    const [error = ''] = readFileSync(join(folder, 'err'), 'utf8').split('\n');
    expect(JSON.parse(error)).toMatchObject({
      error: 'Order ord_1 was placed (paid). The terminal was closed.',
      code: 'interrupted',
      exitCode: 129,
      orderId: 'ord_1',
      idempotencyKey: wire.requests[0]?.headers['idempotency-key'],
    });
    const again = await shell(`svc ${ORDER}`);
    expect(again).toMatchObject({ code: 0, stdout: '{"orderId":"ord_1","status":"paid"}\n' });
    expect(wire.requests).toHaveLength(1);
  });
});

test.skipIf(!CAN_MOUNT)(
  'a disk that is full when the answer comes: the order is told, and no second key sent (needs the right to mount one)',
  async () => {
    const wire = await testWire();
    const disk = mountTmpfs('size=64k');
    onTestFinished(() => disk.remove());
    const filler = join(disk.folder, 'filler');
    const { shell } = await place({ url: wire.url, token: CANARY_TOKEN }, disk.folder);
    wire.on('POST', '/v1/checkout').act(({ response }) => {
      const { bavail, bsize } = statfsSync(disk.folder);
      writeFileSync(filler, Buffer.alloc(bavail * bsize));
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"orderId":"ord_1","status":"paid"}');
    });
    const full = await shell(`svc ${ORDER}`);
    expect(full).toMatchObject({ code: 0, stdout: '{"orderId":"ord_1","status":"paid"}\n' });
    expect(JSON.parse(full.stderr)).toEqual({
      warning: expect.stringMatching(/the disk is full .* svc orders still lists this order as in doubt\.$/),
      code: 'not_remembered',
    });
    const refused = await shell(`svc ${ORDER}`);
    expect(refused.code, 'nothing is sent that cannot be written down').toBe(2);
    rmSync(filler);
    wire.on('POST', '/v1/checkout').reply(201, { orderId: 'ord_1', status: 'paid' });
    const resumed = await shell('svc buy --resume --yes --json');
    expect(resumed).toMatchObject({ code: 0, stdout: full.stdout });
    const [first, second] = wire.requests.map(({ headers }) => headers['idempotency-key']);
    expect([wire.requests.length, second]).toEqual([2, first]);
  },
);

test('a closed pipe is a delivery: a loop of three wanted orders into head places three', async () => {
  const { ids, shell } = await shop();
  const loop = await shell(`for i in 1 2 3; do svc ${ORDER}; echo "code $?" >&2; done | head -1`);
  expect(loop.stderr.match(/code \d+/g)).toEqual(['code 0', 'code 0', 'code 0']);
  expect(JSON.parse(loop.stdout).orderId).toBe(ids()[0]);
  expect(ids()).toHaveLength(3);
  expect(loop.stderr).not.toContain('order_printed_again');
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
