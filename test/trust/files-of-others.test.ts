import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { storedSignIn, writeSignIns } from '../support/stored.ts';
import { BUY, give, type Layout, layoutTests, ROOT, STRANGER, type Stage, TOKEN, USER } from './strangers.ts';

const testLayouts = layoutTests();

/** A configuration that leads into the trap. */
const lure = ({ trap }: Stage) => ({ apiUrl: trap.url, org: 'evil', service: 'svc_evil', assume: { 'job.done': 'x' } });
const lureIn = (stage: Stage, uid = USER, mode = 0o600) =>
  stage.file(join(stage.config, 'config.json'), lure(stage), uid, mode);

/* The same configuration, by whose the file or the folder is and what others may do with it. */
type Owned = readonly [title: string, uid: number, mode: number];
const filesOf = (...rows: readonly Owned[]) =>
  rows.map(([title, uid, mode]): Layout => [title, uid !== USER, (stage) => lureIn(stage, uid, mode)]);
const foldersOf = (...rows: readonly Owned[]) =>
  rows.map(([title, uid, mode]): Layout => {
    const build = (stage: Stage) => {
      lureIn(stage);
      give(stage.config, uid, mode);
    };
    return [title, uid !== USER, build];
  });

/** The same by a link, of a user of its own, to a file or a folder. */
type Linked = readonly [title: string, linkUid: number, uid: number, mode: number];
const linkedFiles = (...rows: readonly Linked[]) =>
  rows.map(([title, linkUid, uid, mode]): Layout => {
    const build = (stage: Stage) =>
      stage.link(join(stage.config, 'config.json'), stage.file(join(stage.root, 'x'), lure(stage), uid, mode), linkUid);
    return [title, linkUid !== USER || uid !== USER, build];
  });
const linkedFolders = (...rows: readonly Linked[]) =>
  rows.map(([title, linkUid, uid, mode]): Layout => {
    const build = (stage: Stage) => {
      rmSync(stage.config, { recursive: true });
      const target = join(stage.root, 'elsewhere');
      mkdirSync(target);
      stage.file(join(target, 'config.json'), lure(stage));
      give(target, uid, mode);
      stage.link(stage.config, target, linkUid);
    };
    return [title, linkUid !== USER || uid !== USER, build];
  });

const CONFIGURATIONS: readonly Layout[] = [
  ...filesOf(
    ['a file of a stranger', STRANGER, 0o644],
    ['a private file of a stranger', STRANGER, 0o600],
    ['a file that everybody may change', USER, 0o666],
    ['a file that everybody may write and nobody read', USER, 0o602],
    ["root's file that everybody may change", ROOT, 0o646],
  ),
  ...linkedFiles(
    ["a link to a stranger's file", USER, STRANGER, 0o600],
    ["a stranger's link to a file of the user", STRANGER, USER, 0o600],
    ['a link to a file that everybody may change', USER, USER, 0o666],
  ),
  ...foldersOf(
    ['a folder of a stranger', STRANGER, 0o755],
    ['a private folder of a stranger', STRANGER, 0o700],
    ['a folder of a stranger that everybody may change', STRANGER, 0o777],
    ['a folder that everybody may change', USER, 0o777],
    ['a folder that everybody may write and nobody read', USER, 0o703],
    ['a folder that everybody may change, with the sticky bit', USER, 0o1777],
    ["root's folder that everybody may change, with the sticky bit", ROOT, 0o1777],
  ),
  ...linkedFolders(
    ["a stranger's link to a folder of the user", STRANGER, USER, 0o700],
    ["a link to a stranger's folder", USER, STRANGER, 0o755],
    ['a link to a folder that everybody may change', USER, USER, 0o777],
  ),
];

testLayouts('%s is no configuration: nothing is sent, and nothing of it is kept', CONFIGURATIONS, async (stage) => {
  const path = join(stage.config, 'config.json');
  const before = readFileSync(path, 'utf8');
  const lines: ReadonlyArray<readonly [argv: readonly string[], env: Readonly<Record<string, string>>]> = [
    [['whoami'], TOKEN],
    [['whoami'], { ...TOKEN, SVC_API_URL: stage.own.url }],
    [['whoami', '--json'], {}],
    [BUY, TOKEN],
    [['login', '--with-token'], {}],
    [['login', '--no-wait'], {}],
    ...[['restart', 's1'], ['config'], ['config', 'set', 'service', 's1'], ['doctor']].map(
      (argv) => [argv, TOKEN] as const,
    ),
  ];
  for (const [argv, env] of lines) {
    const run = await stage.run(argv, { env, stdin: 'svc_CANARY_stdin' });
    expect([argv[0], run.exitCode]).toEqual([argv[0], argv[0] === 'doctor' ? 9 : 2]);
    expect(run.stdout + run.stderr).toMatch(
      /The configuration (file|folder) \S+ (belongs to another|can be changed by)/,
    );
    expect(run.stdout + run.stderr).toMatch(/chmod o-w|SVC_CONFIG_DIR to a folder of your own/);
  }
  expect([stage.own.connections(), stage.trap.connections()]).toEqual([0, 0]);
  expect(readFileSync(path, 'utf8')).toBe(before);
});

const GOOD_CONFIGURATIONS: readonly Layout[] = [
  ...filesOf(
    ['a file that all may read', USER, 0o644],
    ['a file that the group may change', USER, 0o664],
    ["root's file", ROOT, 0o644],
  ),
  ...linkedFiles(['a link to a file of the user', USER, USER, 0o600]),
  ...foldersOf(
    ["root's folder", ROOT, 0o755],
    ['a folder that the group may change', USER, 0o770],
    ['a folder that all may read', USER, 0o755],
  ),
];

testLayouts('%s is a configuration', GOOD_CONFIGURATIONS, async (stage) => {
  const run = await stage.run(['restart'], { env: TOKEN });
  expect(run.exitCode, run.stderr).toBe(0);
  const [request] = stage.trap.requests;
  expect([request?.path, request?.headers['x-service-org']]).toEqual(['/v1/services/svc_evil/restart', 'evil']);
});

const signInsIn = (stage: Stage, uid: number, mode: number, folder = stage.config) => {
  writeSignIns(folder, storedSignIn('evil', stage.trap.url), storedSignIn('home', stage.own.url));
  give(join(folder, 'credentials.json'), uid, mode);
};

const CREDENTIALS: readonly Layout[] = [
  ['a file that everybody may change', false, (stage) => signInsIn(stage, USER, 0o666)],
  ['a file that everybody may write and nobody read', false, (stage) => signInsIn(stage, USER, 0o602)],
  ['a file of a stranger', true, (stage) => signInsIn(stage, STRANGER, 0o644)],
  ["root's file", true, (stage) => signInsIn(stage, ROOT, 0o644)],
  [
    'a link to a file that everybody may change',
    false,
    (stage) => {
      const elsewhere = join(stage.root, 'dotfiles');
      signInsIn(stage, USER, 0o666, elsewhere);
      stage.link(join(stage.config, 'credentials.json'), join(elsewhere, 'credentials.json'));
    },
  ],
  [
    "a link in a stranger's folder to a file of the user",
    true,
    (stage) => {
      stage.link(join(stage.config, 'credentials.json'), stage.file(join(stage.root, 'precious'), 'precious'));
      give(stage.config, STRANGER, 0o777);
    },
  ],
];

testLayouts('%s has no sign-ins: nothing is sent, and the file stays as it is', CREDENTIALS, async (stage) => {
  const path = join(stage.config, 'credentials.json');
  const before = readFileSync(path, 'utf8');
  for (const [argv, env] of [
    [['whoami'], TOKEN],
    [['whoami'], {}],
    [['whoami', '--profile', 'home'], {}],
    [['login', '--with-token', '--api-url', stage.own.url], {}],
    [['profiles', 'use', 'home'], {}],
  ] as const) {
    const run = await stage.run(argv, { env, stdin: 'svc_CANARY_stdin' });
    expect([2, 4], `${argv}: ${run.stderr}`).toContain(run.exitCode);
    expect(run.stderr).toContain('svc does not use it.');
  }
  expect([stage.own.connections(), stage.trap.connections()]).toEqual([0, 0]);
  expect(readFileSync(path, 'utf8')).toBe(before);
});
