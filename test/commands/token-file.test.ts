import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { against } from '../support/against.ts';
import { storedSignIn, writeSignIns } from '../support/stored.ts';
import { svc, temporaryFolder } from '../support/svc.ts';
import { testWire } from '../support/wire.ts';

const TOKEN = 'svc_CANARY_in_a_file';

/** A folder with a file that holds the token, as a secret is mounted: white space around it, readable to all. */
async function secret() {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, 'token'), `\uFEFF ${TOKEN}\r\n`, { mode: 0o444 });
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
  const { file } = await secret();
  const answers = { 'POST /v1/auth/device': [[400, { error: `we know ${TOKEN}` }]] } as const;
  const run = await against('login --debug', answers, { token: null, env: { SVC_TOKEN_FILE: file } });
  expect(run.stderr).toContain('we know [redacted]');
  expect(run.shown).not.toContain('CANARY');
});

test('both variables at once contradict each other: nothing is sent', async () => {
  const { file } = await secret();
  for (const token of ['svc_CANARY_env', '']) {
    const run = await svc(['whoami'], { url: 'http://127.0.0.1:9', env: { SVC_TOKEN: token, SVC_TOKEN_FILE: file } });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('SVC_TOKEN and SVC_TOKEN_FILE are both set.');
  }
});

test.each<[what: string, make: (path: string) => unknown, said: string]>([
  ['a blank file', (path) => writeFileSync(path, ' \n'), 'The file of SVC_TOKEN_FILE is blank.'],
  ['two tokens', (path) => writeFileSync(path, 'svc_1\nsvc_2\n'), 'The file of SVC_TOKEN_FILE holds spaces'],
  ['no file', () => {}, 'SVC_TOKEN_FILE is set, but there is no file'],
  ['a blank name', () => {}, 'SVC_TOKEN_FILE is set, but it is blank.'],
  ['a folder', (path) => mkdirSync(path), 'it is not a plain file'],
  ['a pipe', (path) => execFileSync('mkfifo', [path]), 'it is not a plain file'],
  ['a broken link', (path) => symlinkSync('/nowhere', path), 'it is a link that leads nowhere'],
])('%s is no token, and the stored one does not take its place', async (what, make, said) => {
  const [folder, configDir] = [await temporaryFolder(), await temporaryFolder()];
  const path = join(folder, 'token');
  make(path);
  const url = 'http://127.0.0.1:9';
  const env = { SVC_TOKEN_FILE: what === 'a blank name' ? ' ' : path };
  writeSignIns(configDir, storedSignIn('work', url));
  for (const line of ['whoami', 'buy --plan p --yes --phone +237670000042 --network mtn']) {
    const run = await svc(line.split(' '), { url, token: null, configDir, env });
    expect(run).toMatchObject({ exitCode: 4, stdout: '', stderr: expect.stringContaining(said) });
  }
});
