import type { Clock } from '../clock.ts';
import type { Machine } from '../store/machine.ts';

/** A stored sign-in. Fields that this svc does not know are kept. */
export interface CredentialRecord {
  readonly profile: string;
  /** The only address that the token may be sent to. */
  readonly baseUrl: string;
  readonly token: string;
  readonly tokenId?: string | undefined;
  /** ISO 8601; absent if unknown. */
  readonly expiresAt?: string | undefined;
  /** Whether svc assumed the usual lifetime. */
  readonly expiresAtEstimated?: boolean | undefined;
  readonly organizationId?: string | undefined;
  readonly email?: string | undefined;
  readonly clientName?: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly org?: string | undefined;
}

/** The stored sign-ins; `current` is the profile that is used by default. */
export interface Credentials {
  readonly current: string | undefined;
  readonly credentials: readonly CredentialRecord[];
}

/** The configuration folder in which sign-ins are kept. */
export interface CredentialsFolder {
  readonly folder: string;
  readonly machine: Machine;
  readonly clock: Clock;
}

/** The stored sign-ins, with those in journals. */
export interface StoredCredentials extends Credentials {
  /** How many are only in journals; `settle` merges them. */
  readonly unmerged: number;
  /** Sentences for the user. */
  readonly warnings: readonly string[];
}
