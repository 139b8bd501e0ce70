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
const BUY = 'buy --plan plan_1 --network mtn --phone +237670000042 --yes';

/** Gives a path to somebody. The mode of a link does not matter. */
function give(path: string, uid: number, mode: number): void {
  if (IS_ROOT) fs.lchownSync(path, uid, uid);
  if (!fs.lstatSync(path).isSymbolicLink()) fs.chmodSync(path, mode);
}

type Stage = Awaited<ReturnType<typeof newStage>>;

/** A user with a project and a configuration folder, their service, and one that waits for their token. */
async function newStage() {
  const root = fs.mkdtempSync(join(IN_MEMORY, 'svc-strangers-'));
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }));
  const [config, cwd] = [join(root, 'config'), join(root, 'project', 'src')];
  for (const folder of [config, cwd]) fs.mkdirSync(folder, { recursive: true });
  for (const folder of [root, dirname(cwd), cwd, config]) give(folder, USER, 0o755);
  const [own, trap] = [await testService(), await testService()];
  const answer = { user: { email: 'marie@example.com' }, success: true, orderId: 'ord_1' };
  for (const service of [own, trap]) service.expect(({ response }) => send(response, 200, answer));
  return {
    ...{ root, config, own, trap, cwd, here: join(cwd, '.svc.json'), above: join(dirname(cwd), '.svc.json') },
    file(path: string, content: unknown, uid = USER, mode = 0o600): string {
      fs.writeFileSync(path, JSON.stringify(content));
      give(path, uid, mode);
      return path;
    },
    link(path: string, target: string, uid = USER): void {
      fs.symlinkSync(target, path);
      give(path, uid, 0o777);
    },
    /** What a run prints, without its line breaks. */
    async run(line: string, options?: RunOptions) {
      const run = await svc(line.split(' '), { configDir: config, cwd, uid: USER, ...options });
      const [stdout = '', stderr = ''] = [run.stdout, run.stderr].map((text) => text.replaceAll(/\s+/g, ' '));
      return { exitCode: run.exitCode, stdout, stderr };
    },
  };
}

/** A set-up by name. Those that this user cannot make are left out. */
type Layout = readonly [title: string, needsRoot: boolean, make: (stage: Stage) => void];

let count = 0;
afterAll(() => figure('Files of others', count, IS_ROOT ? undefined : 'without root'));
function testLayouts(title: string, layouts: readonly Layout[], check: (stage: Stage, name: string) => Promise<void>) {
  test.each(layouts.filter(([, needsRoot]) => IS_ROOT || !needsRoot))(title, async (name, _needsRoot, make) => {
    const stage = await newStage();
    make(stage);
    await check(stage, name);
    count += 1;
  });
}

/** A configuration that leads into the trap: its file or folder is somebody's, perhaps behind a link of somebody's. */
function configuration(title: string, uid: number, mode: number, linkUid?: number): Layout {
  const make = (stage: Stage) => {
    const [own, elsewhere] = [join(stage.config, 'config.json'), join(stage.root, 'elsewhere')];
    const path = title.includes('folder') ? stage.config : own;
    stage.file(own, { apiUrl: stage.trap.url, org: 'evil', service: 'svc_evil' });
    if (linkUid !== undefined) fs.renameSync(path, elsewhere);
    give(linkUid === undefined ? path : elsewhere, uid, mode);
    if (linkUid !== undefined) stage.link(path, elsewhere, linkUid);
  };
  return [title, uid !== USER || (linkUid ?? USER) !== USER, make];
}

const CONFIGURATIONS = [
  configuration('a file of a stranger', STRANGER, 0o644),
  configuration('a file that everybody may change', USER, 0o666),
  configuration('a file that everybody may write and nobody read', USER, 0o602),
  configuration("a link to a stranger's file", STRANGER, 0o600, USER),
  configuration("a stranger's link to a file of the user", USER, 0o600, STRANGER),
  configuration('a folder of a stranger', STRANGER, 0o755),
  configuration("root's folder that everybody may change, with the sticky bit", ROOT, 0o1777),
  configuration("a stranger's link to a folder of the user", USER, 0o700, STRANGER),
];

testLayouts('%s is no configuration: nothing is sent, and nothing of it is kept', CONFIGURATIONS, async (stage) => {
  const path = join(stage.config, 'config.json');
  const before = fs.readFileSync(path, 'utf8');
  for (const line of ['whoami', BUY, 'config set service s1', 'doctor', 'login --with-token', 'login --no-wait']) {
    const env = line.startsWith('login') ? {} : { ...TOKEN, ...(line === BUY && { SVC_API_URL: stage.own.url }) };
    const { exitCode, stdout, stderr } = await stage.run(line, { env, stdin: 'svc_CANARY_stdin' });
    expect([line, exitCode]).toEqual([line, line === 'doctor' ? 9 : 2]);
    expect(stdout + stderr).toMatch(/The configuration (file|folder) \S+ (belongs to another|can be changed by)/);
    expect(stdout + stderr).toMatch(/chmod o-w|SVC_CONFIG_DIR to a folder of your own/);
  }
  expect([stage.own.connections(), stage.trap.connections()]).toEqual([0, 0]);
  expect(fs.readFileSync(path, 'utf8')).toBe(before);
});

const GOOD_CONFIGURATIONS = [
  configuration('a file that the group may change', USER, 0o664),
  configuration("root's file", ROOT, 0o644),
  configuration('a link to a file of the user', USER, 0o600, USER),
];

testLayouts('%s is a configuration', GOOD_CONFIGURATIONS, async (stage) => {
  expect(await stage.run('restart', { env: TOKEN })).toMatchObject({ exitCode: 0 });
  const headers = { 'x-service-org': 'evil' };
  expect(stage.trap.requests).toMatchObject([{ path: '/v1/services/svc_evil/restart', headers }]);
});

function signIns(title: string, uid: number, mode: number): Layout {
  const make = ({ config, trap, own }: Stage) => {
    writeSignIns(config, storedSignIn('evil', trap.url), storedSignIn('home', own.url));
    give(join(config, 'credentials.json'), uid, mode);
  };
  return [title, uid !== USER, make];
}

const CREDENTIALS = [
  signIns('a file that everybody may change', USER, 0o666),
  signIns('a file of a stranger', STRANGER, 0o644),
  signIns("root's file", ROOT, 0o644),
];

testLayouts('%s has no sign-ins: nothing is sent, and the file stays as it is', CREDENTIALS, async (stage) => {
  const path = join(stage.config, 'credentials.json');
  const before = fs.readFileSync(path, 'utf8');
  for (const line of ['whoami', `login --with-token --api-url ${stage.own.url}`, 'profiles use home']) {
    const { exitCode, stderr } = await stage.run(line, { stdin: 'svc_CANARY_stdin' });
    expect([2, 4], `${line}: ${stderr}`).toContain(exitCode);
    expect(stderr).toContain('svc does not use it.');
  }
  expect([stage.own.connections(), stage.trap.connections()]).toEqual([0, 0]);
  expect(fs.readFileSync(path, 'utf8')).toBe(before);
});

const SAYS = { service: 'svc_evil', org: 'evil' };

/** A link file here or above, by its owner and what others may do with it. */
function linkFile(title: string, uid: number, mode: number): Layout {
  const pathOf = ({ here, above }: Stage) => (title.includes('above') ? above : here);
  return [title, uid !== USER, (stage) => stage.file(pathOf(stage), SAYS, uid, mode)];
}

/** A link in its place, to a file elsewhere. */
function linked(title: string, linkUid: number, uid: number): Layout {
  const target = (stage: Stage) => stage.file(join(stage.root, 'x'), SAYS, uid, 0o644);
  return [title, true, (stage) => stage.link(stage.here, target(stage), linkUid)];
}
const pipe = ({ here }: Stage) => {
  execFileSync('mkfifo', [here]);
  give(here, STRANGER, 0o666);
};
const inCi = (title: string) => (title.endsWith('in CI') ? { CI: '1' } : {});

const LINKS = [
  linkFile('a link file of a stranger above', STRANGER, 0o644),
  linkFile('a link file that everybody may change', USER, 0o666),
  linkFile('a link file that everybody may change, in CI', USER, 0o666),
  ['a pipe of a stranger', true, pipe] as const,
  linked("a link to a stranger's file", USER, STRANGER),
  linked("a stranger's link to a file of the user", STRANGER, USER),
];

testLayouts('%s chooses neither service nor organization, and a warning says so', LINKS, async (stage, title) => {
  const env = { ...TOKEN, SVC_API_URL: stage.own.url, ...inCi(title) };
  const warning = expect.stringMatching(/\.svc\.json is ignored: it (belongs to|can be changed by) /);
  for (const line of ['restart', 'restart --json']) {
    expect(await stage.run(line, { env })).toEqual({ exitCode: 2, stdout: '', stderr: warning });
  }
  expect(stage.own.connections()).toBe(0);
  for (const line of ['restart s1', BUY]) {
    expect(await stage.run(line, { env })).toMatchObject({ exitCode: 0, stderr: warning });
  }
  const sent = stage.own.requests.map(({ path, headers }) => [path, headers['x-service-org']]);
  expect(sent).toEqual(['/v1/services/s1/restart', '/v1/checkout'].map((path) => [path, undefined]));
});

const belowStranger = (stage: Stage) => {
  stage.file(stage.above, SAYS);
  stage.file(stage.here, { service: 'svc_other', org: 'other' }, STRANGER, 0o644);
};

const GOOD_LINKS = [
  linkFile('a link file of the user above', USER, 0o600),
  linkFile("root's link file", ROOT, 0o644),
  linkFile('a link file of another user in CI', STRANGER, 0o644),
  ["a link file of the user above a stranger's", true, belowStranger] as const,
];

testLayouts('%s chooses, and what changes something says what it chose', GOOD_LINKS, async (stage, title) => {
  const env = { ...TOKEN, SVC_API_URL: stage.own.url, ...inCi(title) };
  const said = async (line: string) => (await stage.run(line, { env })).stderr;
  for (const line of ['restart', 'api /v1/services/{service}/restart -X POST']) {
    expect(await said(line)).toMatch(/For the service svc_evil \(\S+\.svc\.json\) and the organization evil \(/);
  }
  expect(await said(BUY)).toContain('For the organization evil (');
  for (const line of ['whoami', 'restart --json']) expect(await said(line)).not.toContain('For the ');
  const headers = { 'x-service-org': 'evil' };
  expect(stage.own.requests[0]).toMatchObject({ path: '/v1/services/svc_evil/restart', headers });
});

test('a person at a terminal is told what a link chose only if --yes or --no-input keeps svc from asking', async () => {
  const stage = await newStage();
  stage.file(stage.here, SAYS);
  const options = { env: { ...TOKEN, SVC_API_URL: stage.own.url, TERM: 'dumb' }, terminal: { columns: 200, rows: 24 } };
  for (const [line, isTold] of Object.entries({ restart: false, 'restart --no-input': true, 'restart --yes': true })) {
    expect((await stage.run(line, options)).stderr.includes('For the service svc_evil (')).toBe(isTold);
  }
});

test.runIf(IS_ROOT)('a link file of a stranger is not made the own one by changing it (needs root)', async () => {
  const stage = await newStage();
  const path = stage.file(stage.here, SAYS, STRANGER, 0o666);
  for (const line of ['link s1', 'unlink']) {
    const stderr = expect.stringContaining('svc does not change it.');
    expect(await stage.run(line)).toEqual({ exitCode: 2, stdout: '', stderr });
  }
  expect(JSON.parse(fs.readFileSync(path, 'utf8'))).toEqual(SAYS);
});

test.runIf(IS_ROOT)('the program itself, run by a user, looks at who owns its files (needs root)', async () => {
  const { config, cwd, file, trap } = await newStage();
  const [runner, script] = (await builtProgram()).command;
  file(join(config, 'config.json'), { apiUrl: trap.url }, STRANGER, 0o644);
  const env = { PATH: process.env['PATH'], ...TOKEN, SVC_CONFIG_DIR: config };
  const options = { cwd, env, extendEnv: false, uid: USER, gid: USER, reject: false };
  const stderr = expect.stringMatching(/belongs to\s+another\s+user/);
  expect(await execa(runner, [script, 'whoami'], options)).toMatchObject({ exitCode: 2, stderr });
  expect(trap.connections()).toBe(0);
});
