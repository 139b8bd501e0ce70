import { CLIENT, STUDIO } from './people.ts';
import { PLANS, type Plan } from './plans.ts';
import { BLOG, BOOKING, type Service } from './services.ts';

/** A managed database, with credentials that lead nowhere. */
export interface DatabaseRecord {
  readonly id: string;
  readonly name: string;
  readonly engine: 'postgres' | 'mysql' | 'redis';
  readonly version: string;
  readonly sizeBytes: number;
  /** The organizations that see it. */
  readonly organizations: readonly string[];
  readonly service: Service;
  readonly plan: Plan | undefined;
  readonly connectionUrl: string;
  readonly username: string;
  readonly password: string;
}

const SMALL = PLANS.find((plan) => plan.id === 'plan_db_small');
/** It has what an address must escape, so that a client that forgets to is found out. */
const PASSWORD = 'not-a-secret/p@ss:word#1';
const ESCAPED = encodeURIComponent(PASSWORD);

/** The databases of the sandbox, one of each engine. */
export const DATABASES: readonly DatabaseRecord[] = [
  {
    id: 'db_pg_5t9w2kqe',
    name: 'booking',
    engine: 'postgres',
    version: '16.4',
    sizeBytes: 1_283_457_024,
    organizations: [STUDIO.id, CLIENT.id],
    service: BOOKING,
    plan: SMALL,
    connectionUrl: `postgresql://booking:${ESCAPED}@booking.db.sandbox.example:5432/booking?sslmode=require`,
    username: 'booking',
    password: PASSWORD,
  },
  {
    id: 'db_mysql_8h3n6vrc',
    name: 'kola_blog',
    engine: 'mysql',
    version: '8.4.2',
    sizeBytes: 412_090_368,
    organizations: [STUDIO.id],
    service: BLOG,
    plan: SMALL,
    connectionUrl: `mysql://kola_blog:${ESCAPED}@kola-blog.db.sandbox.example:3306/kola_blog`,
    username: 'kola_blog',
    password: PASSWORD,
  },
  {
    id: 'db_redis_1x7d4zmb',
    name: 'booking-sessions',
    engine: 'redis',
    version: '7.4.1',
    sizeBytes: 23_068_672,
    organizations: [STUDIO.id],
    service: BOOKING,
    plan: SMALL,
    connectionUrl: `rediss://default:${ESCAPED}@booking-sessions.db.sandbox.example:6380/0`,
    username: 'default',
    password: PASSWORD,
  },
];
