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

/** The same configuration in a folder of this owner and with these rights. */
const foldersOf = (rows: ReadonlyArray<readonly [title: string, uid: number, mode: number]>) =>
  rows.map(([title, uid, mode]): Layout => {
    const build = (stage: Stage) => {
      lureIn(stage);
      give(stage.config, uid, mode);
    };
    return [title, uid !== USER, build];
  });

const CONFIGURATIONS: readonly Layout[] = [
  ['a file of a stranger', true, (stage) => lureIn(stage, STRANGER, 0o644)],
  ['a private file of a stranger', true, (stage) => lureIn(stage, STRANGER, 0o600)],
  ['a file that everybody may change', false, (stage) => lureIn(stage, USER, 0o666)],
  ['a file that everybody may write and nobody read', false, (stage) => lureIn(stage, USER, 0o602)],
  ["root's file that everybody may change", true, (stage) => lureIn(stage, ROOT, 0o646)],
  [
    "a link to a stranger's file",
    true,
    (stage) => stage.link(join(stage.config, 'config.json'), stage.file(join(stage.root, 'x'), lure(stage), STRANGER)),
  ],
  [
    "a stranger's link to a file of the user",
    true,
    (stage) => stage.link(join(stage.config, 'config.json'), stage.file(join(stage.root, 'x'), lure(stage)), STRANGER),
  ],
  [
    'a link to a file that everybody may change',
    false,
    (stage) =>
      stage.link(join(stage.config, 'config.json'), stage.file(join(stage.root, 'x'), lure(stage), USER, 0o666)),
  ],
  ...foldersOf([
    ['a folder of a stranger', STRANGER, 0o755],
    ['a private folder of a stranger', STRANGER, 0o700],
    ['a folder of a stranger that everybody may change', STRANGER, 0o777],
    ['a folder that everybody may change', USER, 0o777],
    ['a folder that everybody may write and nobody read', USER, 0o703],
    ['a folder that everybody may change, with the sticky bit', USER, 0o1777],
    ["root's folder that everybody may change, with the sticky bit", ROOT, 0o1777],
  ]),
  ...(
    [
      ["a stranger's link to a folder of the user", STRANGER, USER, 0o700],
      ["a link to a stranger's folder", USER, STRANGER, 0o755],
      ['a link to a folder that everybody may change', USER, USER, 0o777],
    ] as const
  ).map(
    ([title, linkUid, uid, mode]): Layout => [
      title,
      linkUid !== USER || uid !== USER,
      (stage) => {
        rmSync(stage.config, { recursive: true });
        const target = join(stage.root, 'elsewhere');
        mkdirSync(target);
        stage.file(join(target, 'config.json'), lure(stage));
        give(target, uid, mode);
        stage.link(stage.config, target, linkUid);
      },
    ],
  ),
];

testLayouts('%s is no configuration: nothing is sent, and nothing of it is kept', CONFIGURATIONS, async (stage) => {
  const path = join(stage.config, 'config.json');
  const before = readFileSync(path, 'utf8');
  for (const [argv, env] of [
    [['whoami'], TOKEN],
    [['whoami'], { ...TOKEN, SVC_API_URL: stage.own.url }],
    [['whoami', '--json'], {}],
    [['restart', 's1'], TOKEN],
    [BUY, TOKEN],
    [['login', '--with-token'], {}],
    [['login', '--no-wait'], {}],
    [['config'], TOKEN],
    [['config', 'set', 'service', 's1'], TOKEN],
    [['doctor'], TOKEN],
  ] as const) {
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
  ['a file that all may read', false, (stage) => lureIn(stage, USER, 0o644)],
  ['a file that the group may change', false, (stage) => lureIn(stage, USER, 0o664)],
  ["root's file", true, (stage) => lureIn(stage, ROOT, 0o644)],
  [
    'a link to a file of the user',
    false,
    (stage) => stage.link(join(stage.config, 'config.json'), stage.file(join(stage.root, 'dotfile'), lure(stage))),
  ],
  ...foldersOf([
    ["root's folder", ROOT, 0o755],
    ['a folder that the group may change', USER, 0o770],
    ['a folder that all may read', USER, 0o755],
  ]),
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
