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
export const SCREENS: Readonly<Record<string, readonly Shot[]>> = {
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
    shot('status'),
    shot('status', { after: [LIVE] }),
    shot('status', { env: { SVC_SERVICE: undefined } }),
    shot('status', { fault: 'getAutopay:500' }),
    shot('status', { env: { ACCESSIBLE: '1' } }),
  ],
  whoami: [shot('whoami'), shot('whoami', { stored: true }), shot('whoami --org baobab-travel')],
  'profiles list': [shot('profiles', { signedOut: true }), shot('profiles', { stored: true })],
  'profiles use': [shot('profiles use work', { stored: true }), shot('profiles use nope', { stored: true })],
  'orgs list': [
    shot('orgs'),
    shot('orgs', { env: { SVC_ORG: undefined } }),
    shot('orgs --columns slug,role --no-header'),
  ],
  'orgs use': [
    shot('orgs use baobab-travel', { stored: true, env: { SVC_ORG: undefined } }),
    shot('orgs use nope', { stored: true, env: { SVC_ORG: undefined } }),
    shot('orgs use baobab-travel'),
  ],
  buy: [
    shot(`buy --plan plan_wp_pro ${PAY} --dry-run`),
    shot(`buy --plan plan_wp_pro ${PAY} --yes`),
    shot('buy --plan plan_wp_pro --phone +237670000400 --network mtn --yes'),
    shot('buy --plan plan_wp_pro --phone +237670000042 --network decline --yes'),
    shot('buy --plan plan_wp_free --payment credit_card --yes --no-browser'),
    shot('buy --plan plan_wp_pro --payment credit_card --yes'),
    shot('buy --plan nope --yes --payment credit_card'),
    shot(`buy --plan plan_wp_pro ${PAY} --yes --no-retry`, { fault: 'createOrder:drop*1' }),
    shot('buy --resume --yes', {
      after: [`buy --plan plan_wp_pro ${PAY} --yes --no-retry`],
      fault: 'createOrder:drop*1',
    }),
    shot(`buy --plan plan_wp_pro ${PAY}`, { typed: 'yes\n' }),
    shot(`buy --plan plan_wp_pro ${PAY}`, { typed: 'n\n' }),
  ],
  'orders list': [
    shot('orders'),
    shot('orders', { after: [`buy --plan plan_wp_pro --label Kola ${PAY} --yes`] }),
    shot('orders', {
      after: [
        `buy --plan plan_wp_pro --label Nimba ${PAY} --yes --no-retry`,
        `buy --plan plan_wp_pro --label Kola ${PAY} --yes`,
      ],
      fault: 'createOrder:drop*1',
    }),
  ],
  changes: [
    shot('changes'),
    shot('changes', { after: ['restart svc_wp_7k2m9qx4', 'wp run cache.flush --service svc_wp_7k2m9qx4'] }),
  ],
  'billing autopay': [shot('billing autopay'), shot('billing autopay --org baobab-travel')],
  'domains import': [
    shot(`domains import ${KOLA}`),
    shot(`domains import ${KOLA}`, { env: { ACCESSIBLE: '1' } }),
    shot(`domains import ${KOLA} --output plan.json`),
    shot(`domains import www.${KOLA}`),
    shot('domains import nowhere.example'),
  ],
  'domains add': [
    shot(`domains add ${KOLA} --import --dry-run`),
    shot(`domains add ${KOLA} --import`, { typed: 'yes\n' }),
    shot(`domains add ${KOLA} --import`, { typed: 'n\n' }),
    shot('domains add baobab-travel.example --import --skip-invalid --yes'),
    shot(ADD),
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
    shot(`domains status ${KOLA}`),
  ],
  metrics: [
    shot('metrics'),
    shot('metrics --history'),
    shot('metrics --history --series requests,responseTimeMs'),
    shot('metrics --history --series requests,errors', { env: { LANG: 'C', LC_ALL: 'C' } }),
    shot('metrics --history --series requests,errors', { env: { ACCESSIBLE: '1' } }),
    shot('metrics --history --output usage.svg'),
    shot('metrics --fail-if cpu>1'),
    shot('metrics --series foo'),
  ],
  restart: [shot('restart'), shot('restart --dry-run')],
  'deployments inspect': [shot(LIVE), shot(FAILED), shot(`${LIVE} --service svc_vps_6h1r0wyb`)],
  'db inspect': [
    shot('db inspect db_pg_5t9w2kqe'),
    shot('db inspect db_pg_5t9w2kqe --reveal'),
    shot('db inspect nope'),
  ],
  'db connect': [shot('db connect db_pg_5t9w2kqe')],
  'wp run': [
    shot('wp run cache.flush'),
    shot('wp run cache.flush --wait'),
    shot('wp run demo.slow --wait'),
    shot('wp run fail --wait'),
    shot('wp run cache.flsh --wait'),
    shot('wp run backup.create --dry-run'),
  ],
  link: [shot(`link ${SERVICE}`), shot('link', { env: { SVC_NO_INPUT: '1' } })],
  unlink: [shot('unlink'), shot('unlink', { after: [`link ${SERVICE}`] })],
  api: [shot('api /v1/user'), shot('api -X POST /v1/notes --field text=hello --dry-run'), shot('api /v1/nowhere')],
  'config list': [shot('config'), shot('config', { after: ['config set org kola-studio'] })],
  'config get': [shot('config get service')],
  'config set': [shot('config set org baobab-travel'), shot('config set nope x')],
  'config unset': [shot('config unset org', { after: ['config set org kola-studio'] })],
  open: [
    shot('open'),
    shot('open domains --no-browser', { after: ['config set dashboard https://dashboard.example.com'] }),
  ],
  doctor: [
    shot('doctor'),
    shot('doctor', { signedOut: true }),
    shot('doctor', { env: { SVC_API_URL: 'http://127.0.0.1:9' } }),
  ],
  completion: [shot('completion install bash')],
  'sandbox start': [shot('sandbox start --port 0', { until: 'demo.slow' })],
  'sandbox shell': [shot('sandbox shell', { env: { SHELL: '/bin/true' } })],
  help: [
    shot('help'),
    shot('help restart'),
    shot('help buy'),
    shot('help environment'),
    shot('help faults'),
    shot('--help'),
  ],
  errors: [
    shot('whoami', { signedOut: true }),
    shot('whoami', { env: { SVC_TOKEN: 'svc_wrong' } }),
    shot('whoami', { env: { SVC_API_URL: 'http://127.0.0.1:9' } }),
    shot('whoami', { env: { SVC_API_URL: undefined } }),
    shot('restart', { fault: 'restart:503,retry-after=1' }),
    shot('restart', { fault: 'restart:drop-after' }),
    shot('metrics', { fault: 'metrics:429,retry-after=90' }),
    shot('whoami', { fault: 'whoami:garbage*1' }),
    shot('restart svc_nope'),
    shot('restart', { env: { SVC_SERVICE: undefined, SVC_NO_INPUT: '1' } }),
    shot('whoami', { env: { SVC_ORG: 'nope' } }),
    shot('restrt'),
    shot('wp'),
    shot('services'),
    shot('restart --dryrun'),
    shot('deployments inspect', { env: { SVC_NO_INPUT: '1' } }),
  ],
};

/** Commands without a screen of their own, and why. */
export const WITHOUT: Readonly<Record<string, string>> = {
  mcp: 'speaks to programs',
  'sandbox exec': 'shows what its command shows',
  'sandbox tour': 'shows what other commands show',
};
