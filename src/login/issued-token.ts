import { readInstant } from '../spec/instant.ts';
import { TOKEN_LIFETIME_MS } from '../spec/operations.ts';
import { asObject, asText } from '../spec/read.ts';
import type { DeviceToken } from '../spec/types.ts';
import type { CredentialRecord } from './credentials/records.ts';
import { isUsableToken, tokenWarning } from './token.ts';

/** Longest field that is kept, in characters; real ones are far shorter. */
const LONGEST_FIELD = 512;

/** The token of operation 2, delivered exactly once, with what came along with it. */
export interface IssuedToken {
  /** Secret. */
  readonly token: string;
  readonly tokenId: string | undefined;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** Whether the service did not say when it expires. */
  readonly expiresAtEstimated: boolean;
  readonly organizationId: string | undefined;
  readonly email: string | undefined;
  /** What is odd about it, for the user. */
  readonly warnings: readonly string[];
}

/**
 * Reads the token out of an answer; `undefined` where there is none that could be used. Whatever else is missing or odd
 * never costs the token.
 */
export function readIssuedToken(answer: DeviceToken, nowMs: number): IssuedToken | undefined {
  const token = typeof answer.token === 'string' ? answer.token.trim() : '';
  if (!isUsableToken(token)) return undefined;
  const expiresAt = readExpiry(answer.expiresAt);
  const warning = tokenWarning(token, 'The token');
  return {
    token,
    tokenId: field(answer.tokenId),
    expiresAt: expiresAt ?? new Date(nowMs + TOKEN_LIFETIME_MS).toISOString(),
    expiresAtEstimated: expiresAt === undefined,
    organizationId: field(answer.organizationId),
    email: field(asObject(answer.user)['email']),
    warnings: warning === undefined ? [] : [warning],
  };
}

/** The record of a token that was issued now, for the store. */
export function recordOf(
  issued: IssuedToken,
  login: { readonly profile: string; readonly baseUrl: string; readonly clientName: string },
  nowMs: number,
): CredentialRecord {
  const { warnings: _, ...token } = issued;
  return { ...login, ...token, createdAt: new Date(nowMs).toISOString() };
}

/** When a token ends, as ISO 8601; `undefined` for a value that does not say it. */
export function readExpiry(value: unknown): string | undefined {
  const date = new Date(readInstant(value, { isTime: true }));
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function field(value: unknown): string | undefined {
  return asText(value)?.slice(0, LONGEST_FIELD);
}
