import type { Catalog } from './data/catalog.ts';
import { DECLINING_NETWORK, FAILING_PHONE, ORGANIZATIONS, PLANS, STUDIO } from './data/people.ts';
import { ACTIONS, DATABASES, DEPLOYMENTS, SERVICES } from './data/services.ts';
import { ZONES } from './data/zones.ts';
import { listSeries } from './usage.ts';

/**
 * The ids to try, for people: one row of the terminal each, but for the plans. A label may be an
 * id.
 */
export const SAMPLES: ReadonlyArray<readonly [label: string, names: string]> = [
  ...SERVICES.map(
    ({ id, name }) => [id, [name, describeDeployments(id)].filter(Boolean).join(': ')] as const,
  ),
  ['databases', DATABASES.map(({ id }) => id).join(', ')],
  ['organizations', ORGANIZATIONS.map(({ slug }) => slug).join(', ')],
  ['plans', PLANS.map(({ id, usdCents }) => (usdCents === 0 ? `${id} (free)` : id)).join(', ')],
  ['domains', ZONES.map(({ apex }) => apex).join(', ')],
  ['payments', `${FAILING_PHONE} fails, network ${DECLINING_NETWORK} declines, others wait`],
  ['actions', [...ACTIONS.keys()].join(', ')],
];

function describeDeployments(service: string): string {
  const own = DEPLOYMENTS.filter(({ serviceId }) => serviceId === service);
  return own.map(({ id, failure }) => (failure === undefined ? id : `${id} (failed)`)).join(', ');
}

/** More would be too many to choose from. */
const MAX_NAMES = 50;

/** The names that pickers and completion offer in a sandbox: by kind, with what each is about. */
export function listSampleNames({ services, deployments, databases }: Catalog) {
  const first = <Thing>(things: ReadonlyMap<string, Thing>) =>
    [...things.values()].slice(0, MAX_NAMES);
  return {
    organizations: ORGANIZATIONS.map(({ slug, name }) => ({ name: slug, about: name })),
    services: first(services).map(({ id, name }) => ({ name: id, about: name, org: STUDIO.slug })),
    databases: first(databases).map(({ id, name }) => ({
      name: id,
      about: name,
      org: STUDIO.slug,
    })),
    deployments: first(deployments).map(({ id, serviceId }) => ({ name: id, about: serviceId })),
    // What is noted of a plan is what it cost.
    plans: PLANS.map(({ id }) => ({ name: id })),
    actions: [...ACTIONS.keys()].map((name) => ({ name })),
    series: listSeries(SERVICES[0]).map((name) => ({ name })),
  };
}
