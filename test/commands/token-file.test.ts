import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const TOKEN = 'svc_CANARY_in_a_file';

/** A folder with a file that holds the token, as a secret is mounted: white space around it, readable to all. */
async function secret(content = `\uFEFF ${TOKEN}\r\n`) {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, 'token'), content, { mode: 0o444 });
  return { folder, file: join(folder, 'token') };
}

test('the token of SVC_TOKEN_FILE signs in, and whoami and doctor name the variable', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').always(200, { user: { email: 'marie@example.com' } });
  const { folder, file } = await secret();
  for (const name of [file, 'token']) {
    const env = { SVC_API_URL: wire.url, SVC_TOKEN_FILE: name, SVC_SESSION_TOKEN: 'a-weaker-session' };
    const run = await svc(['whoami'], { env, cwd: folder });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toMatch(/Token from +SVC_TOKEN_FILE/);
    expect((await svc(['doctor'], { env, cwd: folder })).stdout).toContain('marie@example.com (SVC_TOKEN_FILE)');
  }
  const sent = wire.requests.map(({ headers }) => headers['authorization']).filter((header) => header !== undefined);
  expect(sent).toEqual(Array.from({ length: 4 }, () => `Bearer ${TOKEN}`));
  expect(wire.requests.some(({ headers }) => 'cookie' in headers)).toBe(false);
});

test('it is hidden like any other token, also if no request carried it', async () => {
  const wire = await testWire();
  wire.on('POST', '/v1/auth/device').always(400, { error: `we know ${TOKEN}` });
  const { file } = await secret();
  const env = { SVC_API_URL: wire.url, SVC_TOKEN_FILE: file };
  const run = await svc(['login', '--debug'], { env });
  expect(run.stderr).toContain('we know [redacted]');
  expect(run.stderr + run.stdout).not.toContain('CANARY');
});

test('a token that the platform refuses is said to be that of the file', async () => {
  const wire = await testWire();
  wire.on('GET', '/v1/user').reply(401, { error: 'revoked' });
  const { file } = await secret();
  const run = await svc(['whoami'], { env: { SVC_API_URL: wire.url, SVC_TOKEN_FILE: file } });
  expect(run.exitCode).toBe(4);
  expect(run.stderr).toContain('The platform did not accept the token in SVC_TOKEN_FILE.');
});

test('both variables at once contradict each other: nothing is sent', async () => {
  const { file } = await secret();
  for (const token of ['svc_CANARY_env', '']) {
    const run = await svc(['whoami'], { url: 'http://127.0.0.1:9', env: { SVC_TOKEN: token, SVC_TOKEN_FILE: file } });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('SVC_TOKEN and SVC_TOKEN_FILE are both set.');
  }
});

test.each<[what: string, make: (folder: string) => string, said: string]>([
  ['a blank name', () => ' ', 'SVC_TOKEN_FILE is set, but it is blank.'],
  ['a blank file', (folder) => write(folder, ' \n'), 'The file of SVC_TOKEN_FILE is blank.'],
  ['two tokens', (folder) => write(folder, 'svc_1\nsvc_2\n'), 'The file of SVC_TOKEN_FILE holds spaces'],
  ['no file', (folder) => join(folder, 'gone'), 'SVC_TOKEN_FILE is set, but there is no file'],
  ['a folder', (folder) => folder, 'it is not a plain file'],
  ['a pipe', (folder) => pipe(folder), 'it is not a plain file'],
  ['a broken link', (folder) => link(folder), 'it is a link that leads nowhere'],
])('%s is no token, and the stored one does not take its place', async (_what, make, said) => {
  const folder = await temporaryFolder();
  const configDir = join(folder, 'config');
  mkdirSync(configDir, { mode: 0o700 });
  const env = { SVC_API_URL: 'http://127.0.0.1:9', SVC_TOKEN_FILE: make(folder) };
  for (const argv of [['whoami'], ['buy', '--plan', 'p', '--yes', '--phone', '+237670000042', '--network', 'mtn']]) {
    const run = await svc(argv, { configDir, env });
    expect(run).toMatchObject({ exitCode: 4, stdout: '' });
    expect(run.stderr).toContain(said);
  }
});

function write(folder: string, content: string): string {
  writeFileSync(join(folder, 'token'), content);
  return join(folder, 'token');
}

function pipe(folder: string): string {
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  return join(folder, 'pipe');
}

function link(folder: string): string {
  symlinkSync('/nowhere', join(folder, 'link'));
  return join(folder, 'link');
}
