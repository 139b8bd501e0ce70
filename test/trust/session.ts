import { readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { IN_MEMORY } from '../support/svc.ts';
import { SECRETS, USES } from './uses.ts';

/** A command line of a session that uses every command there is. */
export interface Step {
  readonly argv: readonly string[];
  readonly stdin?: string;
  /** The token is in `SVC_TOKEN`; otherwise it is the stored one, if any. */
  readonly signedIn?: false;
  /** The answer to the order is lost. */
  readonly loses?: true;
  /** Secrets that this step is there to print. */
  readonly prints?: readonly (keyof typeof SECRETS)[];
}

const use = (name: string): Pick<Step, 'argv' | 'stdin'> => {
  const { argv = [], stdin } = USES.find(({ operation }) => operation.name === name) ?? {};
  return stdin === undefined ? { argv } : { argv, stdin };
};
const [buy, database, metrics, action] = ['createOrder', 'getDatabase', 'getMetricsHistory', 'runAction'].map((name) =>
  use(name).argv.join(' '),
);

/** The steps that depend on each other, or that need more than the words of a use. A text is a whole step. */
// biome-ignore format: a table
const OWN_STEPS: ReadonlyArray<string | Step | readonly [line: string, more: Omit<Step, 'argv'>]> = [
  { ...use('startDeviceLogin'), signedIn: false },
  ['login --complete', { signedIn: false }],
  ['whoami', { signedIn: false }],
  { ...use('pollDeviceLogin'), signedIn: false },
  ['login --no-browser --print-token', { signedIn: false, prints: ['issuedToken'] }],
  ['login --with-token --profile work', { stdin: `${SECRETS.token}\n`, signedIn: false }],
  ...['profiles list', 'profiles use work', 'orgs list', 'orgs use acme'].map((line) => [line, { signedIn: false }] as const),
  'whoami', 'status --service s1', { argv: ['complete', '--', 'restart', ''] },
  `${buy} --dry-run`, `${buy}`,
  [`${buy} --label second --no-retry`, { loses: true }],
  'orders', 'buy --resume --yes',
  [`${buy} --label third --idempotency-key third --no-retry`, { loses: true }],
  'orders list', 'orders settle third --not-placed --yes',
  use('getAutopay'),
  use('scanDomain'), 'domains import example.com --output plan.json',
  use('stageDomain'), 'domains import example.com --audit', 'domains status moved.test',
  `${metrics}`, `${metrics} --csv`, `${metrics} --output usage.svg`,
  use('restartService'), ['restart --services - --log run.ndjson', { stdin: 's1\n' }],
  use('getDeployment'),
  `${database}`, 'db connect db_1',
  ...['--reveal', '--env'].map((flag) => [`${database} ${flag}`, { prints: ['password'] }] as const),
  `${action}`, `${action} --wait`, 'wp status job_1 --service s1', 'wp status job_1 --service s1 --wait-timeout 1s',
  'home', 'changes', 'link s1', 'unlink',
  'api /v1/user', 'api /v1/databases/db_1',
  'api -X POST /v1/notes --field text=hello --yes', 'api -X POST /v1/notes --field text=hello --dry-run',
  'config list', 'config set service s1', 'config get service', 'config unset service',
  'config set dashboard https://dashboard.example.com', 'open domains',
  'mcp --print', 'doctor', 'version', 'completion bash', 'help assumptions',
  ...['logout', 'logout --profile work', 'logout --all'].map((line) => [line, { signedIn: false }] as const),
];

const STEPS = OWN_STEPS.map((step): Step => {
  if ('argv' in Object(step)) return step as Step;
  const [line, more] = typeof step === 'string' ? [step, {}] : (step as readonly [string, object]);
  return { argv: line.split(' '), ...more };
});

/** One after the other, in one folder; what a step stores, the next ones find. Begins with the uses that have no step. */
export const SESSION: readonly Step[] = [
  ...USES.filter(({ argv }) => !STEPS.some((step) => `${step.argv.join(' ')} `.startsWith(`${argv.join(' ')} `))),
  ...STEPS,
];

/** Folders of a session, and a PATH on which the client of a database writes down the words that it was started with. */
export interface Place {
  readonly root: string;
  readonly configDir: string;
  readonly cwd: string;
  readonly path: string;
  /** Every file below, by its name, with its content. */
  files(): ReadonlyArray<readonly [name: string, content: string]>;
}

/** A new place that goes with the test. */
export async function newPlace(): Promise<Place> {
  const root = await mkdtemp(join(IN_MEMORY, 'svc-session-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const [configDir, cwd, path] = [join(root, 'config'), join(root, 'work'), join(root, 'bin')];
  for (const folder of [cwd, path]) await mkdir(folder);
  await writeFile(join(path, 'psql'), `#!/bin/sh\nprintf '%s\\n' "$0" "$@" > '${join(root, 'psql-words')}'\n`);
  await chmod(join(path, 'psql'), 0o755);
  const files: Place['files'] = () =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(root, name)).isFile())
      .map((name) => [name, readFileSync(join(root, name), 'utf8')] as const);
  return { root, configDir, cwd, path, files };
}
