import type { Hint } from '../errors.ts';

const noRequest = (what: string, instead: string): string =>
  `svc cannot ${what}: the API documents no request for it. ${instead}`;

const LIST_SERVICES = {
  say: 'svc cannot list services yet. Copy the id from the dashboard, and link it.',
  run: ['svc link --help'],
};
const LIST = (what: string, run: string) => ({
  say: noRequest(`list ${what}`, 'Their ids are in the dashboard.'),
  run: [run],
});
const LOGS = {
  say: noRequest('show logs', 'They are in the dashboard; svc shows CPU, memory and traffic.'),
  run: ['svc metrics --help'],
};
const DEPLOY = {
  say: 'svc does not deploy. It shows deployments.',
  run: ['svc deployments inspect --help'],
};
const inDashboard = (what: string) => ({ say: noRequest(what, 'The dashboard can.'), run: ['svc open --help'] });
const TOKENS = {
  say: 'API tokens are made and revoked in the dashboard, under Settings > API tokens. svc login makes one for this machine.',
  run: ['svc login --help'],
};
const SUPPORT = { say: "Contact the platform's support through the dashboard.", run: ['svc open --help'] };
const ALIAS = { say: 'Make an alias in your shell, such as: alias s=svc.', run: ['svc help'] };
const WAIT = {
  say: 'Commands that can wait accept --wait.',
  run: ['svc wp run --help', 'svc domains add --help'],
};
const SHELL = {
  say: noRequest('open a shell on a service', 'It runs WordPress actions and connects to databases.'),
  run: ['svc wp run --help', 'svc db connect --help'],
};
const ORDERS = {
  say: noRequest('list orders', 'They are in the dashboard. svc lists those that this machine sent.'),
  run: ['svc orders'],
};
const ACTIONS = {
  say: noRequest('list actions', 'Their names are in the dashboard.'),
  run: ['svc wp run --help'],
};
const UPDATE = {
  say: 'To update, run npm install -g svc-cli, or install.sh again. svc --version says which one you have.',
  run: ['svc help upgrading'],
};
const INIT = {
  say: 'There is nothing to set up in a folder. You can choose a service for it with svc link <service>.',
  run: ['svc link --help'],
};
const SWITCH = {
  say: 'Change the organization with svc orgs use, and the account with svc profiles use.',
  run: ['svc orgs', 'svc profiles'],
};
const ENVIRONMENT = {
  say: noRequest('change environment variables', 'It prints the connection of a database as variables.'),
  run: ['svc db inspect --help'],
};

/** Words that people try first, as other command lines call things, and what helps in svc. */
export const MEANT: ReadonlyArray<readonly [words: string, hint: Hint]> = [
  ['signin sign-in auth authenticate signup register', 'svc login --help'],
  ['signout sign-out logoff', 'svc logout --help'],
  ['me account user', 'svc whoami'],
  ['switch use context', SWITCH],
  ['organization organizations team teams workspace workspaces', 'svc orgs'],
  ['services service apps app sites site projects ls list', LIST_SERVICES],
  ['logs log tail', LOGS],
  ['ps top stats usage monitor', 'svc metrics --help'],
  ['plans plan pricing price products catalog templates', LIST('plans', 'svc buy --help')],
  ['order purchases invoices', ORDERS],
  ['purchase checkout create', 'svc buy --help'],
  ['databases database sql psql mysql redis', 'svc db --help'],
  ['update upgrade self-update', UPDATE],
  ['init new setup', INIT],
  ['deploy push publish up rollback', DEPLOY],
  ['ssh console', SHELL],
  ['env vars secrets', ENVIRONMENT],
  ['reboot', 'svc restart --help'],
  ['restore', inDashboard('restore a backup')],
  ['start', inDashboard('start a service')],
  ['stop', inDashboard('stop a service')],
  ['scale resize', inDashboard('scale a service')],
  ['delete destroy', inDashboard('delete a service')],
  ['cert certs certificate ssl tls', inDashboard('manage certificates')],
  ['member members invite invitations', inDashboard('manage members')],
  ['files file sftp ftp upload', inDashboard('reach files')],
  ['job jobs', 'svc wp status --help'],
  ['events audit history activity', 'svc changes'],
  ['support feedback contact', SUPPORT],
  ['alias aliases', ALIAS],
  ['wait', WAIT],
  ['ping health', 'svc doctor'],
  ['token tokens', TOKENS],
  ['dashboard', 'svc open --help'],
  ['backup backups cache flush plugin wordpress', 'svc wp run --help'],
  ['dns transfer nameservers', 'svc domains --help'],
  ['payments renewals', 'svc billing autopay'],
  ['settings set get', 'svc config'],
  ['request curl', 'svc api --help'],
  ['demo', 'svc sandbox tour'],
  ['docs man manual', 'svc help'],
  ['changelog release-notes news whatsnew', 'svc help changelog'],
  ...['orgs', 'profiles', 'config'].map((group) => [`${group}.ls`, `svc ${group} list`] as const),
  ['orders.ls', ORDERS],
  ['domains.verify', inDashboard('verify a domain')],
  ['wp.ls wp.list', ACTIONS],
  ['domains.ls domains.list', LIST('domains', 'svc domains --help')],
  ['db.ls db.list', LIST('databases', 'svc db --help')],
  ['deployments.ls deployments.list', LIST('deployments', 'svc deployments --help')],
];

/** Options of other command lines, and what helps in svc. */
const MEANT_OPTIONS: ReadonlyArray<readonly [names: string, hint: string]> = [
  [
    '-o --output --format --output-format',
    'For JSON: --json, or --jq <filter>. For a table: --csv, where the help lists it.',
  ],
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

/** Returns what helps a person who typed an option that the command does not have. */
export function meantByOption(name: string): string | undefined {
  return MEANT_OPTIONS.find(([names]) => names.split(' ').includes(name))?.[1];
}

/** Returns what helps a person who typed this word below `svc` or below one of its groups. */
export function meantBy(path: readonly string[], word: string): Hint | undefined {
  const name = [...path, word.toLowerCase()].join('.');
  return MEANT.find(([words]) => words.split(' ').includes(name))?.[1];
}
