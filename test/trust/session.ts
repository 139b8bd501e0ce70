import { readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { IN_MEMORY } from '../support/svc.ts';
import { SECRETS, USES, type Use } from './uses.ts';

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

const words = (line: string) => line.split(' ');
const use = (name: string): Pick<Use, 'argv'> & { readonly stdin?: string } => {
  const { argv = [], stdin } = USES.find(({ operation }) => operation.name === name) ?? {};
  return stdin === undefined ? { argv } : { argv, stdin };
};
const buy = use('createOrder');
const database = use('getDatabase');
const metrics = use('getMetricsHistory');

/** The steps that depend on each other, or that need more than the words of a use. */
const OWN_STEPS: readonly Step[] = [
  { ...use('startDeviceLogin'), signedIn: false },
  { argv: words('login --complete'), signedIn: false },
  { argv: words('whoami'), signedIn: false },
  { ...use('pollDeviceLogin'), signedIn: false },
  { argv: words('login --no-browser --print-token'), signedIn: false, prints: ['issuedToken'] },
  { argv: words('login --with-token --profile work'), stdin: `${SECRETS.token}\n`, signedIn: false },
  { argv: words('profiles list'), signedIn: false },
  { argv: words('profiles use work'), signedIn: false },
  { argv: words('orgs list'), signedIn: false },
  { argv: words('orgs use acme'), signedIn: false },
  { argv: words('whoami') },
  { argv: words('status --service s1') },
  { argv: ['complete', '--', 'restart', ''] },
  { argv: [...buy.argv, '--dry-run'] },
  { argv: buy.argv },
  { argv: [...buy.argv, '--label', 'second', '--no-retry'], loses: true },
  { argv: words('orders') },
  { argv: words('buy --resume --yes') },
  { argv: [...buy.argv, '--label', 'third', '--idempotency-key', 'third', '--no-retry'], loses: true },
  { argv: words('orders list') },
  { argv: words('orders settle third --not-placed --yes') },
  use('getAutopay'),
  use('scanDomain'),
  { argv: words('domains import example.com --output plan.json') },
  use('stageDomain'),
  { argv: words('domains import example.com --audit') },
  { argv: words('domains status moved.test') },
  metrics,
  { argv: [...metrics.argv, '--csv'] },
  { argv: [...metrics.argv, '--output', 'usage.svg'] },
  use('restartService'),
  { argv: words('restart --services - --log run.ndjson'), stdin: 's1\n' },
  use('getDeployment'),
  { argv: database.argv },
  { argv: [...database.argv, '--reveal'], prints: ['password'] },
  { argv: [...database.argv, '--env'], prints: ['password'] },
  { argv: words('db connect db_1') },
  use('runAction'),
  { argv: [...use('runAction').argv, '--wait'] },
  { argv: words('wp status job_1 --service s1') },
  { argv: words('wp status job_1 --service s1 --wait-timeout 1s') },
  { argv: words('home') },
  { argv: words('changes') },
  { argv: words('link s1') },
  { argv: words('unlink') },
  { argv: words('api /v1/user') },
  { argv: words('api /v1/databases/db_1') },
  { argv: words('api -X POST /v1/notes --field text=hello --yes') },
  { argv: words('api -X POST /v1/notes --field text=hello --dry-run') },
  { argv: words('config list') },
  { argv: words('config set service s1') },
  { argv: words('config get service') },
  { argv: words('config unset service') },
  { argv: words('config set dashboard https://dashboard.example.com') },
  { argv: words('open domains') },
  { argv: words('mcp --print') },
  { argv: words('doctor') },
  { argv: words('version') },
  { argv: words('completion bash') },
  { argv: words('help assumptions') },
  { argv: words('logout'), signedIn: false },
  { argv: words('logout --profile work'), signedIn: false },
  { argv: words('logout --all'), signedIn: false },
];

/** One after the other, in one folder; what a step stores, the next ones find. Begins with the uses that have no step. */
export const SESSION: readonly Step[] = [
  ...USES.filter(({ argv }) => !OWN_STEPS.some((step) => `${step.argv.join(' ')} `.startsWith(`${argv.join(' ')} `))),
  ...OWN_STEPS,
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
