import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { figure } from '../support/figure.ts';
import { builtProgram } from '../support/program.ts';
import { storedSignIn, writeSignIns } from '../support/stored.ts';
import { IN_MEMORY, type RunOptions, svc } from '../support/svc.ts';
import { send } from '../support/wire-plan.ts';
import { testService } from './service.ts';

/** Whether files can change hands here. */
const IS_ROOT = process.getuid?.() === 0;
const USER = IS_ROOT ? 1_001 : (process.getuid?.() ?? -1);
const STRANGER = 1_002;
const ROOT = 0;
const TOKEN = { SVC_TOKEN: 'svc_CANARY_env' };
/** A text without its line breaks. */
const flat = (text: string) => text.replaceAll(/\s+/g, ' ');
const BUY = 'buy --plan plan_1 --network mtn --phone +237670000042 --yes';

/** Gives a path to somebody. The mode of a link does not matter. */
function give(path: string, uid: number, mode: number): void {
  if (IS_ROOT) fs.lchownSync(path, uid, uid);
  if (!fs.lstatSync(path).isSymbolicLink()) fs.chmodSync(path, mode);
}

function write(path: string, content: object, uid = USER, mode = 0o600): void {
  fs.writeFileSync(path, JSON.stringify(content));
  give(path, uid, mode);
}

function link(path: string, target: string, uid: number): void {
  fs.symlinkSync(target, path);
  give(path, uid, 0o777);
}

type Stage = Awaited<ReturnType<typeof newStage>>;

/**
 * A user with a project and a configuration folder, their service, and one that waits for their
 * token.
 */
async function newStage() {
  const root = fs.mkdtempSync(join(IN_MEMORY, 'svc-strangers-'));
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }));
  const [config, cwd] = [join(root, 'config'), join(root, 'project', 'src')];
  for (const folder of [config, cwd]) fs.mkdirSync(folder, { recursive: true });
  for (const folder of [root, dirname(cwd), cwd, config]) give(folder, USER, 0o755);
  const [own, trap] = [await testService(), await testService()];
  const answer = { user: { email: 'marie@example.com' }, success: true, orderId: 'ord_1' };
  for (const service of [own, trap]) service.expect(({ response }) => send(response, 200, answer));
  const run = (line: string, options?: RunOptions) =>
    svc(line.split(' '), { configDir: config, cwd, uid: USER, ...options });
  return { root, config, cwd, own, trap, run };
}

/** A set-up by name. Those that this user cannot make are left out. */
type Layout = readonly [title: string, needsRoot: boolean, make: (stage: Stage) => void];

let count = 0;
afterAll(() => figure('Files of others', count, IS_ROOT ? undefined : 'without root'));
function testLayouts(
  title: string,
  layouts: readonly Layout[],
  check: (stage: Stage, name: string) => Promise<void>,
) {
  test.each(layouts.filter(([, needsRoot]) => IS_ROOT || !needsRoot))(
    title,
    async (name, _needsRoot, make) => {
      const stage = await newStage();
      make(stage);
      await check(stage, name);
      count += 1;
    },
  );
}

/**
 * Settings and sign-ins that lead into the trap; the file or folder of the title is somebody's,
 * perhaps behind a link.
 */
function stored(title: string, uid: number, mode: number, linkUid?: number): Layout {
  const make = ({ root, config, trap, own }: Stage) => {
    const name = title.includes('sign-ins') ? 'credentials.json' : 'config.json';
    if (name === 'config.json')
      write(join(config, name), { apiUrl: trap.url, org: 'evil', service: 'svc_evil' });
    else writeSignIns(config, storedSignIn('evil', trap.url), storedSignIn('home', own.url));
    const path = title.includes('folder') ? config : join(config, name);
    give(join(config, name), USER, 0o600);
    if (linkUid === undefined) return give(path, uid, mode);
    fs.renameSync(path, join(root, 'elsewhere'));
    give(join(root, 'elsewhere'), uid, mode);
    link(path, join(root, 'elsewhere'), linkUid);
  };
  return [title, uid !== USER || (linkUid ?? USER) !== USER, make];
}

const STORED = [
  stored('a file of a stranger', STRANGER, 0o644),
  stored('a file that everybody may change', USER, 0o666),
  stored('a file that everybody may write and nobody read', USER, 0o602),
  stored("a link to a stranger's file", STRANGER, 0o600, USER),
  stored("a stranger's link to a file of the user", USER, 0o600, STRANGER),
  stored('a folder of a stranger', STRANGER, 0o755),
  stored("root's folder that everybody may change, with the sticky bit", ROOT, 0o1777),
  stored("a stranger's link to a folder of the user", USER, 0o700, STRANGER),
  stored('a file of sign-ins that everybody may change', USER, 0o666),
  stored('a file of sign-ins of a stranger', STRANGER, 0o644),
  stored("root's file of sign-ins", ROOT, 0o644),
];

testLayouts(
  '%s is not used: nothing is sent, and it stays as it is',
  STORED,
  async (stage, title) => {
    const { config, own, trap, run } = stage;
    const files = () =>
      fs.readdirSync(config).map((name) => [name, fs.readFileSync(join(config, name), 'utf8')]);
    const before = files();
    const isConfig = !title.includes('sign-ins');
    const signIn = `login --with-token --api-url ${own.url}`;
    const lines = isConfig
      ? ['login --with-token', 'whoami', BUY, 'config set service s1']
      : ['whoami', signIn];
    for (const line of lines) {
      const env = line.startsWith('login') || !isConfig ? {} : { ...TOKEN, SVC_API_URL: own.url };
      // A folder is left alone, as its settings are not needed here; a file of settings is.
      if (line === 'whoami' && title.includes('folder')) continue;
      const { exitCode, stderr } = await run(line, { env, stdin: 'svc_CANARY_stdin' });
      expect([2, 4], `${line}: ${stderr}`).toContain(exitCode);
      expect(flat(stderr)).toContain('svc does not use it.');
    }
    expect([own.connections(), trap.connections()]).toEqual([0, 0]);
    expect(files()).toEqual(before);
  },
);

testLayouts(
  '%s is left alone where token and address are given: one warning, and what needs no folder works',
  STORED.filter(([title]) => title.includes('folder')),
  async ({ config, own, trap, run }) => {
    const env = { ...TOKEN, SVC_API_URL: own.url };
    const before = fs.readdirSync(config);
    for (const line of ['whoami', 'restart s1 --yes', 'restart s1 --yes', `${BUY} --json`]) {
      const needsFolder = line.startsWith('buy');
      const { exitCode, stderr } = await run(line, { env });

      expect(exitCode, stderr).toBe(needsFolder ? 2 : 0);
      expect(flat(stderr).match(/svc goes on without it/g)).toHaveLength(1);
    }
    const sent = own.requests.map(({ path, headers }) => [path, headers['x-service-org']]);
    expect(sent).toEqual(
      ['/v1/user', ...Array(2).fill('/v1/services/s1/restart')].map((path) => [path, undefined]),
    );
    expect(trap.connections()).toBe(0);
    expect(fs.readdirSync(config)).toEqual(before);

    const named = await run('whoami --profile home', { env });
    const withoutAddress = await run('whoami', { env: TOKEN });
    expect(named.exitCode).toBe(2);
    expect(withoutAddress.exitCode).toBe(2);
    expect(named.stderr + withoutAddress.stderr).not.toContain('goes on');
  },
);

const SAYS = { service: 'svc_evil', org: 'evil' };

/**
 * A link file in the folder or above, by its owner and what others may do with it; perhaps behind a
 * link in its place.
 */
function linkFile(title: string, uid: number, mode: number, linkUid?: number): Layout {
  const make = ({ root, cwd }: Stage) => {
    const path = join(title.includes('above') ? dirname(cwd) : cwd, '.svc.json');
    write(linkUid === undefined ? path : join(root, 'elsewhere'), SAYS, uid, mode);
    if (linkUid !== undefined) link(path, join(root, 'elsewhere'), linkUid);
    if (title.includes("above a stranger's"))
      write(join(cwd, '.svc.json'), { service: 'svc_other' }, STRANGER, 0o644);
  };
  return [title, uid !== USER || title.includes('stranger'), make];
}
const pipe = ({ cwd }: Stage) => {
  execFileSync('mkfifo', [join(cwd, '.svc.json')]);
  give(join(cwd, '.svc.json'), STRANGER, 0o666);
};
const inCi = (title: string) => (title.endsWith('in CI') ? { CI: '1' } : {});

const LINKS = [
  linkFile('a link file of a stranger above', STRANGER, 0o644),
  linkFile('a link file that everybody may change, in CI', USER, 0o666),
  ['a pipe of a stranger', true, pipe] as const,
  linkFile("a link to a stranger's file", STRANGER, 0o644, USER),
  linkFile("a stranger's link to a file of the user", USER, 0o644, STRANGER),
];

testLayouts(
  '%s chooses neither service nor organization, and a warning says so',
  LINKS,
  async ({ own, run }, title) => {
    const env = { ...TOKEN, SVC_API_URL: own.url, ...inCi(title) };
    for (const [line, exit] of Object.entries({
      restart: 2,
      'restart --json': 2,
      'restart s1': 0,
      [BUY]: 0,
    })) {
      const { exitCode, stderr } = await run(line, { env });
      expect([line, exitCode]).toEqual([line, exit]);
      expect(flat(stderr)).toMatch(/\.svc\.json is ignored: it (belongs to|can be changed by) /);
    }
    const sent = own.requests.map(({ path, headers }) => [path, headers['x-service-org']]);
    expect(sent).toEqual(
      ['/v1/services/s1/restart', '/v1/checkout'].map((path) => [path, undefined]),
    );
  },
);

const GOOD_LINKS = [
  linkFile("root's link file", ROOT, 0o644),
  linkFile('a link file of another user in CI', STRANGER, 0o644),
  linkFile("a link file of the user above a stranger's", USER, 0o600),
];

testLayouts(
  '%s chooses, and what changes something says what it chose',
  GOOD_LINKS,
  async ({ own, run }, title) => {
    const env = { ...TOKEN, SVC_API_URL: own.url, TERM: 'dumb', ...inCi(title) };
    const chosen = /For the service svc_evil \(\S+\.svc\.json\) and the organization evil \(/;
    expect(flat((await run('restart', { env })).stderr)).toMatch(chosen);
    expect(own.requests[0]).toMatchObject({
      path: '/v1/services/svc_evil/restart',
      headers: { 'x-service-org': 'evil' },
    });
    expect((await run('restart --json', { env })).stderr).not.toContain('For the ');
    // A person at a terminal is told only if nothing is asked.
    const terminal = { columns: 200, rows: 24 };
    expect(flat((await run('restart --no-input', { env, terminal })).stderr)).toMatch(chosen);
  },
);

test.runIf(IS_ROOT)(
  'the program itself, run by a user, looks at who owns its files (needs root)',
  async () => {
    const { config, cwd, trap } = await newStage();
    const [runner, script] = (await builtProgram()).command;
    write(join(config, 'config.json'), { apiUrl: trap.url }, STRANGER, 0o644);
    const env = { PATH: process.env['PATH'], ...TOKEN, SVC_CONFIG_DIR: config };
    const options = { cwd, env, extendEnv: false, uid: USER, gid: USER, reject: false };
    const stderr = expect.stringMatching(/belongs to\s+another\s+user/);
    expect(await execa(runner, [script, 'whoami'], options)).toMatchObject({ exitCode: 2, stderr });
    expect(trap.connections()).toBe(0);
  },
);
