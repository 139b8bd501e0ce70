import { hashOf } from '../secrets.ts';
import { STUDIO, USER } from './people.ts';
import {
  DATABASES,
  type DatabaseRecord,
  DEPLOYMENTS,
  type DeploymentRecord,
  databaseOf,
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
export function catalogOf(count: number): Catalog {
  const numbers = Array.from(
    { length: count - SERVICES.length },
    (_, index) => SERVICES.length + 1 + index,
  );
  const numbered = numbers.map((number) => ({ number, service: numberedService(number) }));
  // A VPS has neither deployments nor a database.
  const others = numbered.filter(({ service }) => service.kind !== 'vps');
  return {
    services: byId([...SERVICES, ...numbered.map(({ service }) => service)]),
    deployments: byId([...DEPLOYMENTS, ...others.map(numberedDeployment)]),
    databases: byId([...DATABASES, ...others.map(numberedDatabase)]),
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

/** Of ten services, eight are WordPress sites, one is an app and one a VPS. */
function numberedService(number: number): Service {
  const kind = ({ 0: 'vps', 5: 'app' } as const)[number % 10] ?? 'wordpress';
  const id = `svc_${ID_PARTS[kind]}_${digits(number)}`;
  const name = `kola-${kind === 'wordpress' ? 'site' : kind}-${number}`;
  return { id, kind, name, organizations: [STUDIO.id], live: true };
}

function numberedDeployment({ number, service }: Numbered): DeploymentRecord {
  return {
    id: `dep_${digits(number)}`,
    serviceId: service.id,
    minutesAgo: 60 + ((number * 37) % 40_000),
    durationSeconds: 30 + (number % 90),
    trigger: 'push',
    sha: hashOf(service.id).slice(0, 40),
    message: `Update ${service.name}`,
    author: USER.name,
  };
}

function numberedDatabase({ number, service }: Numbered): DatabaseRecord {
  const [engine, id] =
    service.kind === 'wordpress'
      ? (['mysql', 'db_mysql'] as const)
      : (['postgres', 'db_pg'] as const);
  const sizeBytes = 4_096 * (20_000 + ((number * 7_919) % 100_000));
  return databaseOf(
    engine,
    `${id}_${digits(number)}`,
    service.name.replaceAll('-', '_'),
    sizeBytes,
    service,
  );
}
