import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { storedSignIn, writeSignIns } from '../support/stored.ts';
import { type RunOptions, svc, temporaryFolder } from '../support/svc.ts';

const A = 'https://a.example.com';

/** A folder of settings with these in it, and what runs a command line there. */
async function settled(content?: string | object) {
  const configDir = await temporaryFolder();
  const file = join(configDir, 'config.json');
  if (content !== undefined)
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  const run = (line: string, options: RunOptions = {}) =>
    svc(line.split(' '), { configDir, ...options });
  const json = (): unknown => JSON.parse(readFileSync(file, 'utf8'));
  return { configDir, file, run, json };
}

test('svc config shows where each setting came from, the strongest winning', async () => {
  const content = {
    apiUrl: 'https://c.example.com',
    org: 'c-org',
    service: 'c-svc',
    assume: { 'job.done': 'ok' },
  };
  const { configDir, file, run } = await settled();
  const effective = async (line = '', env = {}, cwd = configDir) => {
    const { json, stderr } = await run(`config --json${line}`, { env, cwd });
    const { settings } = json as {
      readonly settings: ReadonlyArray<Record<string, string | null>>;
    };
    expect(stderr).not.toContain('CANARY');
    expect(JSON.stringify(json)).not.toContain('CANARY');
    return Object.fromEntries(
      settings.map(({ name, value, origin, where }) => [name, `${value} ${origin} ${where}`]),
    );
  };
  const none = 'null none ';
  expect(await effective()).toMatchObject({ 'api-url': none, profile: none, token: none });
  writeFileSync(file, JSON.stringify(content));
  expect(await effective()).toMatchObject({
    'api-url': 'https://c.example.com config svc config',
    org: 'c-org config svc config',
    service: 'c-svc config svc config',
    'assume.job.done': 'ok config svc config',
    'assume.job.failed': expect.stringMatching(/ default default$/),
  });
  writeSignIns(configDir, storedSignIn('work', A, { org: 'p-org' }), storedSignIn('home', A));
  const signedIn = {
    'api-url': `${A} profile profile work`,
    token: '(secret) profile profile work',
  };
  const last = 'work profile the last login';
  expect(await effective()).toMatchObject({
    ...signedIn,
    profile: last,
    org: 'p-org profile profile work',
  });
  const chosen = 'work environment the address of SVC_API_URL';
  expect(await effective('', { SVC_API_URL: A })).toMatchObject({ profile: chosen });
  const cwd = await temporaryFolder();
  const link = join(cwd, '.svc.json');
  writeFileSync(
    link,
    JSON.stringify({ service: 'l-svc', org: 'l-org', apiUrl: 'https://evil.example.com' }),
  );
  const linked = { org: `l-org link ${link}`, service: `l-svc link ${link}` };
  expect(await effective('', {}, cwd)).toMatchObject({ ...signedIn, ...linked });
  const own = { SVC_ORG: 'e-org', SVC_SERVICE: 'e-svc', SVC_ASSUME: 'job.done=fine' };
  const token = { SVC_API_URL: 'https://e.example.com/', SVC_TOKEN: 'svc_CANARY_env' };
  expect(await effective('', { ...own, ...token }, cwd)).toMatchObject({
    'api-url': 'https://e.example.com environment SVC_API_URL',
    profile: none,
    org: 'e-org environment SVC_ORG',
    service: 'e-svc environment SVC_SERVICE',
    token: '(secret) environment SVC_TOKEN',
    'assume.job.done': 'fine environment SVC_ASSUME',
  });
  expect(await effective(' --profile home --org f-org', own, cwd)).toMatchObject({
    'api-url': `${A} profile profile home`,
    profile: 'home flag --profile',
    org: 'f-org flag --org',
    token: '(secret) profile profile home',
  });
});

/** Unusable configuration files, and their errors. */
const UNUSABLE: ReadonlyArray<
  readonly [content: string, said: string, make: string | ((file: string) => void)]
> = [
  ['half of an object', 'is not a JSON object', '{"org":'],
  ['null', 'is not a JSON object', 'null'],
  ['a list of assumptions', '"assume" in', '{"assume":["job.path"]}'],
  ['a folder', 'it is a folder', (file) => mkdirSync(file)],
  ['a pipe', 'not a plain file', (file) => void execFileSync('mkfifo', [file])],
  ['9 MB', 'too large', (file) => writeFileSync(file, Buffer.alloc(9_000_000, ' '))],
];

test.each(UNUSABLE)(
  'a configuration that is %s stops who needs it, and is not overwritten',
  async (_, said, make) => {
    const { configDir, file, run } = await settled(typeof make === 'string' ? make : undefined);
    if (typeof make !== 'string') make(file);
    const { ino, size } = lstatSync(file);
    for (const line of ['config', 'whoami', 'config set assume.job.path /v1/jobs/{jobId}']) {
      const { exitCode, stdout, stderr } = await run(line, { url: 'http://127.0.0.1:9' });
      expect([exitCode, stdout]).toEqual([2, '']);
      for (const part of [file, said]) expect(stderr).toContain(part);
    }
    expect(lstatSync(file)).toMatchObject({ ino, size });
    expect(readdirSync(configDir)).toEqual(['config.json']);
    for (const line of ['--version', 'help buy']) expect((await run(line)).exitCode).toBe(0);
  },
);

test('a value that is no text is an error, and can be removed', async () => {
  const { configDir, run } = await settled({ apiUrl: ['acme'] });
  const stderr = expect.stringContaining(`"apiUrl" in ${configDir}`);
  expect(await run('config')).toMatchObject({ exitCode: 2, stderr });
  expect((await run('config unset api-url')).exitCode).toBe(0);
  expect((await run('config')).exitCode).toBe(0);
});

test.each([
  ['api-url', 0, `${A}\n`, ''],
  ['org', 6, '', expect.stringContaining('svc config set org <value>')],
  ['orgg', 2, '', expect.stringContaining('svc config get org')],
])('svc config get %s', async (name, exitCode, stdout, stderr) => {
  const { configDir, run } = await settled();
  writeSignIns(configDir, storedSignIn('work', A));
  expect(await run(`config get ${name}`)).toMatchObject({ exitCode, stdout, stderr });
});

describe('svc config set and unset', () => {
  test('write one private file, and keep unknown fields', async () => {
    const { file, run, json } = await settled('\uFEFF{"theme":{"a":1},"org":"old"}');
    for (const given of [
      'org acme',
      'api-url HTTPS://A.example.com:443/',
      'assume.metrics.start from',
    ]) {
      expect((await run(`config set ${given}`)).exitCode).toBe(0);
    }
    const kept = { version: 1, theme: { a: 1 }, apiUrl: A };
    expect(json()).toEqual({ ...kept, org: 'acme', assume: { 'metrics.start': 'from' } });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const name of ['org', 'assume.metrics.start'])
      expect((await run(`config unset ${name}`)).exitCode).toBe(0);
    expect(json()).toEqual({ ...kept, assume: {} });
  });

  test.each([
    ['set api-url http://example.com', 2, 'is plain http'],
    ['set org ..', 2, 'is not an id'],
    ['set token svc_x', 2, 'There is no setting "token"'],
    ['set assume.job.done a\u0001b', 2, 'has a control character in it.'],
    ['set assume.job.done ', 2, 'has no value for job.done'],
    ['set agents.spend allow', 2, 'Only a person can allow agents to spend money.'],
    ['unset org', 0, ''],
  ])('svc config %s writes nothing (exit %i)', async (line, exitCode, said) => {
    const { file, run } = await settled();
    expect(await run(`config ${line}`)).toMatchObject({
      exitCode,
      stderr: expect.stringContaining(said),
    });
    expect(existsSync(file)).toBe(false);
  });

  test('name a stronger source that wins here', async () => {
    const { configDir, run } = await settled();
    writeSignIns(configDir, storedSignIn('work', A, { org: 'acme' }));
    const set = await run('config set api-url https://c.example.com --json');
    expect(set.json).toMatchObject({ overriddenBy: { value: A, where: 'profile work' } });
    const unset = await run('config unset org --json', { env: { SVC_ORG: 'e' } });
    expect(unset.json).toMatchObject({
      name: 'org',
      overriddenBy: { value: 'e', where: 'SVC_ORG' },
    });
  });
});

describe('a value of config.json that was edited by hand and is none', () => {
  test.each([
    ['lang', { lang: 'de' }, 'lang "de" is not one of', 'en'],
    ['bell', { bell: 'loud' }, 'bell "loud" is not one of on, off', 'on'],
    ['agents.spend', { agentsSpend: 'yes' }, '"yes" is not one of allow, refuse', 'refuse'],
    ['dashboard', { dashboard: 'ftp://x' }, 'is not an address that starts with https://', null],
    ['org', { org: 'a\u200b' }, 'has an invisible character', null],
  ])('is named by config, and not shown as in effect: %s', async (name, content, why, inEffect) => {
    const { run } = await settled(content);

    const list = await run('config list --json');
    const get = await run(`config get ${name} --json`);

    const { settings } = list.json as { settings: { name: string; value: unknown }[] };
    const warning: unknown = expect.stringContaining(why);
    expect(list.exitCode).toBe(0);
    expect(JSON.parse(list.stderr)).toMatchObject({ code: 'wrong_setting', warning });
    expect(settings.find((setting) => setting.name === name)?.value).toBe(inEffect);
    expect(get.exitCode).toBe(inEffect === null ? 6 : 0);
  });

  test('is no warning where it is good', async () => {
    const { run } = await settled({ lang: 'fr', bell: 'off', agentsSpend: 'allow' });

    const list = await run('config list --json');

    expect(list.stderr).toBe('');
    expect(list.stdout).toContain('"fr"');
  });

  test('is not sent with an order', async () => {
    const { run } = await settled({ lang: 'de', apiUrl: 'http://127.0.0.1:9' });

    const order = await run('buy --plan p1 --payment credit_card --yes', {
      env: { SVC_TOKEN: 'svc_x' },
    });

    expect(order.exitCode).toBe(2);
    expect(order.stderr).toContain('"de" is not one of');
  });
});
