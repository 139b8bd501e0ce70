import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { builtProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/svc.ts';
import type { Layout, Stage } from './strangers.ts';
import * as others from './strangers.ts';

const { BUY, flat, give, IS_ROOT, newStage, ROOT, STRANGER, TOKEN, USER } = others;
const testLayouts = others.layoutTests();

const SAYS = { service: 'svc_evil', org: 'evil' };
const HERE = ({ cwd }: Stage) => join(cwd, '.svc.json');
const ABOVE = ({ cwd }: Stage) => join(dirname(cwd), '.svc.json');

/** A link file here or above, by its owner and what others may do with it. */
function fileOf(title: string, path: typeof HERE, uid: number, mode: number, content: unknown = SAYS): Layout {
  return [title, uid !== USER, (stage) => stage.file(path(stage), content, uid, mode)];
}
/** A link in its place, to a file elsewhere. */
function linked(title: string, linkUid: number, uid: number): Layout {
  const target = (stage: Stage) => stage.file(join(stage.root, 'x'), SAYS, uid, 0o644);
  return [title, true, (stage) => stage.link(HERE(stage), target(stage), linkUid)];
}
const pipe = (stage: Stage) => {
  execFileSync('mkfifo', [HERE(stage)]);
  give(HERE(stage), STRANGER, 0o666);
};

const LINKS: readonly Layout[] = [
  fileOf('a link file of a stranger', HERE, STRANGER, 0o644),
  fileOf('a link file of a stranger above', ABOVE, STRANGER, 0o644),
  fileOf('a link file that everybody may change', HERE, USER, 0o666),
  fileOf('a link file that everybody may change, in CI', HERE, USER, 0o666),
  fileOf("root's link file that everybody may change", HERE, ROOT, 0o646),
  fileOf('nonsense of a stranger', HERE, STRANGER, 0o644, '{"service":'),
  ['a pipe of a stranger', true, pipe],
  linked("a link to a stranger's file", USER, STRANGER),
  linked("a stranger's link to a file of the user", STRANGER, USER),
  ["a stranger's link that leads nowhere", true, (stage) => stage.link(HERE(stage), '/nowhere', STRANGER)],
];

testLayouts('%s chooses neither service nor organization, and a warning says so', LINKS, async (stage, title) => {
  const env = { ...TOKEN, SVC_API_URL: stage.own.url, ...(title.endsWith('in CI') && { CI: '1' }) };
  const run = (line: string) => stage.run(line.split(' '), { env });
  for (const line of ['restart', 'wp run cache.flush', 'metrics']) {
    const { exitCode, stdout, stderr } = await run(line);
    expect([exitCode, stdout, stderr]).toEqual([2, '', expect.stringContaining('This command needs a service.')]);
    expect(stderr).toMatch(/Warning: \S+\.svc\.json is ignored: it .* Use --service and --org/);
    const { error } = (await run(`${line} --json`)).errorOf();
    expect(error).toMatch(/\.svc\.json is ignored: it (belongs to|can be changed by) /);
  }
  expect(stage.own.connections()).toBe(0);
  for (const line of ['restart s1', BUY.join(' ')]) {
    const { exitCode, stderr } = await run(line);
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('.svc.json is ignored: it')]);
  }
  const sent = stage.own.requests.map(({ path, headers }) => [path, headers['x-service-org']]);
  expect(sent).toEqual([
    ['/v1/services/s1/restart', undefined],
    ['/v1/checkout', undefined],
  ]);
  expect((await run('doctor')).stdout).toContain('.svc.json is ignored: it');
});

const belowStranger = (stage: Stage) => {
  stage.file(ABOVE(stage), SAYS);
  stage.file(HERE(stage), { service: 'svc_other', org: 'other' }, STRANGER, 0o644);
};

const GOOD_LINKS: readonly Layout[] = [
  fileOf('a link file of the user', HERE, USER, 0o600),
  fileOf('a link file of the user above', ABOVE, USER, 0o600),
  fileOf('a link file that the group may change', HERE, USER, 0o664),
  fileOf("root's link file", HERE, ROOT, 0o644),
  fileOf('a link file of another user in CI', HERE, STRANGER, 0o644),
  ["a link file of the user above a stranger's", true, belowStranger],
];

testLayouts('%s chooses, and what changes something says what it chose', GOOD_LINKS, async (stage, title) => {
  const env = { ...TOKEN, SVC_API_URL: stage.own.url, ...(title.endsWith('in CI') && { CI: 'true' }) };
  const said = async (line: string) => {
    const { stderr } = await stage.run(line.split(' '), { env });
    const own = stderr.replace(/^(?:Warning: .*? instead\.|\{"warning":.*?\}) /, '');
    return own.replaceAll(/[^\s(]+\/\.svc\.json/g, '<link>');
  };
  const both = 'For the service svc_evil (<link>) and the organization evil (<link>).';
  for (const line of ['restart', 'wp run cache.flush', 'api /v1/services/{service}/restart -X POST'])
    expect(await said(line)).toContain(both);
  expect(await said('restart s1')).toBe('For the organization evil (<link>). ');
  expect(await said(BUY.join(' '))).toContain('For the organization evil (<link>).');
  for (const line of ['whoami', 'api /v1/services/{service}', 'restart --json']) expect(await said(line)).toBe('');
  const headers = { 'x-service-org': 'evil' };
  expect(stage.own.requests[0]).toMatchObject({ path: '/v1/services/svc_evil/restart', headers });
});

test('a person at a terminal is told what a link chose only if --yes keeps svc from asking', async () => {
  const stage = await newStage();
  stage.file(HERE(stage), SAYS);
  const options = { env: { ...TOKEN, SVC_API_URL: stage.own.url, TERM: 'dumb' }, terminal: { columns: 200, rows: 24 } };
  const notice = 'For the service svc_evil (';
  expect((await stage.run(['restart'], options)).stderr).not.toContain(notice);
  expect((await stage.run(['restart', '--no-input'], options)).stderr).toContain(notice);
  expect((await stage.run(['restart', '--yes'], options)).stderr).toContain(notice);
  expect(stage.own.requests.length).toBe(3);
});

test.runIf(IS_ROOT)('a link file of a stranger is not made the own one by changing it (needs root)', async () => {
  const stage = await newStage();
  const path = stage.file(HERE(stage), { ...SAYS, team: 1 }, STRANGER, 0o666);
  const before = readFileSync(path, 'utf8');
  for (const argv of [['link', 's1'], ['link', '--org', 'acme'], ['unlink']]) {
    const run = await stage.run(argv);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('svc does not change it. Check what is in it, then remove it. Try: rm ');
  }
  expect(readFileSync(path, 'utf8')).toBe(before);
  rmSync(path);
  expect((await stage.run(['link', 's1'])).exitCode).toBe(0);
});

test.runIf(IS_ROOT)('the program itself, run by a user, looks at who owns its files (needs root)', async () => {
  const stage = await newStage();
  const program = await builtProgram();
  stage.file(join(stage.config, 'config.json'), { apiUrl: stage.trap.url }, STRANGER, 0o644);
  stage.file(ABOVE(stage), SAYS, STRANGER, 0o644);
  const run = (argv: readonly string[], SVC_CONFIG_DIR: string) =>
    execa(program.command[0], [program.command[1], ...argv], {
      cwd: stage.cwd,
      env: { PATH: process.env['PATH'], ...TOKEN, SVC_CONFIG_DIR },
      extendEnv: false,
      uid: USER,
      gid: USER,
      reject: false,
    });
  const refused = await run(['whoami'], stage.config);
  expect([refused.exitCode, stage.trap.connections()]).toEqual([2, 0]);
  expect(flat(refused.stderr)).toContain('belongs to another user');
  const fresh = join(await temporaryFolder(), 'svc');
  chmodSync(dirname(fresh), 0o755);
  const ignored = await run(['restart', 's1', '--api-url', stage.own.url], fresh);
  expect([ignored.exitCode, stage.own.requests[0]?.headers['x-service-org']]).toEqual([0, undefined]);
  expect(flat(ignored.stderr)).toContain('belongs to another user');
});
