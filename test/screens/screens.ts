import type { RunOptions } from '../support/svc.ts';

/** One command line that is shown on terminals of several widths, always in a fresh sandbox. */
export interface Shot {
  readonly line: string;
  /** Command lines that run before it and are not shown. */
  readonly after?: readonly string[];
  readonly env?: RunOptions['env'] | undefined;
  readonly fault?: string;
  /** Lines typed by a person; the terminal is one that asks line by line. */
  readonly typed?: string;
  /** Uses a stored sign-in instead of `SVC_TOKEN`. */
  readonly stored?: boolean;
  /** Without any sign-in. */
  readonly signedOut?: boolean;
  /** How a device login is decided as soon as svc waits for it. */
  readonly decide?: 'approve' | 'deny';
  /** The text at which Ctrl-C is pressed. */
  readonly until?: string;
  /** Seconds between what ran before and this. */
  readonly later?: number;
}

const PAY = '--phone +237670000042 --network mtn';
const SERVICE = 'svc_wp_7k2m9qx4';
const KOLA = 'kola-studio.example';
const ADD = `domains add ${KOLA} --import --yes`;
const FAILED = 'deployments inspect dep_6r1zb3kfxd --service svc_app_3n8v5tzd';
const LIVE = 'deployments inspect dep_9m4kx7q2tz';

const shot = (line: string, more: Omit<Shot, 'line'> = {}): Shot => ({ line, ...more });

/** The screens of each command, by its path; `errors` has those that any command may show. */
const LINES: Readonly<Record<string, readonly (string | Shot)[]>> = {
  login: [
    shot('login --no-browser', { signedOut: true, decide: 'approve' }),
    shot('login --no-browser', { signedOut: true, decide: 'deny' }),
    shot('login --no-wait --no-browser', { signedOut: true }),
  ],
  logout: [
    shot('logout', { stored: true }),
    shot('logout', { signedOut: true }),
    shot('logout --all', { stored: true }),
  ],
  status: [
    'status',
    shot('status', { after: [LIVE] }),
    shot('status', { env: { SVC_SERVICE: undefined } }),
    shot('status', { fault: 'getAutopay:500' }),
    shot('status', { env: { ACCESSIBLE: '1' } }),
  ],
  whoami: ['whoami', shot('whoami', { stored: true }), 'whoami --org baobab-travel'],
  'profiles list': [shot('profiles', { signedOut: true }), shot('profiles', { stored: true })],
  'profiles use': [
    shot('profiles use work', { stored: true }),
    shot('profiles use nope', { stored: true }),
  ],
  'orgs list': [
    'orgs',
    shot('orgs', { env: { SVC_ORG: undefined } }),
    'orgs --columns slug,role --no-header',
  ],
  'orgs use': [
    shot('orgs use baobab-travel', { stored: true, env: { SVC_ORG: undefined } }),
    shot('orgs use nope', { stored: true, env: { SVC_ORG: undefined } }),
    'orgs use baobab-travel',
  ],
  buy: [
    `buy --plan plan_wp_pro ${PAY} --dry-run`,
    `buy --plan plan_wp_pro ${PAY} --yes`,
    'buy --plan plan_wp_pro --phone +237670000400 --network mtn --yes',
    'buy --plan plan_wp_pro --phone +237670000042 --network decline --yes',
    'buy --plan plan_wp_free --payment credit_card --yes --no-browser',
    'buy --plan plan_wp_pro --payment credit_card --yes',
    'buy --plan nope --yes --payment credit_card',
    shot(`buy --plan plan_wp_pro ${PAY} --yes --no-retry`, { fault: 'createOrder:drop*1' }),
    shot('buy --resume --yes', {
      after: [`buy --plan plan_wp_pro ${PAY} --yes --no-retry`],
      fault: 'createOrder:drop*1',
    }),
    shot(`buy --plan plan_wp_pro ${PAY}`, { typed: 'yes\n' }),
    shot(`buy --plan plan_wp_pro ${PAY}`, { typed: 'n\n' }),
    shot(`buy --plan plan_wp_pro ${PAY} --yes`, {
      after: [`buy --plan plan_wp_pro ${PAY} --yes`],
    }),
    shot(`buy --plan plan_wp_free --yes`, {
      after: [`buy --plan plan_wp_pro ${PAY} --yes --no-retry`],
      fault: 'createOrder:drop*1',
    }),
    shot(`buy --plan plan_wp_free`, {
      after: [`buy --plan plan_wp_pro ${PAY} --yes --no-retry`],
      fault: 'createOrder:drop*1',
      typed: '4\nn\n',
    }),
  ],
  'orders list': [
    'orders',
    shot('orders', { after: [`buy --plan plan_wp_pro --label Kola ${PAY} --yes`] }),
    shot('orders', {
      after: [
        `buy --plan plan_wp_pro --label Kola ${PAY} --yes`,
        `buy --plan plan_wp_pro --label Nimba ${PAY} --yes --no-retry`,
      ],
      fault: 'createOrder:drop*1,skip=1',
    }),
  ],
  changes: [
    'changes',
    shot('changes', {
      after: ['restart svc_wp_7k2m9qx4', 'wp run cache.flush --service svc_wp_7k2m9qx4'],
    }),
  ],
  'billing autopay': ['billing autopay', 'billing autopay --org baobab-travel'],
  'domains import': [
    `domains import ${KOLA}`,
    shot(`domains import ${KOLA}`, { env: { ACCESSIBLE: '1' } }),
    `domains import ${KOLA} --output plan.json`,
    `domains import www.${KOLA}`,
    'domains import nowhere.example',
  ],
  'domains add': [
    `domains add ${KOLA} --import --dry-run`,
    shot(`domains add ${KOLA} --import`, { typed: 'yes\n' }),
    shot(`domains add ${KOLA} --import`, { typed: 'n\n' }),
    'domains add baobab-travel.example --import --skip-invalid --yes',
    ADD,
  ],
  'domains status': [
    shot('domains status baobab-travel.example', {
      after: ['domains add baobab-travel.example --import --skip-invalid --yes'],
    }),
    shot('domains status baobab-travel.example', {
      after: ['domains add baobab-travel.example --import --skip-invalid --yes'],
      later: 60,
    }),
    shot(`domains status ${KOLA} --wait`, { after: [`${ADD} --skip-invalid`] }),
    `domains status ${KOLA}`,
  ],
  metrics: [
    'metrics',
    'metrics --history',
    'metrics --history --series requests,responseTimeMs',
    shot('metrics --history --series requests,errors', { env: { LANG: 'C', LC_ALL: 'C' } }),
    shot('metrics --history --series requests,errors', { env: { ACCESSIBLE: '1' } }),
    'metrics --history --output usage.svg',
    'metrics --fail-if cpu>1',
    'metrics --series foo',
  ],
  restart: ['restart', 'restart --dry-run'],
  'deployments inspect': [LIVE, FAILED, `${LIVE} --service svc_vps_6h1r0wyb`],
  'db inspect': [
    'db inspect db_pg_5t9w2kqe',
    'db inspect db_pg_5t9w2kqe --reveal',
    'db inspect nope',
  ],
  'db connect': ['db connect db_pg_5t9w2kqe'],
  'wp run': [
    'wp run cache.flush',
    'wp run cache.flush --wait',
    'wp run demo.slow --wait',
    'wp run fail --wait',
    'wp run cache.flsh --wait',
    'wp run backup.create --dry-run',
  ],
  link: [`link ${SERVICE}`, shot('link', { env: { SVC_NO_INPUT: '1' } })],
  unlink: ['unlink', shot('unlink', { after: [`link ${SERVICE}`] })],
  api: ['api /v1/user', 'api -X POST /v1/notes --field text=hello --dry-run', 'api /v1/nowhere'],
  'config list': ['config', shot('config', { after: ['config set org kola-studio'] })],
  'config get': ['config get service'],
  'config set': ['config set org baobab-travel', 'config set nope x'],
  'config unset': [shot('config unset org', { after: ['config set org kola-studio'] })],
  open: [
    'open',
    shot('open domains --no-browser', {
      after: ['config set dashboard https://dashboard.example.com'],
    }),
  ],
  doctor: [
    'doctor',
    shot('doctor', { signedOut: true }),
    shot('doctor', { env: { SVC_API_URL: 'http://127.0.0.1:9' } }),
  ],
  completion: ['completion install bash'],
  'sandbox start': [shot('sandbox start --port 0', { until: 'demo.slow' })],
  'sandbox shell': [shot('sandbox shell', { env: { SHELL: '/bin/true' } })],
  help: ['help', 'help restart', 'help buy', 'help environment', 'help faults', '--help'],
  errors: [
    shot('whoami', { signedOut: true }),
    shot('whoami', { env: { SVC_TOKEN: 'svc_wrong' } }),
    shot('whoami', { env: { SVC_API_URL: 'http://127.0.0.1:9' } }),
    shot('whoami', { env: { SVC_API_URL: undefined } }),
    shot('restart', { fault: 'restart:503,retry-after=1' }),
    shot('restart', { fault: 'restart:drop-after' }),
    shot('metrics', { fault: 'metrics:429,retry-after=90' }),
    shot('whoami', { fault: 'whoami:garbage*1' }),
    'restart svc_nope',
    shot('restart', { env: { SVC_SERVICE: undefined, SVC_NO_INPUT: '1' } }),
    shot('whoami', { env: { SVC_ORG: 'nope' } }),
    'restrt',
    'wp',
    'services',
    'restart --dryrun',
  ],
};

export const SCREENS: Readonly<Record<string, readonly Shot[]>> = Object.fromEntries(
  Object.entries(LINES).map(([path, shots]) => [
    path,
    shots.map((one) => (typeof one === 'string' ? shot(one) : one)),
  ]),
);

/** Commands without a screen of their own, and why. */
export const WITHOUT: Readonly<Record<string, string>> = {
  mcp: 'speaks to programs',
  'sandbox exec': 'shows what its command shows',
  'sandbox tour': 'shows what other commands show',
};
