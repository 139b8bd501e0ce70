import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { EXECUTABLE, PROGRAM } from '../support/program.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

const [RUNNER, ENTRY] = PROGRAM;

test('no option of any command takes a secret: other users of a machine see command lines', async () => {
  // The value of an option stands behind it, as in `--org <slug>`.
  const { stdout } = await svc(['help', '--json']);
  const taking = [...stdout.matchAll(/"flags":"([^"]* <[^"]*)"/g)].map(([, flags = '']) => flags);
  expect(taking.length).toBeGreaterThan(50);
  expect(taking.filter((flags) => /token|password|passwd|secret|cookie|session|credential/i.test(flags))).toEqual([]);
  expect((await svc(['whoami', '--token', 'svc_x'])).exitCode).toBe(2);
});

test.skipIf(EXECUTABLE !== undefined).each(['20.18.3', '16.0.0'])(
  'Node %s (the executable has none) is told what is needed in one line, and nothing else is loaded',
  async (version) => {
    const script = `
    Object.defineProperty(process, 'versions', { value: { node: '${version}' } });
    process.argv = ['node', ${JSON.stringify(ENTRY)}, 'whoami'];
    require(${JSON.stringify(ENTRY)});`;
    const running = promisify(execFile)(process.execPath, ['-e', script], { env: {} });
    const stderr = `svc needs Node 20.19 or newer; this is ${version}.\n`;
    await expect(running).rejects.toMatchObject({ code: 2, stdout: '', stderr });
  },
);

test('in a folder that was removed, nothing is read from or written to another one', async () => {
  const configDir = await temporaryFolder();
  const inNoFolder = (line: string) => svc(line.split(' '), { cwd: null, configDir, url: 'http://127.0.0.1:9' });
  for (const line of [
    ...['link s1', 'unlink', 'buy --items items.json --yes', 'api /v1/x --input x.json', 'metrics s1 --output x.svg'],
    ...['domains import example.com --output plan.json', 'sandbox --port 0 --data sandbox.json'],
  ]) {
    const run = await inNoFolder(line);
    expect([line, run.exitCode, run.stdout]).toEqual([line, 2, '']);
    expect(run.stderr).toContain('The current folder was removed.');
  }
  expect((await inNoFolder('config')).exitCode).toBe(0);
  expect((await inNoFolder('whoami --no-retry')).exitCode).toBe(8);
  expect((await inNoFolder('doctor')).stdout).toContain('The current folder was removed.');
});

test('the process itself finds out that its folder was removed', async () => {
  const folder = await temporaryFolder();
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" link s1';
  const env = { PATH: process.env['PATH'], SVC_CONFIG_DIR: folder };
  const running = promisify(execFile)('sh', ['-c', script, RUNNER, ENTRY], { cwd: folder, env });
  // Bun itself refuses to start there.
  const [code, message] = EXECUTABLE ? [1, 'working directory was deleted'] : [2, 'The current folder was removed.'];
  await expect(running).rejects.toMatchObject({ code, stderr: expect.stringContaining(message) });
});

test('an output that takes nothing is no success', async () => {
  const env = { PATH: process.env['PATH'], SVC_CONFIG_DIR: await temporaryFolder() };
  const running = promisify(execFile)('sh', ['-c', 'exec "$0" "$1" config 1</tmp', RUNNER, ENTRY], { env });
  const stderr = expect.stringContaining('Cannot write to standard output');
  await expect(running).rejects.toMatchObject({ code: 1, stderr });
});
