import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { storedSignIn } from '../support/stored.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

const ADDRESS = 'http://127.0.0.1:4750';
const SIGN_INS = { version: 1, current: 'work', credentials: [storedSignIn('work', ADDRESS)] };

/** The files of somebody who is signed in, and how to run svc there, without a network. */
async function newHome() {
  const home = await temporaryFolder();
  const at = (path: string) => join(home, path);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(at(path)), { recursive: true, mode: 0o700 });
    writeFileSync(at(path), text, { mode: 0o600 });
  };
  write('config/credentials.json', JSON.stringify(SIGN_INS));
  write('folder/.svc.json', '{"version":1,"service":"svc_1"}');
  const places = { configDir: at('config'), cwd: at('folder') };
  const given = { token: null, stdin: 'svc_0123456789abcdef' };
  const options = { clock: fakeClock('2026-11-24T12:00:00Z'), ...places, ...given };
  return { at, write, run: (line: string) => svc(line.split(' '), options) };
}

test.each([
  [
    'config/credentials.json',
    '{"version":2,"credentials":{}}',
    `login --with-token --api-url ${ADDRESS}`,
  ],
  ['config/credentials.json', '{"version":2,"credentials":{}}', 'logout --all --yes'],
  ['config/config.json', '{"version":2,"settings":[]}', 'config set bell on'],
  [
    'config/orders.json',
    '{"version":3,"orders":{}}',
    'buy --plan p --network mtn --phone +237670000042 --yes',
  ],
  ['folder/.svc.json', '{"version":2,"services":["svc_1"]}', 'link svc_2'],
  [
    'folder/run.ndjson',
    '{"log":2,"command":"wp run"}',
    'wp run cache.flush --service svc_1 --yes --log run.ndjson',
  ],
])('%s of a newer svc, %s, is left alone by svc %s, which says so', async (path, text, line) => {
  const { at, write, run } = await newHome();
  write(path, text);
  const said = /\.(nd)?json was written by a newer svc\. This one leaves it as it is\./;
  const error = { code: 'usage', error: expect.stringMatching(said), next: ['svc help upgrading'] };
  expect(await run(`${line} --json`)).toMatchObject({ exitCode: 2, stdout: '', error });
  expect(readFileSync(at(path), 'utf8')).toBe(text);
  expect(readdirSync(dirname(at(path))).filter((name) => /corrupt|tmp|lock/.test(name))).toEqual(
    [],
  );
});

test.each([
  ['a link', 'folder/.svc.json', '{"version":2}', 'restart --yes', 'remove the file'],
  [
    'a log',
    'folder/run.ndjson',
    '{"log":2,"command":"restart"}',
    'restart svc_1 svc_2 --yes --log run.ndjson',
    'name another file',
  ],
])('another configuration folder is no way out for %s of a newer svc', async (...row) => {
  const [, path, text, line, instead] = row;
  const { write, run } = await newHome();
  write(path, text);

  const { error } = await run(`${line} --json`);

  expect(error['hint']).toBe(`Use the newer svc, or ${instead}.`);
});

test('the journal of a newer sign-in is left to the newer svc', async () => {
  const { at, write, run } = await newHome();
  const journal = 'config/login-00000000-1-aa.json';
  write(journal, '{"version":2}');
  utimesSync(at(journal), 0, 0);
  expect(await run('profiles use work')).toMatchObject({ exitCode: 0 });
  expect(readFileSync(at(journal), 'utf8')).toBe('{"version":2}');
});
