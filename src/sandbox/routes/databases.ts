import { OPERATIONS } from '../../spec/operations.ts';
import { type Route, signedInRoute } from '../route.ts';
import { visibleDatabase } from '../rules/visible.ts';

const DATABASE_AGE_MS = 97 * 24 * 60 * 60 * 1000;

/** Operation 10. Credentials are for the owners and admins of the chosen organization. */
export const DATABASE_ROUTES: readonly Route[] = [
  signedInRoute(OPERATIONS.getDatabase, (parts, request, caller) => {
    const { id, name, engine, version, sizeBytes, plan, service, connectionUrl, username, password } = visibleDatabase(
      request.params['id'],
      caller,
    );
    const credentialsIncluded = caller.organization.role !== 'member';
    const createdAt = new Date(parts.store.state.startedAt - DATABASE_AGE_MS).toISOString();
    const body = {
      database: { id, name, engine, version, status: 'available', sizeBytes, createdAt },
      plan: plan === undefined ? null : { id: plan.id, name: plan.name },
      service: { id: service.id, kind: service.kind, name: service.name },
      credentialsIncluded,
      ...(credentialsIncluded && { connectionUrl, username, password }),
    };
    return { status: 200, body };
  }),
];
