import type { Hint } from '../../errors.ts';

const no = (what: string, instead = 'The dashboard can.') =>
  `svc cannot ${what}: the API documents no request for it. ${instead}`;
const noList = (what: string) => no(`list ${what}`, 'Their ids are in the dashboard.');

const SERVICES = 'svc cannot list services yet. Copy the id from the dashboard, and link it.';
const LOGS = no('show logs', 'They are in the dashboard; svc shows CPU, memory and traffic.');
const DEPLOY = 'svc does not deploy. It shows deployments.';
const TOKENS =
  'API tokens are made and revoked in the dashboard: Settings > API tokens. svc login makes one for this machine.';
const SHELL = no(
  'open a shell on a service',
  'It runs WordPress actions and connects to databases.',
);
const ORDERS = no(
  'list orders',
  'They are in the dashboard. svc lists those that this machine sent.',
);
const UPDATE = 'To update, run npm install -g svc-cli, or install.sh again.';
const INIT = 'A folder needs no setup. You can choose a service for it with svc link <service>.';
const SWITCH = 'Change the organization with svc orgs use, and the account with svc profiles use.';
const ENVIRONMENT = no(
  'change environment variables',
  'It prints the connection of a database as variables.',
);

const DASHBOARD_ONLY = [
  ['restore', 'restore a backup'],
  ['start', 'start a service'],
  ['stop', 'stop a service'],
  ['scale resize', 'scale a service'],
  ['delete destroy', 'delete a service'],
  ['cert certs certificate ssl tls', 'manage certificates'],
  ['member members invite invitations', 'manage members'],
  ['files file sftp ftp upload', 'reach files'],
  ['domains.verify', 'verify a domain'],
] as const;

/** Words of other command lines; what helps in svc, and what is said before. */
export const MEANT: ReadonlyArray<readonly [words: string, lines: string, say?: string]> = [
  ['signin sign-in auth authenticate signup register', 'svc login --help'],
  ['signout sign-out logoff auth.logout', 'svc logout --help'],
  ['me account user auth.whoami auth.status', 'svc whoami'],
  ['switch use context', 'svc orgs, svc profiles', SWITCH],
  ['organization organizations team teams workspace workspaces', 'svc orgs'],
  ['services service apps app sites site projects ls list ps compute', 'svc link --help', SERVICES],
  ['logs log tail apps.logs', 'svc metrics --help', LOGS],
  ['top stats usage monitor monitoring', 'svc metrics --help'],
  ['plans plan pricing price products catalog templates', 'svc buy --help', noList('plans')],
  ['order purchases invoices orders.ls', 'svc orders', ORDERS],
  ['purchase checkout create addons', 'svc buy --help'],
  ['databases database sql psql mysql redis pg', 'svc db --help'],
  ['update upgrade self-update', 'svc help upgrading', UPDATE],
  ['init new setup', 'svc link --help', INIT],
  ['deploy push publish up rollback', 'svc deployments inspect --help', DEPLOY],
  ['ssh console compute.ssh', 'svc wp run --help, svc db connect --help', SHELL],
  ['env vars secrets', 'svc db inspect --help', ENVIRONMENT],
  ['reboot compute.droplet-action ps.restart', 'svc restart --help'],
  ...DASHBOARD_ONLY.map(([words, what]) => [words, 'svc open --help', no(what)] as const),
  ['job jobs', 'svc wp status --help'],
  ['wait', 'svc wp status --help', 'Commands that begin something wait for its end with --wait.'],
  ['skill skills agent agents', 'svc help agents'],
  ['events audit history activity', 'svc changes'],
  ['token tokens', 'svc login --help', TOKENS],
  ['dashboard', 'svc open --help'],
  ['backup backups cache flush plugin wordpress', 'svc wp run --help'],
  ['dns transfer nameservers compute.domain', 'svc domains --help'],
  ['payments renewals billing-history', 'svc billing autopay'],
  ['settings set get', 'svc config'],
  ['request curl', 'svc api --help'],
  ['demo', 'svc sandbox tour'],
  ['docs man manual', 'svc help'],
  ['changelog release-notes news whatsnew', 'svc help changelog'],
  ['auth.switch', 'svc profiles use'],
  ['auth.list', 'svc profiles list'],
  ['git', 'svc link --help'],
  ['releases release builds apps.get-deployment', 'svc deployments inspect --help'],
  ['pg.info pg.credentials databases.connection wp.config', 'svc db inspect --help'],
  ['pg.psql wp.db.cli wp.db.query', 'svc db connect --help'],
  ['compute.domain.records', 'svc domains import --help'],
  ['compute.domain.create', 'svc domains add --help'],
  [
    'wp.cache wp.plugin wp.theme wp.core wp.db wp.@all wp.search-replace wp.eval wp.shell',
    'svc wp run --help',
  ],
  ['orgs.ls', 'svc orgs list'],
  ['profiles.ls', 'svc profiles list'],
  ['config.ls', 'svc config list'],
  ['wp.ls wp.list', 'svc wp run --help', no('list actions', 'Their names are in the dashboard.')],
  ['domains.ls domains.list', 'svc domains --help', noList('domains')],
  ['db.ls db.list', 'svc db --help', noList('databases')],
  ['deployments.ls deployments.list', 'svc deployments --help', noList('deployments')],
];

const OTHER_NAMES: Readonly<Record<string, string>> = {
  ...{
    database: 'db',
    databases: 'db',
    deployment: 'deployments',
    domain: 'domains',
    wordpress: 'wp',
  },
  ...{
    org: 'orgs',
    organization: 'orgs',
    organizations: 'orgs',
    profile: 'profiles',
    order: 'orders',
  },
};

/** Values that are typed right behind a command, and what svc wants before them. */
const LEFT_OUT: ReadonlyArray<readonly [path: string, value: RegExp, before: string]> = [
  ['wp', /\./, 'run'],
  ['wp', /_/, 'status'],
  ['deployments', /_/, 'inspect'],
  ['db', /_/, 'inspect'],
  ['domains', /\./, 'status'],
  ['buy', /\./, '--domain'],
  ['buy', /_/, '--plan'],
];

/** They ask for a form of output elsewhere. */
export const FORMAT_OPTIONS: readonly string[] = ['-o', '--output', '--format', '--output-format'];

/** The words behind `-o` that are no organization and no file. */
export const FORMATS: readonly string[] = [
  'json',
  'yaml',
  'csv',
  'table',
  'wide',
  'text',
  'jsonpath',
];

const MEANT_OPTIONS: ReadonlyArray<readonly [names: string, hint: string]> = [
  ['--wait', 'Only commands with work in the background can wait: svc wp run and svc domains add.'],
  ['-w --watch --follow -f', 'To watch a service: svc metrics --watch'],
  ['--limit --sort --filter --query', 'To pick parts of an answer: --jq <filter>'],
  ['--force', 'To confirm without a question: --yes'],
  ['-v --verbose', 'To see the requests: --debug'],
  ['--token --api-key', 'Put the token in SVC_TOKEN, or sign in with svc login.'],
  ['--app --site --project -a -s', 'To choose a service: --service <id>'],
  ['--team --workspace', 'To choose an organization: --org <slug>'],
  ['--web', 'To open the dashboard: svc open'],
];

/** Helps who typed an option that the command does not have. */
export function meantByOption(name: string): string | undefined {
  return MEANT_OPTIONS.find(([names]) => names.split(' ').includes(name))?.[1];
}

/** The words behind may name more: `compute domain records`, `pg:psql`. */
export function meantBy(
  path: readonly string[],
  word: string,
  after: readonly string[] = [],
): Hint | undefined {
  const typed = [...path, ...word.toLowerCase().split(':'), ...after];
  const lengths = [3, 2, 1].map((more) => path.length + more);
  const names = lengths.map((length) => typed.slice(0, length).join('.'));
  const found = names.map((name) => MEANT.find(([words]) => words.split(' ').includes(name)));
  const [, lines, say] = found.find((row) => row !== undefined) ?? [];
  if (lines === undefined) return undefined;
  return say === undefined ? lines : { say, run: lines.split(', ') };
}

/** The group that is called so elsewhere. */
export function otherName(path: readonly string[], word: string): string | undefined {
  return path.length === 0 && Object.hasOwn(OTHER_NAMES, word) ? OTHER_NAMES[word] : undefined;
}

/** What was left out in front of a value. */
export function leftOutBefore(path: readonly string[], value: string): string | undefined {
  return LEFT_OUT.find(
    ([command, values]) => command === path.join(' ') && values.test(value),
  )?.[2];
}
