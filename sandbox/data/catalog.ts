import { SANDBOX_DATABASE_HOSTS } from '../../src/spec/operations.ts';
import { hashOf } from '../secrets.ts';
import { STUDIO } from './people.ts';
import {
  DATABASE_PASSWORD,
  DATABASES,
  type DatabaseRecord,
  DEPLOYMENTS,
  type DeploymentRecord,
  SERVICES,
  type Service,
} from './services.ts';

/** Things with ids, in a fixed order. */
export interface Collection<Thing> extends Iterable<Thing> {
  find(id: string): Thing | undefined;
}

/** The services of a sandbox, and what belongs to them. */
export interface Catalog {
  readonly services: Collection<Service>;
  readonly deployments: Collection<DeploymentRecord>;
  readonly databases: Collection<DatabaseRecord>;
}

/**
 * Returns the built-in services, and numbered ones up to `count` services in all. A numbered one follows from its number:
 * nothing is kept of it, and every sandbox has the same.
 */
export function catalogOf(count: number): Catalog {
  return {
    services: collection(SERVICES, numberedService, count),
    deployments: collection(DEPLOYMENTS, deploymentOf, count),
    databases: collection(DATABASES, databaseOf, count),
  };
}

function collection<Thing extends { readonly id: string }>(
  builtIn: readonly Thing[],
  make: (number: number) => Thing | undefined,
  count: number,
): Collection<Thing> {
  return {
    find(id) {
      const number = Number(/_(\d{8})$/.exec(id)?.[1]);
      const made = number > SERVICES.length && number <= count ? make(number) : undefined;
      return made?.id === id ? made : builtIn.find((each) => each.id === id);
    },
    *[Symbol.iterator]() {
      yield* builtIn;
      for (let number = SERVICES.length + 1; number <= count; number += 1) {
        const made = make(number);
        if (made !== undefined) yield made;
      }
    },
  };
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

/** Returns undefined for a VPS, which has none. */
function deploymentOf(number: number): DeploymentRecord | undefined {
  const service = numberedService(number);
  if (service.kind === 'vps') return undefined;
  return {
    id: `dep_${digits(number)}`,
    serviceId: service.id,
    minutesAgo: 60 + ((number * 37) % 40_000),
    durationSeconds: 30 + (number % 90),
    trigger: 'push',
    branch: 'main',
    commit: { sha: hashOf(service.id).slice(0, 40), message: `Update ${service.name}`, author: 'Amina Diallo' },
  };
}

/** Returns undefined for a VPS, which has none. */
function databaseOf(number: number): DatabaseRecord | undefined {
  const service = numberedService(number);
  if (service.kind === 'vps') return undefined;
  const name = service.name.replaceAll('-', '_');
  const isMysql = service.kind === 'wordpress';
  const [scheme, port] = isMysql ? ['mysql', 3306] : ['postgresql', 5432];
  const password = encodeURIComponent(DATABASE_PASSWORD);
  return {
    id: `db_${isMysql ? 'mysql' : 'pg'}_${digits(number)}`,
    name,
    engine: isMysql ? 'mysql' : 'postgres',
    version: isMysql ? '8.4.2' : '16.4',
    sizeBytes: 4_096 * (20_000 + ((number * 7_919) % 100_000)),
    organizations: service.organizations,
    service,
    connectionUrl: `${scheme}://${name}:${password}@${service.name}${SANDBOX_DATABASE_HOSTS}:${port}/${name}`,
    username: name,
  };
}
