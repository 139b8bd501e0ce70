import { execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readPipe } from '../../src/store/pipe.ts';
import { against } from '../support/against.ts';
import { storedSignIn, writeSignIns } from '../support/stored.ts';
import { type RunOptions, svc, temporaryFolder } from '../support/svc.ts';

const TOKEN = 'svc_CANARY_in_a_file';

/**
 * A folder with a file that holds the token, as a secret is mounted: white space around it,
 * readable to all.
 */
async function secret() {
  const folder = await temporaryFolder();
  writeFileSync(join(folder, 'token'), `\uFEFF ${TOKEN}\r\n`, { mode: 0o444 });
  return { folder, file: join(folder, 'token') };
}

test('the token of SVC_TOKEN_FILE signs in, also by a relative name and before a session, and is named', async () => {
  const { folder, file } = await secret();
  for (const name of [file, 'token']) {
    const env = { SVC_TOKEN_FILE: name, SVC_SESSION_TOKEN: 'a-weaker-session' };
    const run = await against(
      'whoami',
      { 'GET /v1/user': [{}] },
      { env, cwd: folder, token: null },
    );
    expect(run).toMatchObject({
      exitCode: 0,
      stderr: '',
      stdout: expect.stringMatching(/Token from +SVC_TOKEN_FILE/),
    });
    expect(run.sent[0]?.headers).toMatchObject({ authorization: `Bearer ${TOKEN}` });
    expect(run.sent[0]?.headers).not.toHaveProperty('cookie');
  }
});

test('it is hidden like any other token, also if no request carried it', async () => {
  const { file } = await secret();
  const answers = { 'POST /v1/auth/device': [[400, { error: `we know ${TOKEN}` }]] } as const;
  const run = await against('login --debug', answers, {
    token: null,
    env: { SVC_TOKEN_FILE: file },
  });
  expect(run.stderr).toContain('we know [redacted]');
  expect(run.shown).not.toContain('CANARY');
});

test('a pipe is read to its end, also by a command that runs another', async () => {
  const path = join(await temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const writer = spawn('sh', ['-c', `{ printf ' svc_CANARY_'; printf 'in_a_pipe\\n'; } > ${path}`]);
  onTestFinished(() => void writer.kill('SIGKILL'));

  const run = await against(
    'whoami',
    { 'GET /v1/user': [{}] },
    { env: { SVC_TOKEN_FILE: path }, token: null },
  );

  expect(run.exitCode).toBe(0);
  expect(run.sent[0]?.headers).toMatchObject({ authorization: 'Bearer svc_CANARY_in_a_pipe' });
  expect(readPipe(path, 1_000, 50)).toBe(' svc_CANARY_in_a_pipe\n');
});

test.each([
  ['has too much', 'svc_CANARY_0123456789', 10, 60_000, 'it has more than 10 bytes'],
  ['does not end', 'svc_CANARY', 1_000, 50, 'it did not end within 0.05 s'],
  ['has nobody at its other end', undefined, 1_000, 50, 'it did not end within 0.05 s'],
])('a pipe that %s is no token', async (_what, text, maxBytes, patienceMs, said) => {
  const path = join(await temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const other = text === undefined ? undefined : openSync(path, constants.O_RDWR);
  if (other !== undefined) writeSync(other, text ?? '');

  expect(() => readPipe(path, maxBytes, patienceMs)).toThrow(said);

  if (other !== undefined) closeSync(other);
});

test.each<
  [
    what: string,
    exitCode: number,
    said: string,
    content?: string | undefined,
    more?: RunOptions['env'],
  ]
>([
  ['a blank file', 4, 'The file of SVC_TOKEN_FILE is blank.', ' '],
  ['no file', 4, 'SVC_TOKEN_FILE is set, but there is no file'],
  [
    'an empty SVC_TOKEN',
    4,
    'SVC_TOKEN is blank.',
    undefined,
    { SVC_TOKEN: '', SVC_TOKEN_FILE: undefined },
  ],
  [
    'one beside SVC_TOKEN',
    2,
    'SVC_TOKEN and SVC_TOKEN_FILE are both set.',
    'svc_1',
    { SVC_TOKEN: 'svc_CANARY_env' },
  ],
])(
  '%s is no token, and the stored one does not take its place',
  async (_what, exitCode, said, content, more) => {
    const [configDir, path] = [await temporaryFolder(), join(await temporaryFolder(), 'token')];
    if (content !== undefined) writeFileSync(path, content);
    const url = 'http://127.0.0.1:9';
    writeSignIns(configDir, storedSignIn('work', url));
    const run = await svc(['whoami'], {
      url,
      token: null,
      configDir,
      env: { SVC_TOKEN_FILE: path, ...more },
    });
    expect(run).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(said) });
  },
);
