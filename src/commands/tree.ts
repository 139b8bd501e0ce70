import type { Entry } from '../kit/define.ts';

const ACCOUNT = 'Sign in';
const BUY = 'Buy and pay';
const DOMAINS = 'Domains';
const SERVICES = 'Services';
const MORE = 'More';

/** The path of a command is the path of its file. */
export const TREE: readonly Entry[] = [
  { name: 'login', heading: ACCOUNT, load: () => import('./login.ts') },
  { name: 'logout', heading: ACCOUNT, load: () => import('./logout.ts') },
  { name: 'status', heading: ACCOUNT, load: () => import('./status.ts') },
  { name: 'whoami', heading: ACCOUNT, load: () => import('./whoami.ts') },
  {
    name: 'profiles',
    heading: ACCOUNT,
    summary: 'Keep several accounts or addresses side by side',
    standIn: 'list',
    children: [
      { name: 'list', load: () => import('./profiles/list.ts') },
      { name: 'use', load: () => import('./profiles/use.ts') },
    ],
  },
  {
    name: 'orgs',
    heading: ACCOUNT,
    summary: 'List your organizations and choose one',
    standIn: 'list',
    children: [
      { name: 'list', load: () => import('./orgs/list.ts') },
      { name: 'use', load: () => import('./orgs/use.ts') },
    ],
  },
  { name: 'buy', heading: BUY, load: () => import('./buy.ts') },
  {
    name: 'orders',
    heading: BUY,
    summary: 'See the orders of this machine, and settle those in doubt',
    standIn: 'list',
    children: [
      { name: 'list', load: () => import('./orders/list.ts') },
      { name: 'settle', load: () => import('./orders/settle.ts') },
    ],
  },
  {
    name: 'billing',
    heading: BUY,
    summary: 'See how renewals are paid',
    children: [{ name: 'autopay', load: () => import('./billing/autopay.ts') }],
  },
  {
    name: 'domains',
    heading: DOMAINS,
    summary: "Move a domain's DNS to the platform",
    children: [
      { name: 'import', load: () => import('./domains/import.ts') },
      { name: 'add', load: () => import('./domains/add.ts') },
      { name: 'status', load: () => import('./domains/status.ts') },
    ],
  },
  { name: 'metrics', heading: SERVICES, load: () => import('./metrics.ts') },
  { name: 'restart', heading: SERVICES, load: () => import('./restart.ts') },
  {
    name: 'deployments',
    heading: SERVICES,
    summary: 'Inspect deployments',
    children: [{ name: 'inspect', load: () => import('./deployments/inspect.ts') }],
  },
  {
    name: 'db',
    heading: SERVICES,
    summary: 'Inspect and connect to databases',
    children: [
      { name: 'inspect', load: () => import('./db/inspect.ts') },
      { name: 'connect', load: () => import('./db/connect.ts') },
    ],
  },
  {
    name: 'wp',
    heading: SERVICES,
    summary: 'Run WordPress actions',
    children: [
      { name: 'run', load: () => import('./wp/run.ts') },
      { name: 'status', load: () => import('./wp/status.ts') },
    ],
  },
  { name: 'changes', heading: SERVICES, load: () => import('./changes.ts') },
  { name: 'link', heading: SERVICES, load: () => import('./link.ts') },
  { name: 'unlink', heading: SERVICES, load: () => import('./unlink.ts') },
  { name: 'api', heading: MORE, load: () => import('./api.ts') },
  {
    name: 'config',
    heading: MORE,
    summary: 'See and change settings',
    standIn: 'list',
    children: [
      { name: 'list', load: () => import('./config/list.ts') },
      { name: 'get', load: () => import('./config/get.ts') },
      { name: 'set', load: () => import('./config/set.ts') },
      { name: 'unset', load: () => import('./config/unset.ts') },
    ],
  },
  { name: 'open', heading: MORE, load: () => import('./open.ts') },
  { name: 'mcp', heading: MORE, load: () => import('./mcp.ts') },
  { name: 'doctor', heading: MORE, load: () => import('./doctor.ts') },
  { name: 'completion', heading: MORE, load: () => import('./completion.ts') },
  {
    name: 'sandbox',
    heading: MORE,
    summary: 'Try everything safely, on a copy that runs on this machine',
    standIn: 'start',
    children: [
      { name: 'start', load: () => import('./sandbox/start.ts') },
      { name: 'exec', load: () => import('./sandbox/exec.ts') },
      { name: 'shell', load: () => import('./sandbox/shell.ts') },
      { name: 'tour', load: () => import('./sandbox/tour.ts') },
    ],
  },
  { name: 'help', heading: MORE, load: () => import('./help.ts') },
  { name: 'home', hidden: true, load: () => import('./home.ts') },
  { name: 'version', hidden: true, load: () => import('./version.ts') },
  { name: 'complete', hidden: true, load: () => import('./complete.ts') },
];
