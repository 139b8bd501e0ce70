import { SANDBOX_DATABASE_HOSTS } from '../../src/contract/operations.ts';
import { CLIENT, STUDIO } from './people.ts';

/** A service of the sandbox. */
export interface Service {
  readonly id: string;
  readonly kind: 'wordpress' | 'app' | 'vps';
  readonly name: string;
  readonly organizations: readonly string[];
  /** Whether it has a running container; without one there is nothing to restart. */
  readonly live: boolean;
}

const OWN = [STUDIO.id];
const SHARED = [STUDIO.id, CLIENT.id];
const BLOG: Service = {
  id: 'svc_wp_7k2m9qx4',
  kind: 'wordpress',
  name: 'kola-blog',
  organizations: OWN,
  live: true,
};
const BOOKING: Service = {
  ...BLOG,
  id: 'svc_app_3n8v5tzd',
  kind: 'app',
  name: 'baobab-booking',
  organizations: SHARED,
};
/** A service whose only deployment failed, so it has never been live. */
const PORTFOLIO: Service = {
  ...BLOG,
  id: 'svc_app_2c7p9xlm',
  kind: 'app',
  name: 'kola-portfolio',
  live: false,
};

/** The services of the sandbox; the first is the one to try commands on. */
export const SERVICES: readonly [Service, ...Service[]] = [
  BLOG,
  BOOKING,
  { ...BLOG, id: 'svc_vps_6h1r0wyb', kind: 'vps', name: 'kola-worker' },
  PORTFOLIO,
];

/** A managed database; its credentials open nothing. */
export interface DatabaseRecord {
  readonly id: string;
  readonly name: string;
  readonly engine: keyof typeof ENGINES;
  readonly version: string;
  readonly sizeBytes: number;
  readonly organizations: readonly string[];
  readonly service: Service;
  readonly connectionUrl: string;
  readonly username: string;
}

/** Has characters that a URL must escape, to find clients that forget to. */
export const DATABASE_PASSWORD = 'not-a-secret/p@ss:word#1';
const ESCAPED = encodeURIComponent(DATABASE_PASSWORD);

const ENGINES = {
  postgres: {
    version: '16.4',
    scheme: 'postgresql',
    port: 5432,
    toPath: (name: string) => `${name}?sslmode=require`,
  },
  mysql: { version: '8.4.2', scheme: 'mysql', port: 3306, toPath: (name: string) => name },
  redis: { version: '7.4.1', scheme: 'rediss', port: 6380, toPath: () => '0' },
} as const;

/** Makes a database that the organizations of its service see. */
export function createDatabase(
  engine: keyof typeof ENGINES,
  { id, name, sizeBytes }: Pick<DatabaseRecord, 'id' | 'name' | 'sizeBytes'>,
  service: Service,
): DatabaseRecord {
  const { version, scheme, port, toPath } = ENGINES[engine];
  const username = engine === 'redis' ? 'default' : name;
  const host = `${name.replaceAll('_', '-')}${SANDBOX_DATABASE_HOSTS}:${port}`;
  const connectionUrl = `${scheme}://${username}:${ESCAPED}@${host}/${toPath(name)}`;
  return {
    id,
    name,
    engine,
    version,
    sizeBytes,
    organizations: service.organizations,
    service,
    connectionUrl,
    username,
  };
}

/** The databases of the sandbox, one of each engine. */
export const DATABASES: readonly DatabaseRecord[] = [
  createDatabase(
    'postgres',
    { id: 'db_pg_5t9w2kqe', name: 'booking', sizeBytes: 1_283_457_024 },
    BOOKING,
  ),
  createDatabase(
    'mysql',
    { id: 'db_mysql_8h3n6vrc', name: 'kola_blog', sizeBytes: 412_090_368 },
    BLOG,
  ),
  {
    ...createDatabase(
      'redis',
      { id: 'db_redis_1x7d4zmb', name: 'booking-sessions', sizeBytes: 23_068_672 },
      BOOKING,
    ),
    organizations: OWN,
  },
];

/** The job of an action that was run before the start. */
export const KNOWN_JOB = { id: 'job_4kx9m7q2tz', service: 'svc_wp_7k2m9qx4' } as const;

/** The managed actions, and the seconds that their jobs take. */
export const ACTIONS: ReadonlyMap<string, number> = new Map([
  ['cache.flush', 2],
  ['backup.create', 2],
  ['plugin.install', 2],
  ['demo.slow', 15],
  ['fail', 2],
]);

/** Lets scripts meet a failed job. */
export const FAILING_ACTION = 'fail';

/** A deployment of a service. */
export interface DeploymentRecord {
  readonly id: string;
  readonly serviceId: string;
  /** Counted back from the first start of the sandbox. */
  readonly minutesAgo: number;
  readonly durationSeconds: number;
  readonly trigger: 'push' | 'manual';
  readonly sha: string;
  readonly message: string;
  readonly author: string;
  /** The step that failed; without one it is the live deployment of its service. */
  readonly failure?: { readonly step: string; readonly message: string };
}

/** The deployments of the sandbox: two live ones and two that failed. */
export const DEPLOYMENTS: readonly DeploymentRecord[] = [
  {
    id: 'dep_9m4kx7q2tz',
    serviceId: BLOG.id,
    minutesAgo: 4 * 24 * 60 + 37,
    durationSeconds: 48,
    trigger: 'manual',
    sha: '5b1d0c7f2a9e4c68b3f7a1d2e6905c4438fb7e21',
    message: 'Update theme to 2.8 and clear the page cache',
    author: 'Amina Diallo',
  },
  {
    id: 'dep_2v8ht5nwqc',
    serviceId: BOOKING.id,
    minutesAgo: 26 * 60 + 12,
    durationSeconds: 94,
    trigger: 'push',
    sha: 'c04a9e13d86b5f7720e1b94fd3a8826ce5179b0d',
    message: 'Keep the seat map open while the payment is confirmed',
    author: 'Yao Mensah',
  },
  {
    id: 'dep_6r1zb3kfxd',
    serviceId: BOOKING.id,
    minutesAgo: 3 * 60 + 5,
    durationSeconds: 41,
    trigger: 'push',
    sha: '7de2f5b8914c03a6d1e8bb72c9f4405a36e0d18c',
    message: 'Move the fare rules to their own module',
    author: 'Yao Mensah',
    failure: {
      step: 'build',
      message: "src/fares/index.ts(14,23): error TS2307: Cannot find module './rules'.",
    },
  },
  {
    id: 'dep_4c7wq9pmhv',
    serviceId: PORTFOLIO.id,
    minutesAgo: 51,
    durationSeconds: 312,
    trigger: 'push',
    sha: '1f6b83ad05c2e97744d8f0b1c3a5926e8e7d40ba',
    message: 'First version',
    author: 'Amina Diallo',
    failure: { step: 'health check', message: 'Nothing answered on port 3000 within 300 seconds.' },
  },
];
