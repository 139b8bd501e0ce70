import { DECLINING_NETWORK, FAILING_PHONE, PLANS } from './data/people.ts';
import { ACTIONS, DATABASES, DEPLOYMENTS, SERVICES } from './data/services.ts';
import { ZONES } from './data/zones.ts';

/** The names to try, for people: one row of the terminal each, but for the plans. A label may be an id. */
export const SAMPLES: ReadonlyArray<readonly [label: string, names: string]> = [
  ...SERVICES.map(({ id, name }) => [id, [name, deploymentsOf(id)].filter(Boolean).join(': ')] as const),
  ['databases', DATABASES.map(({ id }) => id).join(', ')],
  ['plans', PLANS.map(({ id, usdCents }) => (usdCents === 0 ? `${id} (free)` : id)).join(', ')],
  ['domains', ZONES.map(({ apex }) => apex).join(', ')],
  ['payments', `${FAILING_PHONE} fails, network ${DECLINING_NETWORK} declines, others wait`],
  ['actions', [...ACTIONS.keys()].join(', ')],
];

function deploymentsOf(service: string): string {
  const own = DEPLOYMENTS.filter(({ serviceId }) => serviceId === service);
  return own.map(({ id, failure }) => (failure === undefined ? id : `${id} (failed)`)).join(', ');
}
