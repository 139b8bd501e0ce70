import type { CommandLiteral, Entry } from '../cli/define/define.ts';

type Load = () => Promise<{ readonly default: CommandLiteral }>;

/**
 * A command gets its path from its place in the tree, once: its module has the same object, by
 * which `svc mcp` knows it.
 */
function leaf(name: string, load: Load, before = '') {
  return {
    name,
    load: async () => Object.assign((await load()).default, { path: before + name }),
  };
}

function group(summary: string, commands: Readonly<Record<string, Load>>, defaultCommand?: string) {
  return { summary, commands: Object.entries(commands), defaultCommand };
}

function under(
  heading: string,
  entries: Readonly<Record<string, Load | ReturnType<typeof group>>>,
) {
  return Object.entries(entries).map(([name, entry]) => {
    if (typeof entry === 'function') return { heading, ...leaf(name, entry) };
    const { summary, commands, defaultCommand } = entry;
    const children = commands.map(([child, load]) => leaf(child, load, `${name} `));
    return { name, heading, summary, children, defaultCommand };
  });
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
  { hidden: true, ...leaf('home', () => import('./home.ts')) },
  { hidden: true, ...leaf('version', () => import('./version.ts')) },
  { hidden: true, ...leaf('complete', () => import('./complete.ts')) },
];
