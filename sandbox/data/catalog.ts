import { hashSecret } from '../secrets.ts';
import { STUDIO, USER } from './people.ts';
import {
  createDatabase,
  DATABASES,
  type DatabaseRecord,
  DEPLOYMENTS,
  type DeploymentRecord,
  SERVICES,
  type Service,
} from './services.ts';

/** The services of a sandbox, and what belongs to them, by their ids. */
export interface Catalog {
  readonly services: ReadonlyMap<string, Service>;
  readonly deployments: ReadonlyMap<string, DeploymentRecord>;
  readonly databases: ReadonlyMap<string, DatabaseRecord>;
}

/**
 * Returns the built-in services, and numbered ones up to `count` services in all, which are the
 * same in every sandbox.
 */
export function createCatalog(count: number): Catalog {
  const numbers = Array.from(
    { length: count - SERVICES.length },
    (_, index) => SERVICES.length + 1 + index,
  );
  const numbered = numbers.map((number) => ({ number, service: createNumberedService(number) }));
  // A VPS has neither deployments nor a database.
  const others = numbered.filter(({ service }) => service.kind !== 'vps');
  return {
    services: byId([...SERVICES, ...numbered.map(({ service }) => service)]),
    deployments: byId([...DEPLOYMENTS, ...others.map(createNumberedDeployment)]),
    databases: byId([...DATABASES, ...others.map(createNumberedDatabase)]),
  };
}

function byId<Thing extends { readonly id: string }>(
  things: readonly Thing[],
): ReadonlyMap<string, Thing> {
  return new Map(things.map((thing) => [thing.id, thing]));
}

interface Numbered {
  readonly number: number;
  readonly service: Service;
}

const ID_PARTS = { wordpress: 'wp', app: 'app', vps: 'vps' } as const;

const digits = (number: number): string => String(number).padStart(8, '0');

/** The kinds of ten services in turn: eight are WordPress sites, one is an app and one a VPS. */
function createNumberedService(number: number): Service {
  const kind = ({ 0: 'vps', 5: 'app' } as const)[number % 10] ?? 'wordpress';
  const id = `svc_${ID_PARTS[kind]}_${digits(number)}`;
  const noun = kind === 'wordpress' ? 'site' : kind;
  return { id, kind, name: `kola-${noun}-${number}`, organizations: [STUDIO.id], live: true };
}

function createNumberedDeployment({ number, service }: Numbered): DeploymentRecord {
  return {
    id: `dep_${digits(number)}`,
    serviceId: service.id,
    minutesAgo: 60 + ((number * 37) % 40_000),
    durationSeconds: 30 + (number % 90),
    trigger: 'push',
    sha: hashSecret(service.id).slice(0, 40),
    message: `Update ${service.name}`,
    author: USER.name,
  };
}

function createNumberedDatabase({ number, service }: Numbered): DatabaseRecord {
  const isMysql = service.kind === 'wordpress';
  const prefix = isMysql ? 'db_mysql' : 'db_pg';
  return createDatabase(
    isMysql ? 'mysql' : 'postgres',
    {
      id: `${prefix}_${digits(number)}`,
      name: service.name.replaceAll('-', '_'),
      sizeBytes: 4_096 * (20_000 + ((number * 7_919) % 100_000)),
    },
    service,
  );
}
