import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fakeClock } from '../support/clock.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

/** Files as each release has written them. A new format needs a new folder here, beside the old ones. */
const RELEASES = join(import.meta.dirname, 'written-by');
const ADDRESS = 'http://127.0.0.1:4750';

/** Puts the files of a release into a new home, and returns how to run svc there, without a network. */
async function homeOf(release: string) {
  const home = await temporaryFolder();
  const at = (path: string) => join(home, path);
  cpSync(join(RELEASES, release), home, { recursive: true });
  for (const file of ['credentials', 'config']) chmodSync(at(`config/${file}.json`), 0o600);
  const clock = fakeClock('2026-11-24T12:00:00Z');
  const options = {
    clock,
    configDir: at('config'),
    cwd: at('folder'),
    token: null,
    stdin: 'svc_0123456789abcdef',
    env: { SVC_DNS_SERVER: '127.0.0.1:1' },
  };
  return { at, run: (line: string) => svc(line.split(' '), options) };
}

describe.each(readdirSync(RELEASES))('what %s has written is read', (release) => {
  test.each([
    ['profiles --json', { profiles: [{ profile: 'work', baseUrl: ADDRESS, current: true }] }],
    ['config get bell --json', { value: 'off', origin: 'config' }],
    ['link --json', { service: 'svc_wp_7k2m9qx4', org: 'kola-studio', changed: false }],
    ['changes --json', { changes: expect.objectContaining({ length: 6 }) }],
  ])('svc %s', async (line, expected) => {
    const { run } = await homeOf(release);
    const { json, exitCode } = await run(line);
    expect([exitCode, json]).toMatchObject([0, expected]);
  });

  test('svc wp run --resume sends nothing that its log has', async () => {
    const { run } = await homeOf(release);
    const done = await run('wp run cache.flush --service svc_wp_7k2m9qx4 --wait --yes --resume run.ndjson --json');
    expect(done).toMatchObject({ exitCode: 0, stdout: '' });
  });

  test('svc domains status knows the move', async () => {
    const { run } = await homeOf(release);
    const { error, exitCode } = await run('domains status kola-studio.example --json');
    expect([exitCode, error]).toMatchObject([8, { error: expect.stringMatching(/^No DNS server answered/) }]);
  });
});

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
  const { at, run } = await homeOf('0-1-0');
  writeFileSync(at(path), text);
  const { error, exitCode, stdout } = await run(`${line} --json`);
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(error).toMatchObject({ code: 'usage', next: ['svc help upgrading'] });
  expect((error as { error: string }).error).toMatch(/^\S+ was written by a newer svc\. This one leaves it as it is\./);
  expect((error as { error: string }).error).toContain(path.replace(/^folder\/run/, 'run'));
  expect(readFileSync(at(path), 'utf8')).toBe(text);
  expect(readdirSync(dirname(at(path))).filter((name) => /corrupt|tmp|lock/.test(name))).toEqual([]);
});

test('the journal of a newer sign-in is left to the newer svc', async () => {
  const { at, run } = await homeOf('0-1-0');
  mkdirSync(at('config'), { recursive: true });
  const journal = at('config/login-00000000-1-aa.json');
  writeFileSync(journal, '{"version":2,"sealed":"…"}', { mode: 0o600 });
  expect(await run('profiles use work')).toMatchObject({ exitCode: 0 });
  expect(readFileSync(journal, 'utf8')).toBe('{"version":2,"sealed":"…"}');
});

test('fields that this svc does not know are kept', async () => {
  const { at, run } = await homeOf('0-1-0');
  const edit = (path: string, change: (content: Record<string, unknown>) => object) =>
    writeFileSync(at(path), JSON.stringify(change(JSON.parse(readFileSync(at(path), 'utf8')))));
  for (const path of ['config/config.json', 'config/credentials.json', 'folder/.svc.json'])
    edit(path, (content) => ({ ...content, later: [1] }));
  for (const line of ['config set bell on', 'profiles use work', 'orgs use baobab-travel', 'link svc_2']) {
    await run(line);
  }
  for (const path of ['config/config.json', 'config/credentials.json', 'folder/.svc.json'])
    expect(JSON.parse(readFileSync(at(path), 'utf8')), path).toMatchObject({ later: [1] });
});
