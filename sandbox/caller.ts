import { parse } from 'hono/utils/cookie';
import {
  type CredentialRule,
  ORG_HEADER,
  SANDBOX_TOKEN_PREFIX,
  SESSION_COOKIE,
} from '../src/contract/operations.ts';
import { ORGANIZATIONS, type OrganizationRecord } from './data/people.ts';
import type { DatabaseRecord, Service } from './data/services.ts';
import type { Parts } from './parts.ts';
import { hashSecret } from './secrets.ts';
import type { Credential } from './state.ts';
import { notFound, Refusal } from './web/refusal.ts';

/** The credential of a request, and the organization that it acts for. */
export interface Caller {
  readonly credential: Credential;
  readonly organization: OrganizationRecord;
}

type ReadHeader = (name: string) => string | undefined;

/**
 * Authenticates a request. A bearer token takes precedence over a session, which not every
 * operation accepts.
 * @throws Refusal 401 for missing, unknown or expired credentials, 403 for an organization that is
 * not the user's.
 */
export function identify(parts: Parts, header: ReadHeader, rule: CredentialRule): Caller {
  const credential = identifyCredential(parts, header, rule);
  if (parts.clock.now() >= credential.expiresAt) {
    throw unauthenticated(`This ${credential.kind} has expired.`);
  }
  return { credential, organization: identifyOrganization(header(ORG_HEADER)) };
}

function identifyCredential(parts: Parts, header: ReadHeader, rule: CredentialRule): Credential {
  const authorization = header('Authorization');
  if (authorization !== undefined) {
    const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    if (token === undefined) {
      throw unauthenticated('The Authorization header must be "Bearer <token>".');
    }
    return requireCredential(parts, 'token', token);
  }
  const session = parse(header('Cookie') ?? '', SESSION_COOKIE)[SESSION_COOKIE];
  if (session === undefined) throw unauthenticated('This operation needs a token.');
  if (rule !== 'token_or_session') {
    throw unauthenticated('This operation needs a token; a session is not enough.');
  }
  return requireCredential(parts, 'session', session);
}

function requireCredential(parts: Parts, kind: Credential['kind'], secret: string): Credential {
  const hash = hashSecret(secret);
  const known = parts.store.state.credentials.find(
    (credential) => credential.kind === kind && credential.hash === hash,
  );
  if (known !== undefined) return known;
  throw unauthenticated(
    secret.startsWith(SANDBOX_TOKEN_PREFIX)
      ? `This ${kind} is not known to this sandbox.`
      : `This ${kind} was not made by the sandbox. Real ones are of no use here, and should not be sent.`,
  );
}

function identifyOrganization(wanted: string | undefined): OrganizationRecord {
  if (wanted === undefined) return ORGANIZATIONS[0];
  const found = ORGANIZATIONS.find(({ id, slug }) => id === wanted || slug === wanted);
  if (found === undefined) throw new Refusal(403, 'You are not a member of this organization.');
  return found;
}

function unauthenticated(message: string): Refusal {
  return new Refusal(401, message, { 'WWW-Authenticate': 'Bearer' });
}

/** @throws Refusal 404 unless the caller's organization sees the service. */
export function visibleService(
  { catalog }: Parts,
  id: string | undefined,
  caller: Caller,
): Service {
  return visible('service', catalog.services, id, caller);
}

/** @throws Refusal 404 unless the caller's organization sees the database. */
export function visibleDatabase(
  { catalog }: Parts,
  id: string | undefined,
  caller: Caller,
): DatabaseRecord {
  return visible('database', catalog.databases, id, caller);
}

type Owned = Pick<Service, 'id' | 'organizations'>;

function visible<Thing extends Owned>(
  kind: string,
  all: ReadonlyMap<string, Thing>,
  id = '',
  { organization }: Caller,
): Thing {
  const found = all.get(id);
  if (!found?.organizations.includes(organization.id)) throw notFound(kind, id);
  return found;
}
