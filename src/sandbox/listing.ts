import { DATABASES } from './data/databases.ts';
import { DEPLOYMENTS } from './data/deployments.ts';
import { PLANS } from './data/plans.ts';
import { SERVICES } from './data/services.ts';
import { ZONES } from './data/zones.ts';

/** What `svc sandbox start --json` prints: where the sandbox is, how to sign in, and the ids to try. */
export interface Listing {
  readonly url: string;
  readonly token: string;
  readonly services: ReadonlyArray<{ readonly id: string; readonly kind: string; readonly name: string }>;
  /** `service` is the id of the service. */
  readonly deployments: ReadonlyArray<{ readonly id: string; readonly service: string }>;
  /** The first is that of an organization whose owner the user is; the user's second organization sees it as well. */
  readonly databases: ReadonlyArray<{ readonly id: string; readonly engine: string }>;
  readonly plans: ReadonlyArray<{ readonly id: string; readonly free: boolean }>;
  /** Domains that can be scanned. */
  readonly domains: readonly string[];
}

/** The listing of a sandbox that is ready. */
export function listingOf(url: string, token: string): Listing {
  return {
    url,
    token,
    services: SERVICES.map(({ id, kind, name }) => ({ id, kind, name })),
    deployments: DEPLOYMENTS.map(({ id, serviceId }) => ({ id, service: serviceId })),
    databases: DATABASES.map(({ id, engine }) => ({ id, engine })),
    plans: PLANS.map(({ id, usdCents }) => ({ id, free: usdCents === 0 })),
    domains: ZONES.map(({ apex }) => apex),
  };
}
