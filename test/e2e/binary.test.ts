import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approvingService, ISSUED } from '../support/device-login.ts';
import { temporaryFolder } from '../support/svc.ts';
import { LOCALHOST_CERT_FILE, LOCALHOST_TLS } from '../support/tcp.ts';
import { testWire } from '../support/wire.ts';
import { TERMINAL_ENV } from '../terminal/script.ts';

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'svc-binary-'));
const BINARY = join(folder, 'out/bin/svc');
/** A Node that is built for it carries this mark; that of some distributions, which is a library in truth, does not. */
const MARK = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:0';
const isPossible = process.platform === 'linux' && readFileSync(process.execPath).includes(MARK);

beforeAll(() => {
  if (!isPossible) return;
  const words = [join(ROOT, 'scripts/binary.mjs'), '--output', join(folder, 'out')];
  execFileSync(process.execPath, words, { stdio: 'pipe' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the executable without Node and without the package. */
async function svc(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const HOME = await temporaryFolder();
  const options = { cwd: HOME, env: { PATH: '/usr/bin:/bin', HOME, ...env }, extendEnv: false, input: '' };
  const { exitCode, stdout, stderr } = await execa(BINARY, words, { ...options, reject: false });
  return { exitCode, stdout, stderr };
}

const inSandbox = (...words: string[]) => svc(['sandbox', 'exec', '--', 'svc', ...words]);

const where = isPossible ? '' : ' (skipped: needs Linux, and a Node that can become a part of it)';
describe.skipIf(!isPossible)(`svc as one executable file${where}`, () => {
  test('answers version and help, for itself and for a command', async () => {
    expect((await svc(['--version'])).stdout).toBe(readFileSync(join(ROOT, 'dist/version.txt'), 'utf8').trim());
    expect((await svc(['--help'])).stdout).toBe(readFileSync(join(ROOT, 'dist/help.txt'), 'utf8').trim());
    expect((await svc(['restart', '--help'])).stdout).toContain('Usage: svc restart');
  });

  test('passes on what the service answers, byte for byte', async () => {
    const wire = await testWire();
    const answer = '{"user": {"email":"a@example.com","limit":5.00}}';
    wire.on('GET', '/v1/user').reply(200, answer);
    const run = await svc(['whoami', '--json'], { SVC_API_URL: wire.url, SVC_TOKEN: 'svc_0123456789' });
    expect(run).toEqual({ exitCode: 0, stdout: answer, stderr: '' });
  });

  test('signs in and keeps the token', async () => {
    const wire = await approvingService();
    const config = join(await temporaryFolder(), 'config');
    const run = await svc(['login'], { SVC_API_URL: wire.url, SVC_CONFIG_DIR: config });
    expect(run.exitCode, run.stderr).toBe(0);
    expect(readFileSync(join(config, 'credentials.json'), 'utf8')).toContain(ISSUED.token);
  });

  test('is the svc that the sandbox finds: it buys, filters with jq, and waits through undici', async () => {
    expect((await inSandbox('buy', '--plan', 'plan_wp_free', '--yes', '--jq', '.status')).stdout).toBe('provisioned');
    expect((await inSandbox('wp', 'run', 'cache.flush', '--wait', '--jq', '.status')).stdout).toBe('completed');
  });

  test('draws, writes completions, and fails as it should', async () => {
    expect((await inSandbox('metrics', '--history')).stdout).toContain('cpuPercent');
    expect((await svc(['completion', 'zsh'])).stdout).toContain('#compdef svc');
    expect(await svc(['restart', 'x', '--frobnicate'])).toMatchObject({ exitCode: 2, stdout: '' });
  });

  test('trusts the configured certificates, and no others', async () => {
    const wire = await testWire({ tls: LOCALHOST_TLS });
    wire.on('GET', '/v1/user').reply(200, {});
    const env = { SVC_API_URL: wire.url, SVC_TOKEN: 'svc_0123456789' };
    const refused = await svc(['whoami', '--json', '--no-retry'], env);
    expect(refused.exitCode).toBe(8);
    expect(refused.stderr).toContain('does not come from an authority that this machine trusts');
    expect((await svc(['whoami', '--json'], { ...env, NODE_EXTRA_CA_CERTS: LOCALHOST_CERT_FILE })).stdout).toBe('{}');
  });

  test('asks on a terminal', async () => {
    const env = { ...TERMINAL_ENV, HOME: await temporaryFolder() };
    const words = ['sandbox', 'exec', '--', 'svc', 'buy', '--plan', 'plan_wp_pro'];
    const terminal = spawn(BINARY, words, { cols: 80, rows: 30, env });
    let shown = '';
    terminal.onData((data) => {
      const isNew = !shown.includes('◆');
      shown += data;
      // Ctrl-C, as soon as the question stands there.
      if (isNew && shown.includes('◆')) terminal.write('\u0003');
    });
    const exitCode = await new Promise((resolve) => terminal.onExit((end) => resolve(end.exitCode)));
    expect(shown).toContain('Mobile money network');
    expect(exitCode).toBe(130);
  });
});
