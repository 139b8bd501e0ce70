import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { storedSignIn } from '../support/stored.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

const ADDRESS = 'http://127.0.0.1:4750';

/** The files of somebody who is signed in, and how to run svc there, without a network. */
async function newHome() {
  const home = await temporaryFolder();
  const at = (path: string) => join(home, path);
  const write = (path: string, content: object) => {
    mkdirSync(dirname(at(path)), { recursive: true, mode: 0o700 });
    writeFileSync(at(path), JSON.stringify(content), { mode: 0o600 });
  };
  write('config/credentials.json', { version: 1, current: 'work', credentials: [storedSignIn('work', ADDRESS)] });
  write('config/config.json', { version: 1, bell: 'off' });
  write('config/domains/kola-studio.example.json', { version: 1 });
  write('folder/.svc.json', { version: 1, service: 'svc_1' });
  const options = {
    clock: fakeClock('2026-11-24T12:00:00Z'),
    configDir: at('config'),
    cwd: at('folder'),
    token: null,
    stdin: 'svc_0123456789abcdef',
    env: { SVC_DNS_SERVER: '127.0.0.1:1' },
  };
  return { at, write, run: (line: string) => svc(line.split(' '), options) };
}

const LINK = '{"version":2,"services":["svc_1"]}';
const SIGN_INS = '{"version":2,"credentials":{"work":{"sealed":"…"}}}';
const ORDERS = '{"version":2,"orders":{}}';
const CONFIG = '{"version":2,"settings":[]}';
const ORDER = '--plan plan_wp_pro --network mtn --phone +237670000042 --yes';

test.each([
  ['config/credentials.json', SIGN_INS, 'whoami'],
  ['config/credentials.json', SIGN_INS, `login --with-token --api-url ${ADDRESS}`],
  ['config/credentials.json', SIGN_INS, 'profiles use work'],
  ['config/credentials.json', SIGN_INS, 'logout --all --yes'],
  ['config/config.json', CONFIG, 'config set bell on'],
  ['config/config.json', CONFIG, 'config list'],
  ['config/orders.json', ORDERS, `buy ${ORDER}`],
  ['config/orders.json', ORDERS, 'orders'],
  ['config/domains/kola-studio.example.json', '{"version":2}', 'domains status kola-studio.example'],
  ['folder/.svc.json', LINK, 'restart'],
  ['folder/.svc.json', LINK, 'link svc_2'],
  ['folder/run.ndjson', '{"log":2,"command":"wp run"}', 'wp run cache.flush --service svc_1 --yes --resume run.ndjson'],
])('%s of a newer svc, %s, is left alone by svc %s, which says so', async (path, text, line) => {
  const { at, run } = await newHome();
  writeFileSync(at(path), text);
  const name = path.replace(/^folder\/run/, 'run').replaceAll('.', '\\.');
  const said = new RegExp(`^\\S*${name} was written by a newer svc\\. This one leaves it as it is\\.`);
  const error = { code: 'usage', error: expect.stringMatching(said), next: ['svc help upgrading'] };
  expect(await run(`${line} --json`)).toMatchObject({ exitCode: 2, stdout: '', error });
  expect(readFileSync(at(path), 'utf8')).toBe(text);
  expect(readdirSync(dirname(at(path))).filter((name) => /corrupt|tmp|lock/.test(name))).toEqual([]);
});

test('the journal of a newer sign-in is left to the newer svc', async () => {
  const { at, run } = await newHome();
  const journal = at('config/login-00000000-1-aa.json');
  writeFileSync(journal, '{"version":2,"sealed":"…"}', { mode: 0o600 });
  utimesSync(journal, 0, 0);
  expect(await run('profiles use work')).toMatchObject({ exitCode: 0 });
  expect(readFileSync(journal, 'utf8')).toBe('{"version":2,"sealed":"…"}');
});

test('fields that this svc does not know are kept', async () => {
  const { at, write, run } = await newHome();
  const paths = ['config/config.json', 'config/credentials.json', 'folder/.svc.json'];
  for (const path of paths) write(path, { ...JSON.parse(readFileSync(at(path), 'utf8')), later: [1] });
  for (const line of ['config set bell on', 'profiles use work', 'orgs use baobab-travel', 'link svc_2']) {
    await run(line);
  }
  for (const path of paths) expect(JSON.parse(readFileSync(at(path), 'utf8')), path).toMatchObject({ later: [1] });
});
