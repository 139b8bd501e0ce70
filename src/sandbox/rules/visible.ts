import { DATABASES, type DatabaseRecord } from '../data/databases.ts';
import { SERVICES, type Service } from '../data/services.ts';
import { notFound } from '../web/refusal.ts';
import type { Caller } from './caller.ts';

/** The service with this id. @throws Refusal 404 where the caller's organization does not see one. */
export function visibleService(id = '', { organization }: Caller): Service {
  const service = SERVICES.find((each) => each.id === id && each.organizations.includes(organization.id));
  if (service === undefined) throw notFound('service', id);
  return service;
}

/** The database with this id. @throws Refusal 404 where the caller's organization does not see one. */
export function visibleDatabase(id = '', { organization }: Caller): DatabaseRecord {
  const database = DATABASES.find((each) => each.id === id && each.organizations.includes(organization.id));
  if (database === undefined) throw notFound('database', id);
  return database;
}
