import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/kit/config-file.ts';
import { ASSUMPTIONS } from '../../src/spec/assumptions.ts';
import { machineOf } from '../../src/store/machine.ts';
import { storedSignIn, writeSignIns } from '../support/stored.ts';
import { svc, temporaryFolder } from '../support/svc.ts';

const A = 'https://a.example.com';

interface Listed {
  readonly settings: ReadonlyArray<{ name: string; value: string | null; origin: string; where: string }>;
}

/** The settings in effect by name, as `value origin where`. */
async function effective(configDir: string, { argv = [] as readonly string[], env = {}, cwd = configDir } = {}) {
  const run = await svc(['config', '--json', ...argv], { configDir, env, cwd });
  expect(run.exitCode, run.stderr).toBe(0);
  const { settings } = run.json as Listed;
  return Object.fromEntries(settings.map(({ name, value, origin, where }) => [name, `${value} ${origin} ${where}`]));
}

describe('svc config', () => {
  test('people see the settings that are set, unshortened, and the number of defaults', async () => {
    const configDir = await temporaryFolder();
    await svc(['config', 'set', 'assume.checkout.paymentMethod', 'method'], { configDir });
    const { stdout } = await svc(['config'], { configDir, terminal: { columns: 60, rows: 20 } });
    expect(stdout).toContain('  assume.checkout.paymentMethod  method   svc config\n');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      `${ASSUMPTIONS.length + 3} more settings are at their defaults (svc config list --json).`,
    );
    expect(stdout).not.toContain('assume.job');
  });

  test('shows where each setting came from, the strongest winning', async () => {
    const configDir = await temporaryFolder();
    expect(await effective(configDir)).toMatchObject({
      'api-url': 'null none ',
      profile: 'null none ',
      token: 'null none ',
    });

    writeFileSync(
      join(configDir, 'config.json'),
      JSON.stringify({ apiUrl: 'https://c.example.com', org: 'c-org', service: 'c-svc', assume: { 'job.done': 'ok' } }),
    );
    expect(await effective(configDir)).toMatchObject({
      'api-url': 'https://c.example.com config svc config',
      org: 'c-org config svc config',
      service: 'c-svc config svc config',
      'assume.job.done': 'ok config svc config',
      'assume.job.failed': expect.stringMatching(/ default default$/),
    });

    writeSignIns(configDir, storedSignIn('work', A, { org: 'p-org' }), storedSignIn('home', A));
    expect(await effective(configDir)).toMatchObject({
      'api-url': `${A} profile profile work`,
      profile: 'work profile the last login',
      org: 'p-org profile profile work',
      token: '(secret) profile profile work',
    });
    expect(await effective(configDir, { env: { SVC_API_URL: A } })).toMatchObject({
      profile: 'work environment the address of SVC_API_URL',
    });

    const cwd = await temporaryFolder();
    const link = join(cwd, '.svc.json');
    writeFileSync(link, JSON.stringify({ service: 'l-svc', org: 'l-org', apiUrl: 'https://evil.example.com' }));
    expect(await effective(configDir, { cwd })).toMatchObject({
      'api-url': `${A} profile profile work`,
      org: `l-org link ${link}`,
      service: `l-svc link ${link}`,
    });

    const env = {
      SVC_API_URL: 'https://e.example.com/',
      SVC_ORG: 'e-org',
      SVC_SERVICE: 'e-svc',
      SVC_TOKEN: 'svc_CANARY_env',
      SVC_ASSUME: 'job.done=fine',
    };
    const inEnvironment = await effective(configDir, { cwd, env });
    expect(inEnvironment).toMatchObject({
      'api-url': 'https://e.example.com environment SVC_API_URL',
      profile: 'null none ',
      org: 'e-org environment SVC_ORG',
      service: 'e-svc environment SVC_SERVICE',
      token: '(secret) environment SVC_TOKEN',
      'assume.job.done': 'fine environment SVC_ASSUME',
    });
    expect(JSON.stringify(inEnvironment)).not.toContain('CANARY');

    const argv = ['--profile', 'home', '--org', 'f-org'];
    expect(
      await effective(configDir, { cwd, env: { ...env, SVC_TOKEN: undefined, SVC_API_URL: undefined }, argv }),
    ).toMatchObject({
      'api-url': `${A} profile profile home`,
      profile: 'home flag --profile',
      org: 'f-org flag --org',
      token: '(secret) profile profile home',
    });
  });

  test('for people is a table', async () => {
    const run = await svc(['config'], { env: { SVC_API_URL: A } });
    expect(run.stdout).toMatch(/^ +SETTING +VALUE +FROM\n +api-url +https:\/\/a\.example\.com +SVC_API_URL\n/);
  });

  test('an unreadable folder above and a blank file are ignored', async () => {
    const configDir = await temporaryFolder();
    const machine = machineOf(process, 'marie-laptop');
    expect(readConfig('/proc/version', machine)).toEqual(readConfig(undefined, machine));
    writeFileSync(join(configDir, 'config.json'), '\uFEFF \n');
    expect((await svc(['config'], { configDir })).exitCode).toBe(0);
  });
});

/** Unusable configuration files, and their errors. */
const UNUSABLE: ReadonlyArray<readonly [content: string, said: string, make: (file: string) => void]> = [
  ...[
    ['{"org":', 'is not a JSON object'],
    ['[{"org":"acme"}]', 'is not a JSON object'],
    ['"acme"', 'is not a JSON object'],
    ['null', 'is not a JSON object'],
    ['{"assume":["job.path"]}', '"assume" in'],
  ].map(([text = '', said = '']) => [text, said, (file: string) => writeFileSync(file, text)] as const),
  ['a folder', 'not a plain file', (file) => mkdirSync(file)],
  ['a pipe', 'not a plain file', (file) => void execFileSync('mkfifo', [file])],
  ['a broken link', 'a link that leads nowhere', (file) => symlinkSync('/nowhere', file)],
  ['9 MB', 'too large', (file) => writeFileSync(file, Buffer.alloc(9_000_000, ' '))],
];

describe.each(UNUSABLE)('a configuration that is %s', (_content, said, make) => {
  test('is reported by commands that need it, and not overwritten', async () => {
    const configDir = await temporaryFolder();
    const file = join(configDir, 'config.json');
    make(file);
    const { ino, size } = lstatSync(file);
    for (const argv of [['config'], ['whoami'], ['config', 'set', 'assume.job.path', '/v1/jobs/{jobId}']]) {
      const run = await svc(argv, { configDir, url: 'http://127.0.0.1:9' });
      expect(run).toMatchObject({ exitCode: 2, stdout: '' });
      for (const part of [file, said]) expect(run.stderr).toContain(part);
    }
    expect(lstatSync(file)).toMatchObject({ ino, size });
    expect(readdirSync(configDir)).toEqual(['config.json']);
  });

  test('does not stop commands that do not need it', async () => {
    const configDir = await temporaryFolder();
    make(join(configDir, 'config.json'));
    expect((await svc(['--version'], { configDir })).exitCode).toBe(0);
    expect((await svc(['help', 'buy'], { configDir })).exitCode).toBe(0);
  });
});

test.each(['org', 'service', 'apiUrl'])(
  'a value of %s that is no text is an error, and can be replaced',
  async (field) => {
    const configDir = await temporaryFolder();
    writeFileSync(join(configDir, 'config.json'), JSON.stringify({ [field]: ['acme'] }));
    const run = await svc(['config'], { configDir });
    expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(`"${field}" in ${configDir}`) });
    const name = field === 'apiUrl' ? 'api-url' : field;
    expect((await svc(['config', 'unset', name], { configDir })).exitCode).toBe(0);
    expect((await svc(['config'], { configDir })).exitCode).toBe(0);
  },
);

describe('svc config get', () => {
  test.each([
    ['api-url', `${A}\n`],
    ['profile', 'work\n'],
    ['assume.metrics.start', 'start\n'],
  ])('prints %s', async (name, stdout) => {
    const configDir = await temporaryFolder();
    writeSignIns(configDir, storedSignIn('work', A));
    expect(await svc(['config', 'get', name], { configDir })).toMatchObject({ exitCode: 0, stdout });
  });

  test('of an unset setting exits with 6, of an unknown one with 2', async () => {
    expect((await svc(['config', 'get', 'org'])).exitCode).toBe(6);
    const run = await svc(['config', 'get', 'orgg']);
    expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('There is no setting "orgg".') });
  });
});

describe('svc config set and unset', () => {
  test('write one private file, and keep unknown fields', async () => {
    const configDir = await temporaryFolder();
    const file = join(configDir, 'config.json');
    writeFileSync(file, '\uFEFF{"theme":{"a":1},"org":"old"}', { mode: 0o644 });
    for (const [name, value] of [
      ['org', 'acme'],
      ['api-url', 'HTTPS://A.example.com:443/'],
      ['assume.metrics.start', 'from'],
    ] as const) {
      expect((await svc(['config', 'set', name, value], { configDir })).exitCode).toBe(0);
    }
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      version: 1,
      theme: { a: 1 },
      org: 'acme',
      apiUrl: A,
      assume: { 'metrics.start': 'from' },
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const name of ['org', 'assume.metrics.start']) {
      expect((await svc(['config', 'unset', name], { configDir })).exitCode).toBe(0);
    }
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ version: 1, theme: { a: 1 }, apiUrl: A, assume: {} });
  });

  test('unsetting a missing value writes nothing', async () => {
    const configDir = await temporaryFolder();
    expect((await svc(['config', 'unset', 'org'], { configDir })).exitCode).toBe(0);
    expect(existsSync(join(configDir, 'config.json'))).toBe(false);
  });

  test.each([
    ['api-url', 'http://example.com', 'is plain http'],
    ['api-url', 'https://user:secret@example.com', 'must not contain a user name or password'],
    ['org', '..', 'is not an id'],
    ['token', 'svc_x', 'There is no setting "token"'],
    ['assume.job.path', 'no-slash', 'is not a path'],
    ['assume.nothing', 'x', 'is not something svc assumes'],
  ])('%s %s is refused, and nothing is written', async (name, value, said) => {
    const configDir = await temporaryFolder();
    const run = await svc(['config', 'set', name, value], { configDir });
    expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(said) });
    expect(existsSync(join(configDir, 'config.json'))).toBe(false);
  });

  test('a stronger source that wins here is named', async () => {
    const configDir = await temporaryFolder();
    writeSignIns(configDir, storedSignIn('work', A, { org: 'acme' }));
    const set = await svc(['config', 'set', 'org', 'guild'], { configDir });
    expect(set.stdout).toContain('! profile work overrides it here: acme');
    const url = await svc(['config', 'set', 'api-url', 'https://c.example.com', '--json'], { configDir });
    expect(url.json).toMatchObject({ overriddenBy: { value: A, where: 'profile work' } });
    const unset = await svc(['config', 'unset', 'org', '--json'], { configDir, env: { SVC_ORG: 'e' } });
    expect(unset.json).toMatchObject({ name: 'org', overriddenBy: { value: 'e', where: 'SVC_ORG' } });
    const unknown = await svc(['config', 'set', 'service', 's1'], { configDir, env: { SVC_PROFILE: 'typo' } });
    expect(unknown.exitCode).toBe(0);
  });

  test('a folder that cannot be written is said', async () => {
    const run = await svc(['config', 'set', 'org', 'acme'], { configDir: '/proc/svc' });
    expect(run).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('Cannot save the setting in /proc/svc') });
  });
});

test('a blank file is filled', async () => {
  const configDir = await temporaryFolder();
  writeFileSync(join(configDir, 'config.json'), '\n', { mode: 0o600 });
  expect((await svc(['config', 'set', 'org', 'acme'], { configDir })).exitCode).toBe(0);
  expect(JSON.parse(readFileSync(join(configDir, 'config.json'), 'utf8'))).toEqual({ version: 1, org: 'acme' });
});
