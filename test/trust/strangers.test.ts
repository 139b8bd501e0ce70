import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { figure } from '../support/figure.ts';
import { bundleProgram } from '../support/program.ts';
import { storedSignIn, writeSignIns } from '../support/stored.ts';
import { type Run, type RunOptions, svc, temporaryFolder } from '../support/svc.ts';
import { send } from '../support/wire-plan.ts';
import { type Service, testService } from './service.ts';
import { IN_MEMORY } from './uses.ts';

const IS_ROOT = process.getuid?.() === 0;
/** Root can give files to others; then neither the user nor the stranger is root. */
const USER = IS_ROOT ? 1_001 : (process.getuid?.() ?? -1);
const STRANGER = 1_002;
const ROOT = 0;

let layouts = 0;
afterAll(() => figure('Files of others', layouts, IS_ROOT ? undefined : 'without root'));

const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** Gives a path to somebody. The mode of a link does not matter. */
function give(path: string, uid: number, mode: number): void {
  if (lstatSync(path).isSymbolicLink()) {
    if (IS_ROOT) lchownSync(path, uid, uid);
    return;
  }
  if (IS_ROOT) chownSync(path, uid, uid);
  chmodSync(path, mode);
}

/** A user with a project and a configuration folder, their service, and one that waits for their token. */
interface Stage {
  readonly root: string;
  /** The configuration folder; the user's own, 0700. */
  readonly config: string;
  /** The current folder, two levels below `root`. */
  readonly cwd: string;
  readonly own: Service;
  readonly trap: Service;
  /** Writes a file and gives it to somebody. */
  file(path: string, content: unknown, uid?: number, mode?: number): string;
  link(path: string, target: string, uid?: number): void;
  /** Runs a command; what it prints is told without its line breaks. */
  run(argv: readonly string[], options?: RunOptions): Promise<Pick<Run, 'exitCode' | 'stdout' | 'stderr' | 'error'>>;
}

async function newStage(): Promise<Stage> {
  const root = mkdtempSync(join(IN_MEMORY, 'svc-strangers-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [config, cwd] = [join(root, 'config'), join(root, 'project', 'src')];
  mkdirSync(config);
  mkdirSync(cwd, { recursive: true });
  for (const [folder, mode] of [
    [root, 0o755],
    [dirname(cwd), 0o755],
    [cwd, 0o755],
    [config, 0o700],
  ] as const)
    give(folder, USER, mode);
  const [own, trap] = [await testService(), await testService()];
  for (const service of [own, trap]) {
    const answer = { user: { email: 'marie@example.com' }, success: true, orderId: 'ord_1' };
    service.expect(({ response }) => send(response, 200, answer));
  }
  return {
    root,
    config,
    cwd,
    own,
    trap,
    file(path, content, uid = USER, mode = 0o600) {
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
      give(path, uid, mode);
      return path;
    },
    link(path, target, uid = USER) {
      symlinkSync(target, path);
      give(path, uid, 0o777);
    },
    async run(argv, options) {
      const run = await svc(argv, { configDir: config, cwd, uid: USER, ...options });
      return {
        exitCode: run.exitCode,
        stdout: flat(run.stdout),
        stderr: flat(run.stderr),
        get error() {
          return run.error;
        },
      };
    },
  };
}

/** The user's token, which no other address may see. */
const TOKEN = { SVC_TOKEN: 'svc_CANARY_env' };
const BUY = ['buy', '--plan', 'plan_1', '--network', 'mtn', '--phone', '+237670000042', '--yes'];

/** A set-up by name; `needsRoot` where files change hands. */
type Layout = readonly [title: string, needsRoot: boolean, make: (stage: Stage) => void];
const possible = (all: readonly Layout[]): Layout[] => all.filter(([, needsRoot]) => IS_ROOT || !needsRoot);

/** A configuration that leads into the trap. */
const lure = ({ trap }: Stage) => ({ apiUrl: trap.url, org: 'evil', service: 'svc_evil', assume: { 'job.done': 'x' } });
const lureIn = (stage: Stage, uid = USER, mode = 0o600) =>
  stage.file(join(stage.config, 'config.json'), lure(stage), uid, mode);

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
  ...(
    [
      ['a folder of a stranger', STRANGER, 0o755],
      ['a private folder of a stranger', STRANGER, 0o700],
      ['a folder of a stranger that everybody may change', STRANGER, 0o777],
      ['a folder that everybody may change', USER, 0o777],
      ['a folder that everybody may write and nobody read', USER, 0o703],
      ['a folder that everybody may change, with the sticky bit', USER, 0o1777],
      ["root's folder that everybody may change, with the sticky bit", ROOT, 0o1777],
    ] as const
  ).map(
    ([title, uid, mode]): Layout => [
      title,
      uid !== USER,
      (stage) => {
        lureIn(stage);
        give(stage.config, uid, mode);
      },
    ],
  ),
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

test.each(possible(CONFIGURATIONS))(
  '%s is no configuration: nothing is sent, and nothing of it is kept',
  async (_title, _needsRoot, make) => {
    const stage = await newStage();
    make(stage);
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
      expect(run.stdout + run.stderr).toMatch(/chmod o-w|SVC_CONFIG_DIR=<a folder of your own>/);
    }
    expect([stage.own.connections(), stage.trap.connections()]).toEqual([0, 0]);
    expect(readFileSync(path, 'utf8')).toBe(before);
    layouts += 1;
  },
);

const GOOD_CONFIGURATIONS: readonly Layout[] = [
  ['a file that all may read', false, (stage) => lureIn(stage, USER, 0o644)],
  ['a file that the group may change', false, (stage) => lureIn(stage, USER, 0o664)],
  ["root's file", true, (stage) => lureIn(stage, ROOT, 0o644)],
  [
    'a link to a file of the user',
    false,
    (stage) => stage.link(join(stage.config, 'config.json'), stage.file(join(stage.root, 'dotfile'), lure(stage))),
  ],
  ...(
    [
      ["root's folder", ROOT, 0o755],
      ['a folder that the group may change', USER, 0o770],
      ['a folder that all may read', USER, 0o755],
    ] as const
  ).map(
    ([title, uid, mode]): Layout => [
      title,
      uid !== USER,
      (stage) => {
        lureIn(stage);
        give(stage.config, uid, mode);
      },
    ],
  ),
];

test.each(possible(GOOD_CONFIGURATIONS))('%s is a configuration', async (_title, _needsRoot, make) => {
  const stage = await newStage();
  make(stage);
  const run = await stage.run(['restart'], { env: TOKEN });
  expect(run.exitCode, run.stderr).toBe(0);
  const [request] = stage.trap.requests;
  expect([request?.path, request?.headers['x-service-org']]).toEqual(['/v1/services/svc_evil/restart', 'evil']);
  layouts += 1;
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

test.each(possible(CREDENTIALS))(
  '%s has no sign-ins: nothing is sent, and the file stays as it is',
  async (_title, _needsRoot, make) => {
    const stage = await newStage();
    make(stage);
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
    layouts += 1;
  },
);

const SAYS = { service: 'svc_evil', org: 'evil' };
const HERE = ({ cwd }: Stage) => join(cwd, '.svc.json');
const ABOVE = ({ cwd }: Stage) => join(dirname(cwd), '.svc.json');

const LINKS: readonly Layout[] = [
  ['a link file of a stranger', true, (stage) => stage.file(HERE(stage), SAYS, STRANGER, 0o644)],
  ['a private link file of a stranger', true, (stage) => stage.file(HERE(stage), SAYS, STRANGER, 0o600)],
  ['a link file of a stranger above', true, (stage) => stage.file(ABOVE(stage), SAYS, STRANGER, 0o644)],
  ['a link file that everybody may change', false, (stage) => stage.file(HERE(stage), SAYS, USER, 0o666)],
  ["root's link file that everybody may change", true, (stage) => stage.file(HERE(stage), SAYS, ROOT, 0o646)],
  ['nonsense of a stranger', true, (stage) => stage.file(HERE(stage), '{"service":', STRANGER, 0o644)],
  [
    'a pipe of a stranger',
    true,
    (stage) => {
      execFileSync('mkfifo', [HERE(stage)]);
      give(HERE(stage), STRANGER, 0o666);
    },
  ],
  [
    "a link to a stranger's file",
    true,
    (stage) => stage.link(HERE(stage), stage.file(join(stage.root, 'x'), SAYS, STRANGER, 0o644)),
  ],
  [
    "a stranger's link to a file of the user",
    true,
    (stage) => stage.link(HERE(stage), stage.file(join(stage.root, 'x'), SAYS), STRANGER),
  ],
  ["a stranger's link that leads nowhere", true, (stage) => stage.link(HERE(stage), '/nowhere', STRANGER)],
];

test.each([
  ...possible(LINKS).map((layout) => [...layout, {}] as const),
  ...possible(LINKS.filter(([title]) => /everybody/.test(title))).map(
    ([title, ...rest]) => [`in CI, ${title}`, ...rest, { CI: '1' }] as const,
  ),
])('%s chooses neither service nor organization, and a warning says so', async (_title, _needsRoot, make, ci) => {
  const stage = await newStage();
  make(stage);
  const env = { ...TOKEN, SVC_API_URL: stage.own.url, ...ci };
  for (const argv of [['restart'], ['wp', 'run', 'cache.flush'], ['metrics']]) {
    const run = await stage.run(argv, { env });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('This command needs a service.');
    expect(run.stderr).toMatch(/Warning: \S+\.svc\.json is ignored: it .* Use --service and --org/);
    const asJson = await stage.run([...argv, '--json'], { env });
    expect(asJson.error['error']).toMatch(/\.svc\.json is ignored: it (belongs to|can be changed by) /);
  }
  expect(stage.own.connections()).toBe(0);
  for (const argv of [['restart', 's1'], BUY]) {
    const run = await stage.run(argv, { env });
    expect(run.exitCode, run.stderr).toBe(0);
    expect(run.stderr).toContain('.svc.json is ignored: it');
  }
  expect(stage.own.requests.map(({ headers }) => headers['x-service-org'])).toEqual([undefined, undefined]);
  expect(stage.own.requests[0]?.path).toBe('/v1/services/s1/restart');
  expect((await stage.run(['doctor'], { env })).stdout).toContain('.svc.json is ignored: it');
  layouts += 1;
});

const GOOD_LINKS: readonly Layout[] = [
  ['a link file of the user', false, (stage) => stage.file(HERE(stage), SAYS)],
  ['a link file of the user above', false, (stage) => stage.file(ABOVE(stage), SAYS)],
  ['a link file that the group may change', false, (stage) => stage.file(HERE(stage), SAYS, USER, 0o664)],
  ["root's link file", true, (stage) => stage.file(HERE(stage), SAYS, ROOT, 0o644)],
  ['a link file of another user in CI', true, (stage) => stage.file(HERE(stage), SAYS, STRANGER, 0o644)],
  [
    "a link file of the user above a stranger's",
    true,
    (stage) => {
      stage.file(ABOVE(stage), SAYS);
      stage.file(HERE(stage), { service: 'svc_other', org: 'other' }, STRANGER, 0o644);
    },
  ],
];

test.each(possible(GOOD_LINKS))(
  '%s chooses, and what changes something says what it chose',
  async (title, _needsRoot, make) => {
    const stage = await newStage();
    make(stage);
    const env = { ...TOKEN, SVC_API_URL: stage.own.url, ...(title.endsWith('in CI') && { CI: 'true' }) };
    const said = async (argv: readonly string[]) => {
      const run = await stage.run(argv, { env });
      return run.stderr.replace(/^Warning: .*? instead\. /, '').replaceAll(/[^\s(]+\/\.svc\.json/g, '<link>');
    };
    const both = 'For the service svc_evil (<link>) and the organization evil (<link>). ';
    expect(await said(['restart'])).toContain(both.trim());
    expect(await said(['wp', 'run', 'cache.flush'])).toContain(both.trim());
    expect(await said(['restart', 's1'])).toBe('For the organization evil (<link>). ');
    expect(await said(BUY)).toContain('For the organization evil (<link>).');
    expect(await said(['whoami'])).toBe('');
    expect(await said(['restart', '--json'])).toBe('');
    expect(stage.own.requests[0]).toMatchObject({
      path: '/v1/services/svc_evil/restart',
      headers: { 'x-service-org': 'evil' },
    });
    layouts += 1;
  },
);

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
    expect(run.stderr).toContain('svc does not change it. Try: rm ');
  }
  expect(readFileSync(path, 'utf8')).toBe(before);
  rmSync(path);
  expect((await stage.run(['link', 's1'])).exitCode).toBe(0);
});

test.runIf(IS_ROOT)('the program itself, run by a user, looks at who owns its files (needs root)', async () => {
  const stage = await newStage();
  const program = await bundleProgram();
  onTestFinished(() => program.remove());
  chmodSync(dirname(program.command[1]), 0o755);
  lureIn(stage, STRANGER, 0o644);
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
