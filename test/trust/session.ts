import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { IN_MEMORY } from '../support/svc.ts';
import { SECRETS, USES } from './uses.ts';

/** A command line of a session that uses every command there is. */
export interface Step {
  readonly argv: readonly string[];
  readonly stdin?: string | undefined;
  /** The token is in `SVC_TOKEN`; otherwise it is the stored one, if any. */
  readonly signedIn?: false;
  /** The answer to the order is lost. */
  readonly loses?: true;
  /** Secrets that this step is there to print. */
  readonly prints?: readonly (keyof typeof SECRETS)[];
}
type More = Omit<Step, 'argv'>;

const lines = (texts: readonly string[], more: More = {}): Step[] =>
  texts.map((line) => ({ argv: line.split(' '), ...more }));

/** The command line of a use, on which others are built. */
const lineOf = (name: string) =>
  USES.find(({ operation }) => operation.name === name)?.argv.join(' ') ?? '';
const [buy, database, metrics, action] = [
  'createOrder',
  'getDatabase',
  'getMetricsHistory',
  'runAction',
].map(lineOf);
const { stdin: records } = USES.find(({ operation }) => operation.name === 'stageDomain') ?? {};
const signedOut: More = { signedIn: false };

/** One after the other, in one folder; what a step stores, the next ones find. */
export const SESSION: readonly Step[] = [
  ...lines(['login --no-wait', 'login --complete', 'whoami', 'login --no-browser'], signedOut),
  ...lines(['login --no-browser --print-token'], { ...signedOut, prints: ['issuedToken'] }),
  ...lines(['login --with-token --profile work'], { ...signedOut, stdin: `${SECRETS.token}\n` }),
  ...lines(['profiles list', 'profiles use work', 'orgs list', 'orgs use acme'], signedOut),
  ...lines(['whoami', 'status --service s1', 'complete -- restart ', `${buy} --dry-run`, `${buy}`]),
  ...lines([`${buy} --label second --no-retry`], { loses: true }),
  ...lines(['orders', 'buy --resume --yes']),
  ...lines([`${buy} --label third --idempotency-key third --no-retry`], { loses: true }),
  ...lines([
    'orders list',
    'orders settle third --not-placed --yes',
    'billing autopay',
    'domains import example.com',
  ]),
  ...lines([
    'domains import example.com --output plan.json',
    'domains import example.com --audit',
    'domains status moved.test',
  ]),
  ...lines([lineOf('stageDomain')], { stdin: records }),
  ...lines([`${metrics}`, `${metrics} --csv`, `${metrics} --output usage.svg`]),
  ...lines(['restart s1', lineOf('getDeployment'), `${database}`, 'db connect db_1']),
  ...lines(['restart --services - --log run.ndjson'], { stdin: 's1\n' }),
  ...lines([`${database} --reveal`, `${database} --env`], { prints: ['password'] }),
  ...lines([
    `${action}`,
    `${action} --wait`,
    'wp status job_1 --service s1',
    'wp status job_1 --service s1 --wait-timeout 1s',
  ]),
  ...lines(['home', 'changes', 'link s1', 'unlink', 'api /v1/user', 'api /v1/databases/db_1']),
  ...lines(
    ['--yes', '--dry-run'].map((flag) => `api -X POST /v1/notes --field text=hello ${flag}`),
  ),
  ...lines(['config list', 'config set service s1', 'config get service', 'config unset service']),
  ...lines([
    'config set dashboard https://dashboard.example.com',
    'open domains',
    'mcp --print',
    'doctor',
    'version',
  ]),
  ...lines(['completion bash', 'help assumptions']),
  ...lines(['logout', 'logout --profile work', 'logout --all'], signedOut),
];

/**
 * New folders of a session, and a PATH on which the client of a database writes down the words that
 * it was started with.
 */
export async function newPlace() {
  const root = await mkdtemp(join(IN_MEMORY, 'svc-session-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const [configDir, cwd, path] = [join(root, 'config'), join(root, 'work'), join(root, 'bin')];
  for (const folder of [cwd, path]) await mkdir(folder);
  const client = `#!/bin/sh\nprintf '%s\\n' "$0" "$@" > '${join(root, 'psql-words')}'\n`;
  await writeFile(join(path, 'psql'), client, { mode: 0o755 });
  /** Every file below, by its name, with its content. */
  const files = () =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(root, name)).isFile())
      .map((name) => [name, readFileSync(join(root, name), 'utf8')] as const);
  return { root, configDir, cwd, path, files };
}
