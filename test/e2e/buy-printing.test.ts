import { existsSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { needs } from '../support/needs.ts';
import { builtProgram } from '../support/program.ts';
import { CANARY_TOKEN, runOf, svc, temporaryFolder } from '../support/svc.ts';
import { CAN_MOUNT, mountTmpfs } from '../support/tmpfs.ts';
import { until } from '../support/until.ts';
import { testWire } from '../support/wire.ts';
import { onTerminal, TERMINAL_ENV } from '../terminal/script.ts';

const ORDER = 'buy --plan plan_wp_pro --network mtn --phone +237670000042 --yes --json';
const PAID = '{"orderId":"ord_1","status":"paid"}';

/** A folder with an account, and a shell in it that knows `svc`. */
async function place(url: string, token = CANARY_TOKEN, disk?: string) {
  const folder = await temporaryFolder();
  const configDir = join(disk ?? folder, 'svc');
  const env = { ...TERMINAL_ENV, SVC_API_URL: url, SVC_TOKEN: token, SVC_CONFIG_DIR: configDir };
  const command = (await builtProgram()).command.join(' ');
  const shell = async (line: string) => {
    const options = { cwd: folder, env, extendEnv: false, reject: false } as const;
    const whole = `svc() { ${command} "$@"; }; ${line}`;
    const { exitCode, stdout, stderr } = await execa('bash', ['--norc', '-c', whole], options);
    return { exitCode, stdout, stderr };
  };
  return { folder, env, shell, command };
}

async function shop() {
  const sandbox = await startSandbox({ port: 0 });
  onTestFinished(() => sandbox.close());
  const ids = () => sandbox.snapshot().orders.map(({ answer }) => answer.orderId);
  return { ids, ...(await place(sandbox.url, sandbox.token)) };
}

test.each([
  ['a full disk', `svc ${ORDER} > /dev/full`],
  ['a size limit', `head -c 200000 /dev/zero > out; ulimit -f 100; svc ${ORDER} >> out`],
])('an order that was answered survives a printer that fails: %s', async (_what, line) => {
  const { ids, shell, env } = await shop();
  const failed = await shell(line);
  expect(failed.exitCode, failed.stderr).toBe(1);
  const account = { url: env.SVC_API_URL, token: env.SVC_TOKEN, configDir: env.SVC_CONFIG_DIR };
  const { orders } = (await svc(['orders', '--json'], account)).json as {
    orders: Array<{ idempotencyKey: string }>;
  };
  expect(orders).toMatchObject([{ state: 'placed', orderId: ids()[0], status: null }]);
  expect(runOf(1, '', failed.stderr).error).toMatchObject({
    error: expect.stringMatching(/^Order ord_\w+ was placed \(.*\)\. /),
    exitCode: 1,
    orderId: ids()[0],
    idempotencyKey: orders[0]?.idempotencyKey,
    hint: 'svc orders',
  });
  const again = await shell(`svc ${ORDER}`);
  expect(runOf(2, again.stdout, again.stderr).error).toMatchObject({
    code: 'already_placed',
    orderId: ids()[0],
    idempotencyKey: orders[0]?.idempotencyKey,
  });
  expect(again).toMatchObject({ exitCode: 2, stdout: '' });
  expect(await shell(`svc ${ORDER} --new-order`)).toMatchObject({ exitCode: 0 });
  expect(ids()).toHaveLength(2);
});

const setsid = needs('setsid', 'util-linux');
test.skipIf(setsid.missing)(setsid.title('so it does if the terminal is closed'), async () => {
  const wire = await testWire();
  const { env, folder, shell, command } = await place(wire.url);
  // In a session of its own svc hears no signal, so that it reads the answer after its terminal is
  // gone.
  const line = `trap : HUP; setsid -w ${command} ${ORDER} 2> err; echo $? > code.new; mv code.new code`;
  const asked = wire.nextRequest();
  wire.on('POST', '/v1/checkout').act(async ({ response }) => {
    run.hangUp();
    await until(() => !isAlive(run.pid));
    response.writeHead(201, { 'content-type': 'application/json' }).end(PAID);
  });
  const run = onTerminal(['sh', '-c', `cd ${folder}; ${line}`], { env });
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
  expect(runOf(2, '', again.stderr).error).toMatchObject({
    code: 'already_placed',
    orderId: 'ord_1',
  });
  expect(wire.requests).toHaveLength(1);
});

test.skipIf(!CAN_MOUNT)(
  'a disk that is full when the answer comes: the order is told, and no second key sent (needs the right to mount one)',
  async () => {
    const wire = await testWire();
    const disk = mountTmpfs('size=64k');
    onTestFinished(() => disk.remove());
    const filler = join(disk.folder, 'filler');
    const { shell } = await place(wire.url, CANARY_TOKEN, disk.folder);
    wire.on('POST', '/v1/checkout').act(({ response }) => {
      const { bavail, bsize } = statfsSync(disk.folder);
      writeFileSync(filler, Buffer.alloc(bavail * bsize));
      response.writeHead(201, { 'content-type': 'application/json' }).end(PAID);
    });
    const full = await shell(`svc ${ORDER}`);
    expect(full).toMatchObject({ exitCode: 0, stdout: PAID });
    expect(JSON.parse(full.stderr)).toEqual({
      warning: expect.stringMatching(
        /the disk is full .* svc orders still lists this order as in doubt\.$/,
      ),
      code: 'not_remembered',
    });
    expect(
      await shell(`svc ${ORDER}`),
      'nothing is sent that cannot be written down',
    ).toMatchObject({ exitCode: 2 });
    rmSync(filler);
    wire.on('POST', '/v1/checkout').reply(201, JSON.parse(PAID));
    expect(await shell('svc buy --resume --yes --json')).toMatchObject({
      exitCode: 0,
      stdout: PAID,
    });
    const [first, second] = wire.requests.map(({ headers }) => headers['idempotency-key']);
    expect([wire.requests.length, second]).toEqual([2, first]);
  },
);

test('a loop into head places the same order once, and with a key for each order three', async () => {
  const { ids, shell } = await shop();
  const loop = (flags: string) =>
    shell(`for i in 1 2 3; do svc ${ORDER} ${flags}; echo "code $?" >&2; done | head -1`);
  const codesOf = (stderr: string) => stderr.match(/code \d+/g);

  const same = await loop('');
  expect(codesOf(same.stderr)).toEqual(['code 0', 'code 2', 'code 2']);
  expect(ids()).toHaveLength(1);

  const keyed = await loop('--idempotency-key "row-$i"');
  expect(codesOf(keyed.stderr)).toEqual(['code 0', 'code 0', 'code 0']);
  expect([JSON.parse(keyed.stdout).orderId, ids().length]).toEqual([ids()[1], 4]);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
