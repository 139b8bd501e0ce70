import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/server.ts';
import { fakeClock } from '../../support/clock.ts';
import { wordsOf } from '../../support/command-line.ts';
import { type RunOptions, svc } from '../../support/svc.ts';

/** What people type, and the line that they meant. Each is run in the sandbox. */
const LINES: Readonly<Record<string, ReadonlyArray<readonly [typed: string, meant: string]>>> = {
  'wrong next steps of earlier versions': [
    ['config set srevice x', 'config set service x'],
    ['config unset srevice', 'config unset service'],
    ['restart -f', 'restart --yes'],
    ['logout -a', 'logout --all'],
    ['login --browser', 'login'],
    ['buy --plan plan_wp_pro --payment card', 'buy --plan plan_wp_pro --payment credit_card'],
    ['order plan_wp_pro', 'buy --plan plan_wp_pro'],
    ['buy plan_wp_pro plan_db_small', 'buy --item plan=plan_wp_pro --item plan=plan_db_small'],
    ['deployment dep_9m4kx7q2tz', 'deployments inspect dep_9m4kx7q2tz'],
    ['mcp --port 1', 'mcp'],
    ['orgs use baobab', 'orgs use baobab-travel'],
    ['use baobab-travel', 'orgs use baobab-travel'],
    ['switch baobab-travel', 'orgs use baobab-travel'],
    ['import kola-studio.example', 'domains import kola-studio.example'],
    ['restart kola-studio.example', 'domains import kola-studio.example'],
    ['metrics --since yeserday', 'metrics --since yesterday'],
    ['metrics --since 24', 'metrics --since 1d'],
    ['metrics --since 30min', 'metrics --since 30m'],
    ['api /v1/user -d x=1 --dry-run', 'api /v1/user --field x=1 --dry-run'],
    ['metrics cpu', 'metrics --series cpu'],
    [
      'restart svc_wp_7k2m9qx4,svc_app_3n8v5tzd --yes',
      'restart svc_wp_7k2m9qx4 svc_app_3n8v5tzd --yes',
    ],
    ['metrics --last 1h', 'metrics --since 1h'],
    ['metrics --range 7d', 'metrics --since 7d'],
    ['restart --id svc_wp_7k2m9qx4', 'restart svc_wp_7k2m9qx4'],
    ['api GET /v1/user', 'api --method GET /v1/user'],
    ['wp run plugin.install akismet', 'wp run plugin.install --param slug=akismet'],
    ['config service', 'config get service'],
    ['orgs kola-studio', 'orgs use kola-studio'],
    ['profiles remove work', 'logout --profile work'],
    ['db url db_pg_5t9w2kqe', 'db inspect db_pg_5t9w2kqe'],
    ['db inspect db_pg_5t9w2kqe --show-password', 'db inspect db_pg_5t9w2kqe --reveal'],
    ['psql db_pg_5t9w2kqe', 'db connect db_pg_5t9w2kqe'],
    ['backup', 'wp run backup.create'],
    ['dashboard', 'open'],
    ['auth login', 'login'],
    ['help --all', 'help all'],
    ['dep_9m4kx7q2tz', 'deployments inspect dep_9m4kx7q2tz'],
    ['login --token', 'login --with-token'],
  ],
  gh: [
    ['auth status', 'whoami'],
    ['auth switch work', 'profiles use work'],
    ['browse', 'open'],
    ['api -X GET v1/user', 'api /v1/user'],
    ['api /v1/user -F x=1 --dry-run', 'api /v1/user --field x=1 --dry-run'],
    ['org list', 'orgs list'],
    ['completion -s bash', 'completion bash'],
    ['release view dep_9m4kx7q2tz', 'deployments inspect dep_9m4kx7q2tz'],
  ],
  Heroku: [
    ['auth:whoami', 'whoami'],
    ['ps:restart svc_wp_7k2m9qx4', 'restart svc_wp_7k2m9qx4'],
    ['ps:restart -a svc_wp_7k2m9qx4', 'restart --service svc_wp_7k2m9qx4'],
    ['pg:info db_pg_5t9w2kqe', 'db inspect db_pg_5t9w2kqe'],
    ['pg:psql db_pg_5t9w2kqe', 'db connect db_pg_5t9w2kqe'],
    ['pg:credentials:url db_pg_5t9w2kqe', 'db inspect db_pg_5t9w2kqe'],
    ['domains:add kola-studio.example --import', 'domains add kola-studio.example --import'],
    ['addons:create plan_db_small', 'buy --plan plan_db_small'],
    ['teams', 'orgs'],
    ['git:remote -a svc_app_3n8v5tzd', 'link --service svc_app_3n8v5tzd'],
    ['releases:info dep_9m4kx7q2tz', 'deployments inspect dep_9m4kx7q2tz'],
    ['status --app svc_wp_7k2m9qx4', 'status --service svc_wp_7k2m9qx4'],
    ['restart --confirm svc_wp_7k2m9qx4', 'restart --yes svc_wp_7k2m9qx4'],
    ['accounts', 'profiles list'],
  ],
  Fly: [
    ['orgs list -j', 'orgs list --json'],
    ['orgs show', 'orgs'],
    ['apps restart svc_wp_7k2m9qx4', 'restart svc_wp_7k2m9qx4'],
    ['machine restart svc_wp_7k2m9qx4', 'restart svc_wp_7k2m9qx4'],
    ['postgres connect db_pg_5t9w2kqe', 'db connect db_pg_5t9w2kqe'],
    ['doctor --verbose', 'doctor --debug'],
    ['dns list kola-studio.example', 'domains import kola-studio.example'],
  ],
  Vercel: [
    ['teams switch baobab-travel', 'orgs use baobab-travel'],
    ['orgs ls', 'orgs'],
    ['domains inspect kola-studio.example', 'domains import kola-studio.example'],
    ['whoami --scope baobab-travel', 'whoami --org baobab-travel'],
    ['restart -y --project svc_wp_7k2m9qx4', 'restart -y --service svc_wp_7k2m9qx4'],
    ['inspect dep_9m4kx7q2tz', 'deployments inspect dep_9m4kx7q2tz'],
    ['restart --no-wait', 'restart'],
  ],
  doctl: [
    ['auth init', 'login'],
    ['auth list', 'profiles list'],
    ['account get', 'whoami'],
    ['compute domain records list kola-studio.example', 'domains import kola-studio.example'],
    [
      'compute domain create kola-studio.example --import',
      'domains add kola-studio.example --import',
    ],
    ['compute droplet-action reboot svc_wp_7k2m9qx4', 'restart svc_wp_7k2m9qx4'],
    ['databases connection db_pg_5t9w2kqe', 'db inspect db_pg_5t9w2kqe'],
    ['databases get db_pg_5t9w2kqe', 'db inspect db_pg_5t9w2kqe'],
    ['apps get-deployment dep_9m4kx7q2tz', 'deployments inspect dep_9m4kx7q2tz'],
    ['billing-history list', 'billing autopay'],
    ['orgs --format json', 'orgs --json'],
    ['orgs --output json', 'orgs --json'],
    ['orgs -o json', 'orgs --json'],
    ['orgs -o csv', 'orgs --csv'],
    ['orgs --no-headers', 'orgs --no-header'],
    ['whoami --context work', 'whoami --profile work'],
    ['monitoring svc_wp_7k2m9qx4', 'metrics svc_wp_7k2m9qx4'],
  ],
  kubectl: [
    ['rollout restart svc_wp_7k2m9qx4', 'restart svc_wp_7k2m9qx4'],
    ['top pods', 'metrics'],
    ['top svc_wp_7k2m9qx4', 'metrics svc_wp_7k2m9qx4'],
    ['whoami -n baobab-travel', 'whoami --org baobab-travel'],
    ['whoami --namespace baobab-travel', 'whoami --org baobab-travel'],
    ['config get-contexts', 'profiles list'],
    ['config current-context', 'whoami'],
    ['config use-context work', 'profiles use work'],
    ['config view', 'config list'],
    ['whoami -o yaml', 'whoami --json'],
    ['orgs -o wide', 'orgs --json'],
    ['wp status job_4kx9m7q2tz -f', 'wp status job_4kx9m7q2tz --wait'],
    ['deployments inspect dep_9m4kx7q2tz --follow', 'deployments inspect dep_9m4kx7q2tz --wait'],
    ['events', 'changes'],
  ],
  'WP-CLI': [
    ['cache flush', 'wp run cache.flush'],
    ['wp cache flush', 'wp run cache.flush'],
    ['wp run cache flush', 'wp run cache.flush'],
    ['wp plugin install akismet', 'wp run plugin.install --param slug=akismet'],
    ['wp run plugin install akismet', 'wp run plugin.install --param slug=akismet'],
    ['wp db export', 'wp run backup.create'],
    ['wp db cli db_mysql_8h3n6vrc', 'db connect db_mysql_8h3n6vrc'],
    ['wp config db_mysql_8h3n6vrc', 'db inspect db_mysql_8h3n6vrc'],
    ['wp job_4kx9m7q2tz', 'wp status job_4kx9m7q2tz'],
    ['wp run cache.flush --async', 'wp run cache.flush'],
  ],
  aws: [
    ['configure', 'login'],
    ['sts get-caller-identity', 'whoami'],
    ['sso login', 'login'],
    ['ec2 reboot-instances svc_wp_7k2m9qx4', 'restart svc_wp_7k2m9qx4'],
    ['cloudwatch', 'metrics'],
    ['whoami --region eu', 'whoami'],
    ['metrics --start 6h --end now', 'metrics --since 6h --until now'],
    ['orgs list --max-items 5', 'orgs list'],
    ['whoami --profil work', 'whoami --profile work'],
  ],
  Railway: [
    ['connect svc_wp_7k2m9qx4', 'link svc_wp_7k2m9qx4'],
    ['docs', 'help'],
  ],
  Netlify: [
    ['open:admin', 'open'],
    ['link --id svc_wp_7k2m9qx4', 'link svc_wp_7k2m9qx4'],
  ],
  'typing errors': [
    ['metrcs', 'metrics'],
    ['Metrics svc_wp_7k2m9qx4', 'metrics svc_wp_7k2m9qx4'],
    ['restrat svc_wp_7k2m9qx4', 'restart svc_wp_7k2m9qx4'],
    ['statsu', 'status'],
    ['domain add kola-studio.example --import', 'domains add kola-studio.example --import'],
    ['add domain kola-studio.example --import', 'domains add kola-studio.example --import'],
    ['domains imprt kola-studio.example', 'domains import kola-studio.example'],
    ['wpp run cache.flush', 'wp run cache.flush'],
    ['wp rum cache.flush', 'wp run cache.flush'],
    ['wp stauts job_4kx9m7q2tz', 'wp status job_4kx9m7q2tz'],
    ['db inspct db_pg_5t9w2kqe', 'db inspect db_pg_5t9w2kqe'],
    ['deploymnets inspect dep_9m4kx7q2tz', 'deployments inspect dep_9m4kx7q2tz'],
    ['order list', 'orders'],
    ['config gett service', 'config get service'],
    ['orgs lst', 'orgs list'],
    ['metrcs --sine 1h --format json', 'metrics --since 1h --json'],
    ['help domians', 'help domains'],
    ['docter', 'doctor'],
    ['complation bash', 'completion bash'],
    ['metrics --hisotry', 'metrics --history'],
    ['metrics --histroy --sine 1h', 'metrics --history --since 1h'],
    ['metrics --Since 1h', 'metrics --since 1h'],
    ['metrics --service_id svc_wp_7k2m9qx4', 'metrics --service svc_wp_7k2m9qx4'],
    ['orgs --colums id', 'orgs --columns id'],
    ['whoami --JSON', 'whoami --json'],
    ['orgs --noHeader', 'orgs --no-header'],
    ['metrics --hist', 'metrics --history'],
    ['restart --dryrun', 'restart --dry-run'],
    ['buy --plan plan_wp_free --quanttiy 2', 'buy --plan plan_wp_free --quantity 2'],
    [
      'domains import kola-studio.example --format jsn',
      'domains import kola-studio.example --format json',
    ],
    ['config set bell offf', 'config set bell off'],
    ['config set bel off', 'config set bell off'],
    ['wp run cache.flush --parm a=b', 'wp run cache.flush --param a=b'],
  ],
  'two words for one, one for two, and other orders': [
    ['log in', 'login'],
    ['log out', 'logout'],
    ['sign in', 'login'],
    ['sign out', 'logout'],
    ['who am i', 'whoami'],
    ['wprun cache.flush', 'wp run cache.flush'],
    ['run wp cache.flush', 'wp run cache.flush'],
    ['db:inspect db_pg_5t9w2kqe', 'db inspect db_pg_5t9w2kqe'],
    ['inspect db db_pg_5t9w2kqe', 'db inspect db_pg_5t9w2kqe'],
    ['list orgs', 'orgs list'],
    ['set config bell off', 'config set bell off'],
    ['billing-autopay', 'billing autopay'],
    ['autopay', 'billing autopay'],
    ['un link', 'unlink'],
  ],
  'wrong places': [
    ['--history metrics', 'metrics --history'],
    ['--since 1h metrics', 'metrics --since 1h'],
    ['--plan plan_wp_free buy', 'buy --plan plan_wp_free'],
    ['--service svc_wp_7k2m9qx4 restart', 'restart --service svc_wp_7k2m9qx4'],
    ['deployments dep_9m4kx7q2tz', 'deployments inspect dep_9m4kx7q2tz'],
    ['db db_pg_5t9w2kqe', 'db inspect db_pg_5t9w2kqe'],
    ['domains kola-studio.example', 'domains import kola-studio.example'],
    ['buy plan_wp_free', 'buy --plan plan_wp_free'],
    ['domains help', 'help domains'],
    ['svc whoami', 'whoami'],
    ['inspect deployment dep_9m4kx7q2tz', 'deployments inspect dep_9m4kx7q2tz'],
    ['metrics --name=svc_wp_7k2m9qx4', 'metrics svc_wp_7k2m9qx4'],
    ['whoami get', 'whoami'],
    ['doctor status', 'doctor'],
    ['svc_wp_7k2m9qx4', 'metrics svc_wp_7k2m9qx4'],
    ['db_pg_5t9w2kqe', 'db inspect db_pg_5t9w2kqe'],
    ['kola-studio.example', 'domains import kola-studio.example'],
    ['/v1/user', 'api /v1/user'],
  ],
  'dashes and equals signs': [
    ['whoami --json=true', 'whoami --json'],
    ['whoami --json=false', 'whoami'],
    ['metrics -json', 'metrics --json'],
    ['metrics —json', 'metrics --json'],
    ['metrics –since 1h', 'metrics --since 1h'],
    ['metrics -since 1h', 'metrics --since 1h'],
    ['metrics since=1h', 'metrics --since=1h'],
    ['whoami json', 'whoami --json'],
    ['orgs csv', 'orgs --csv'],
    ['metrics --summary=true --since 1h', 'metrics --summary --since 1h'],
    ['api v1/user', 'api /v1/user'],
  ],
  values: [
    ['api /v1/user --jq user.email', 'api /v1/user --jq .user.email'],
    ['metrics --since "2 hours"', 'metrics --since 2h'],
    ['metrics --since 90minutes', 'metrics --since 90m'],
    ['metrics --since todya', 'metrics --since today'],
    ['metrics --since monday', 'metrics --since 2026-11-23'],
    ['metrics --since "2 days ago"', 'metrics --since 2d'],
    ['metrics --since PT6H', 'metrics --since 6h'],
    ['metrics --since 1.5h', 'metrics --since 90m'],
    ['metrics --since -6h', 'metrics --since 6h'],
    ['metrics --since "2026-11-24 10:00"', 'metrics --since 2026-11-24T10:00:00Z'],
    ['metrics --step 5min --history', 'metrics --step 5m --history'],
    ['metrics --timeout 30', 'metrics --timeout 30s'],
    ['wp run cache.flush --wait --wait-timeout 5', 'wp run cache.flush --wait --wait-timeout 5s'],
    ['domains import https://kola-studio.example/shop', 'domains import kola-studio.example'],
    ['domains import www.kola-studio.example', 'domains import kola-studio.example'],
    ['restart svc_wp_7k2m9q --yes', 'restart svc_wp_7k2m9qx4 --yes'],
    ['restart kola-blog --yes', 'restart svc_wp_7k2m9qx4 --yes'],
    ['metrics dep_2v8ht5nwqc', 'deployments inspect dep_2v8ht5nwqc'],
    ['db inspect kola-studio', 'whoami --org kola-studio'],
    ['status --hostname {url}', 'status --api-url {url}'],
    ['whoami --endpoint-url {url}', 'whoami --api-url {url}'],
    ['metrics --until 2026-02-30', 'metrics --until 2026-02-28'],
  ],
};

/** What people type that svc has no line for, and what it says instead. */
const SENTENCES: ReadonlyArray<readonly [typed: string, sentence: string]> = [
  ['deploy', 'svc does not deploy.'],
  ['redeploy', 'svc does not deploy.'],
  ['rollback', 'svc does not deploy.'],
  ['logs', 'svc cannot show logs'],
  ['ssh', 'svc cannot open a shell on a service'],
  ['exec svc_wp_7k2m9qx4', 'svc cannot open a shell on a service'],
  ['env ls', 'svc cannot change environment variables'],
  ['env:list', 'svc cannot change environment variables'],
  ['variables', 'svc cannot change environment variables'],
  ['get pods', 'svc cannot list services yet.'],
  ['describe pod x', 'svc cannot list services yet.'],
  ['apps', 'svc cannot list services yet.'],
  ['sites:list', 'svc cannot list services yet.'],
  ['wp list', 'svc cannot list actions'],
  ['wp plugin list', 'Actions have the names of the platform'],
  ['wp search-replace a b', 'Actions have the names of the platform'],
  ['plans', 'svc cannot list plans'],
  ['domains list', 'svc cannot list domains'],
  ['db list', 'svc cannot list databases'],
  ['deployments list', 'svc cannot list deployments'],
  ['delete svc_wp_7k2m9qx4', 'svc cannot delete a service'],
  ['scale svc_wp_7k2m9qx4', 'svc cannot scale a service'],
  ['certs', 'svc cannot manage certificates'],
  ['members', 'svc cannot manage members'],
  ['upgrade', 'To update, run npm install -g svc-cli'],
  ['init', 'A folder needs no setup.'],
  ['tokens', 'API tokens are made and revoked in the dashboard'],
  ['wait', 'Commands that begin something wait for its end with --wait.'],
  ['whoami --token abc', 'Put the token in SVC_TOKEN'],
  ['whoami --api-key abc', 'Put the token in SVC_TOKEN'],
  ['metrics --query cpu', 'To pick parts of an answer: --jq'],
  ['api /v1/user --query .user', 'To pick parts of an answer: --jq'],
  ['orgs --sort name', 'To pick parts of an answer: --jq'],
  ['mcp --web', 'To open the dashboard: svc open'],
  ['restart all --yes', 'Name each one: the API lists none.'],
  ['metrics --until tomorrow', '"tomorrow" is not a time.'],
  ['metrics --since 24 --service 24', '"24" is not a time.'],
  ['metrics --since 2h30', '"2h30" is not a duration.'],
  ['metrics --fail-if cpuPercent', 'is not a condition.'],
  ['orgs --columns nme', 'The columns are id, slug, name, role, active.'],
  ['metrics --series memry', 'Choose one of cpuPercent'],
  ['whoami --org', '--org needs a value'],
  ['restart --namespace', 'has no option "--namespace"'],
  ['metrics -o', 'Write --org or --output.'],
  ['wp run a x.y --param k=v', 'takes one argument'],
  ['domains import kola-studio', 'Add its ending'],
  ['settle orders', 'Did you mean "svc orders settle"?'],
  ['orders settle', 'needs <key>'],
  ['sandbox tour --list', 'has no option "--list".'],
  ['reset svc_wp_7k2m9qx4', 'There is no command "svc reset".'],
  ['kola-blog', 'There is no command "svc kola-blog".'],
  ['nonsense', 'There is no command "svc nonsense".'],
];

let sandbox: Sandbox;
const clock = fakeClock('2026-11-25T12:00:00Z');
const folder = mkdtempSync(join(tmpdir(), 'svc-mistakes-'));
const configDir = join(folder, 'config');
const tools = join(folder, 'bin');

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 });
  mkdirSync(configDir, { mode: 0o700 });
  mkdirSync(tools);
  for (const client of ['psql', 'mysql', 'redis-cli'])
    writeFileSync(join(tools, client), '#!/bin/sh\n', { mode: 0o755 });

  await see('login --with-token --profile work', { stdin: sandbox.token });
  await see('login --with-token', { stdin: sandbox.token });
  await see('orgs');
  await see('metrics --history');
  await see('deployments inspect dep_9m4kx7q2tz');
  await see('deployments inspect dep_2v8ht5nwqc --service svc_app_3n8v5tzd');
  await see('db inspect db_pg_5t9w2kqe');
});

afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

/** Runs a line on a machine that is signed in. */
function type(line: string, options: RunOptions = {}) {
  const env = {
    PATH: `${tools}:${process.env['PATH']}`,
    SVC_SERVICE: 'svc_wp_7k2m9qx4',
    SVC_DASHBOARD: 'https://dash.example.com',
    SVC_DNS_SERVER: sandbox.listing.dnsServer,
  };
  const { url } = sandbox;
  return svc(wordsOf(line), { url, token: null, configDir, cwd: folder, env, clock, ...options });
}

/** Runs a line whose names the machine then knows. */
async function see(line: string, options: RunOptions = {}): Promise<void> {
  const run = await type(line, options);
  expect(run.exitCode, run.shown).toBe(0);
}

/** Runs a proposed line on a copy of the machine; what spends or moves DNS shows what it would do. */
async function runProposed(line: string) {
  const copy = mkdtempSync(join(folder, 'copy-'));
  cpSync(configDir, copy, { recursive: true });
  const needsPreview = /^(?:buy|domains add)\b/.test(line);
  const needsNoWait = line === 'login' || /^login (?!--with-token)/.test(line);
  const more = [...(needsPreview ? ['--dry-run'] : []), ...(needsNoWait ? ['--no-wait'] : [])];
  return type([line, ...more].join(' '), { configDir: copy, stdin: sandbox.token });
}

function findProposed(stderr: string): readonly string[] {
  if (!stderr.startsWith('{'))
    return [...stderr.matchAll(/^Try: svc (.*)/gm)].map(([, line = '']) => line);
  return (JSON.parse(stderr).next as string[]).map((line) => line.replace(/^svc /, ''));
}

for (const [origin, lines] of Object.entries(LINES)) {
  describe(`of ${origin}`, () => {
    test.each(lines)('svc %s is answered with svc %s, which works', async (typed, meant) => {
      const wrong = await type(typed.replace('{url}', sandbox.url));

      expect(wrong.exitCode, wrong.shown).toBeGreaterThan(1);
      const proposed = findProposed(wrong.stderr);
      expect(proposed, wrong.shown).toEqual([meant.replace('{url}', sandbox.url)]);

      const right = await runProposed(proposed[0] ?? '');
      expect([0, 10], right.shown).toContain(right.exitCode);
    });
  });
}

test.each(SENTENCES)('svc %s has no line of its own, and says why: %s', async (typed, sentence) => {
  const { exitCode, stderr } = await type(typed);

  expect(exitCode).toBeGreaterThan(1);
  expect(
    stderr,
    'does svc have it now? then take its row out of src/cli/read/synonyms.ts, and this case out of SENTENCES',
  ).toContain(sentence);
  for (const line of findProposed(stderr)) expect(line).toMatch(/^(?:open|help )|--help$/);
});

test('an address without its scheme is completed with https', async () => {
  const { stderr } = await type('login --api-url example.com');

  expect(findProposed(stderr)).toEqual(['login --api-url https://example.com']);
});

test('most of two hundred mistakes end in the line that was meant', () => {
  const lines = Object.values(LINES).flat();

  expect(lines.length).toBeGreaterThan(160);
  expect(lines.length + SENTENCES.length).toBeGreaterThan(200);
});
