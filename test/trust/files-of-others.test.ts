import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { storedSignIn, writeSignIns } from '../support/stored.ts';
import { BUY, give, type Layout, layoutTests, ROOT, STRANGER, type Stage, TOKEN, USER } from './strangers.ts';

const testLayouts = layoutTests();

/** A file or folder by whose it is and what others may do with it; perhaps behind a link of a user of its own. */
type Owned = readonly [title: string, uid: number, mode: number, linkUid?: number];

/** A configuration that leads into the trap, whose file or folder is such a one. */
function layoutOf([title, uid, mode, linkUid]: Owned): Layout {
  const build = (stage: Stage) => {
    const { trap, config } = stage;
    const [own, elsewhere] = [join(config, 'config.json'), join(stage.root, 'elsewhere')];
    const path = title.includes('folder') ? config : own;
    stage.file(own, { apiUrl: trap.url, org: 'evil', service: 'svc_evil', assume: { 'job.done': 'x' } });
    if (linkUid === undefined) return give(path, uid, mode);
    renameSync(path, elsewhere);
    give(elsewhere, uid, mode);
    stage.link(path, elsewhere, linkUid);
  };
  return [title, uid !== USER || (linkUid ?? USER) !== USER, build];
}

// biome-ignore format: a table
const CONFIGURATIONS = ([
  ['a file of a stranger', STRANGER, 0o644],
  ['a private file of a stranger', STRANGER, 0o600],
  ['a file that everybody may change', USER, 0o666],
  ['a file that everybody may write and nobody read', USER, 0o602],
  ["root's file that everybody may change", ROOT, 0o646],
  ["a link to a stranger's file", STRANGER, 0o600, USER],
  ["a stranger's link to a file of the user", USER, 0o600, STRANGER],
  ['a link to a file that everybody may change', USER, 0o666, USER],
  ['a folder of a stranger', STRANGER, 0o755],
  ['a private folder of a stranger', STRANGER, 0o700],
  ['a folder that everybody may change', USER, 0o777],
  ['a folder that everybody may write and nobody read', USER, 0o703],
  ["root's folder that everybody may change, with the sticky bit", ROOT, 0o1777],
  ["a stranger's link to a folder of the user", USER, 0o700, STRANGER],
  ["a link to a stranger's folder", STRANGER, 0o755, USER],
  ['a link to a folder that everybody may change', USER, 0o777, USER],
] as const).map(layoutOf);

testLayouts('%s is no configuration: nothing is sent, and nothing of it is kept', CONFIGURATIONS, async (stage) => {
  const path = join(stage.config, 'config.json');
  const before = readFileSync(path, 'utf8');
  const signedIn = ['whoami', BUY.join(' '), 'restart s1', 'config', 'config set service s1', 'doctor'];
  const lines: ReadonlyArray<readonly [line: string, env: Readonly<Record<string, string>>]> = [
    ...signedIn.map((line) => [line, TOKEN] as const),
    ['whoami', { ...TOKEN, SVC_API_URL: stage.own.url }],
    ...['whoami --json', 'login --with-token', 'login --no-wait'].map((line) => [line, {}] as const),
  ];
  for (const [line, env] of lines) {
    const run = await stage.run(line.split(' '), { env, stdin: 'svc_CANARY_stdin' });
    const said = run.stdout + run.stderr;
    expect([line, run.exitCode]).toEqual([line, line === 'doctor' ? 9 : 2]);
    expect(said).toMatch(/The configuration (file|folder) \S+ (belongs to another|can be changed by)/);
    expect(said).toMatch(/chmod o-w|SVC_CONFIG_DIR to a folder of your own/);
  }
  expect([stage.own.connections(), stage.trap.connections()]).toEqual([0, 0]);
  expect(readFileSync(path, 'utf8')).toBe(before);
});

// biome-ignore format: a table
const GOOD_CONFIGURATIONS = ([
  ['a file that all may read', USER, 0o644],
  ['a file that the group may change', USER, 0o664],
  ["root's file", ROOT, 0o644],
  ['a link to a file of the user', USER, 0o600, USER],
  ["root's folder", ROOT, 0o755],
  ['a folder that the group may change', USER, 0o770],
] as const).map(layoutOf);

testLayouts('%s is a configuration', GOOD_CONFIGURATIONS, async (stage) => {
  const run = await stage.run(['restart'], { env: TOKEN });
  expect(run.exitCode, run.stderr).toBe(0);
  const [request] = stage.trap.requests;
  expect([request?.path, request?.headers['x-service-org']]).toEqual(['/v1/services/svc_evil/restart', 'evil']);
});

function signInsOf(title: string, uid: number, mode: number): Layout {
  const build = (stage: Stage) => {
    const isLinked = title.startsWith('a link');
    const folder = isLinked ? join(stage.root, 'dotfiles') : stage.config;
    writeSignIns(folder, storedSignIn('evil', stage.trap.url), storedSignIn('home', stage.own.url));
    give(join(folder, 'credentials.json'), uid, mode);
    if (isLinked) stage.link(join(stage.config, 'credentials.json'), join(folder, 'credentials.json'));
  };
  return [title, uid !== USER, build];
}
const inFolderOfStranger = (stage: Stage) => {
  stage.link(join(stage.config, 'credentials.json'), stage.file(join(stage.root, 'precious'), 'precious'));
  give(stage.config, STRANGER, 0o777);
};

const CREDENTIALS: readonly Layout[] = [
  signInsOf('a file that everybody may change', USER, 0o666),
  signInsOf('a file that everybody may write and nobody read', USER, 0o602),
  signInsOf('a file of a stranger', STRANGER, 0o644),
  signInsOf("root's file", ROOT, 0o644),
  signInsOf('a link to a file that everybody may change', USER, 0o666),
  ["a link in a stranger's folder to a file of the user", true, inFolderOfStranger],
];

testLayouts('%s has no sign-ins: nothing is sent, and the file stays as it is', CREDENTIALS, async (stage) => {
  const path = join(stage.config, 'credentials.json');
  const before = readFileSync(path, 'utf8');
  const lines = [
    'whoami',
    'whoami --profile home',
    `login --with-token --api-url ${stage.own.url}`,
    'profiles use home',
  ];
  for (const [index, line] of ['whoami', ...lines].entries()) {
    const env = index === 0 ? TOKEN : {};
    const run = await stage.run(line.split(' '), { env, stdin: 'svc_CANARY_stdin' });
    expect([2, 4], `${line}: ${run.stderr}`).toContain(run.exitCode);
    expect(run.stderr).toContain('svc does not use it.');
  }
  expect([stage.own.connections(), stage.trap.connections()]).toEqual([0, 0]);
  expect(readFileSync(path, 'utf8')).toBe(before);
});
