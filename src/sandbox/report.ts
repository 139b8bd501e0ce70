import type { Service } from './data/services.ts';
import type { Parts } from './parts.ts';

/** What has been asked of a sandbox. `svc api /sandbox` prints it. */
export interface Report {
  /** Requests to documented operations, with those that were refused. */
  readonly requests: number;
  /** Requests above the limit. */
  readonly refused: number;
  readonly services: ReadonlyArray<
    Pick<Service, 'id' | 'kind' | 'name'> & { readonly restarts: number; readonly actions: number }
  >;
}

export function reportOf({ catalog, store: { state }, traffic }: Parts): Report {
  const restarts = new Map(state.restarts.map(({ serviceId, times = 1 }) => [serviceId, times]));
  const actions = new Map<string, number>();
  for (const { serviceId } of state.jobs) actions.set(serviceId, (actions.get(serviceId) ?? 0) + 1);
  const services = Array.from(catalog.services, ({ id, kind, name }) => {
    return { id, kind, name, restarts: restarts.get(id) ?? 0, actions: actions.get(id) ?? 0 };
  });
  return { ...traffic, services };
}
