import type { Clock } from '../clock.ts';
import type { Machine } from '../store/machine.ts';

/** One stored sign-in. Fields that this version does not know are kept when the file is rewritten. */
export interface CredentialRecord {
  readonly profile: string;
  /** The only address that the token may be sent to, in its normal form. */
  readonly baseUrl: string;
  readonly token: string;
  readonly tokenId?: string | undefined;
  /** ISO 8601; absent if unknown. */
  readonly expiresAt?: string | undefined;
  /** Whether the platform did not say when the token expires, so that svc assumed its usual lifetime. */
  readonly expiresAtEstimated?: boolean | undefined;
  readonly organizationId?: string | undefined;
  readonly email?: string | undefined;
  /** The name of the token at the platform; absent if unknown. */
  readonly clientName?: string | undefined;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The organization that requests act in by default. */
  readonly org?: string | undefined;
}

/** The stored sign-ins, and the profile that is used by default. */
export interface Credentials {
  readonly current: string | undefined;
  readonly credentials: readonly CredentialRecord[];
}

/** Where the sign-ins of one configuration folder are kept. */
export interface Place {
  readonly folder: string;
  readonly machine: Machine;
  readonly clock: Clock;
}

/** The stored sign-ins, including those in journals. */
export interface StoredCredentials extends Credentials {
  /** How many sign-ins are not in the credentials file yet; `settle` merges them. */
  readonly unmerged: number;
  /** Sentences for the user, such as that others could read the file. */
  readonly warnings: readonly string[];
}
