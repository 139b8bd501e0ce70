import type { Entry, Group, Leaf } from '../cli/define/define.ts';

type Load = Leaf['load'];

function under(heading: string, entries: Readonly<Record<string, Load | Omit<Group, 'name'>>>) {
  return Object.entries(entries).map(([name, entry]) =>
    typeof entry === 'function' ? { name, heading, load: entry } : { name, heading, ...entry },
  );
}

function group(summary: string, commands: Readonly<Record<string, Load>>, standIn?: string) {
  const children = Object.entries(commands).map(([name, load]) => ({ name, load }));
  return { summary, children, standIn };
}

/** The path of a command is the path of its file. */
export const TREE: readonly Entry[] = [
  ...under('Sign in', {
    login: () => import('./login.ts'),
    logout: () => import('./logout.ts'),
    status: () => import('./status.ts'),
    whoami: () => import('./whoami.ts'),
    profiles: group(
      'Keep several accounts or addresses side by side',
      { list: () => import('./profiles/list.ts'), use: () => import('./profiles/use.ts') },
      'list',
    ),
    orgs: group(
      'List your organizations and choose one',
      { list: () => import('./orgs/list.ts'), use: () => import('./orgs/use.ts') },
      'list',
    ),
  }),
  ...under('Buy and pay', {
    buy: () => import('./buy.ts'),
    orders: group(
      'See the orders of this machine, and settle those in doubt',
      { list: () => import('./orders/list.ts'), settle: () => import('./orders/settle.ts') },
      'list',
    ),
    billing: group('See how renewals are paid', { autopay: () => import('./billing/autopay.ts') }),
  }),
  ...under('Domains', {
    domains: group("Move a domain's DNS to the platform", {
      import: () => import('./domains/import.ts'),
      add: () => import('./domains/add.ts'),
      status: () => import('./domains/status.ts'),
    }),
  }),
  ...under('Services', {
    metrics: () => import('./metrics.ts'),
    restart: () => import('./restart.ts'),
    deployments: group('Inspect deployments', {
      inspect: () => import('./deployments/inspect.ts'),
    }),
    db: group('Inspect and connect to databases', {
      inspect: () => import('./db/inspect.ts'),
      connect: () => import('./db/connect.ts'),
    }),
    wp: group('Run WordPress actions', {
      run: () => import('./wp/run.ts'),
      status: () => import('./wp/status.ts'),
    }),
    changes: () => import('./changes.ts'),
    link: () => import('./link.ts'),
    unlink: () => import('./unlink.ts'),
  }),
  ...under('More', {
    api: () => import('./api.ts'),
    config: group(
      'See and change settings',
      {
        list: () => import('./config/list.ts'),
        get: () => import('./config/get.ts'),
        set: () => import('./config/set.ts'),
        unset: () => import('./config/unset.ts'),
      },
      'list',
    ),
    open: () => import('./open.ts'),
    mcp: () => import('./mcp.ts'),
    doctor: () => import('./doctor.ts'),
    completion: () => import('./completion.ts'),
    sandbox: group(
      'Try everything safely, on a copy that runs on this machine',
      {
        start: () => import('./sandbox/start.ts'),
        exec: () => import('./sandbox/exec.ts'),
        shell: () => import('./sandbox/shell.ts'),
        tour: () => import('./sandbox/tour.ts'),
      },
      'start',
    ),
    help: () => import('./help.ts'),
  }),
  { name: 'home', hidden: true, load: () => import('./home.ts') },
  { name: 'version', hidden: true, load: () => import('./version.ts') },
  { name: 'complete', hidden: true, load: () => import('./complete.ts') },
];
