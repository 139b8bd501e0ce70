/** A device login. Instants of the state are milliseconds since the epoch. */
export interface DeviceLogin {
  readonly deviceCodeHash: string;
  readonly userCode: string;
  readonly clientName: string;
  /** The least time between two polls; never gets shorter. */
  readonly intervalSeconds: number;
  readonly expiresAt: number;
  readonly lastPollAt: number | null;
  readonly status: 'pending' | 'approved' | 'denied' | 'delivered';
}

/** A token or session; only the hash of its secret is kept. */
export interface Credential {
  readonly id: string;
  readonly kind: 'token' | 'session';
  readonly hash: string;
  readonly name: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** An order, with what the answer to a repeated request needs. */
export interface OrderRecord {
  readonly organizationId: string;
  readonly idempotencyKey: string | null;
  /** SHA-256 of the body in canonical form. */
  readonly fingerprint: string;
  readonly createdAt: number;
  readonly answer: OrderAnswer;
}

/**
 * The answer of operation 3: the documented fields, then the sandbox's own. The API document shows
 * no status, so most orders have none.
 */
export interface OrderAnswer {
  readonly orderId: string;
  readonly paymentMethod: string;
  readonly provider: string | null;
  readonly payment_url?: string;
  readonly status?: 'awaiting_payment' | 'failed' | 'declined';
  readonly total: { readonly amount: string; readonly currency: string };
  readonly message: string;
}

/** A managed action; its status follows from its age. */
export interface JobRecord {
  readonly jobId: string;
  readonly serviceId: string;
  readonly action: string;
  readonly createdAt: number;
}

/** The records that were staged for a domain. */
export interface StagedZone {
  readonly serviceId: string;
  readonly domain: string;
  readonly records: readonly object[];
  readonly stagedAt: number;
}

/** The autopay settings of an organization; the phone number itself is not kept. */
export interface AutopayRecord {
  readonly organizationId: string;
  readonly phoneMasked: string;
  readonly provider: string;
  readonly currency: string;
}

/** The last restart of a service, and how many there were. */
interface RestartRecord {
  readonly serviceId: string;
  readonly restartedAt: number;
  readonly times: number;
}

/** Everything that requests can change; immutable. */
export interface State {
  readonly version: 1;
  /** The first start with this state; the dates of the services count from here. */
  readonly startedAt: number;
  readonly logins: readonly DeviceLogin[];
  readonly credentials: readonly Credential[];
  readonly orders: readonly OrderRecord[];
  readonly jobs: readonly JobRecord[];
  readonly staged: readonly StagedZone[];
  readonly restarts: readonly RestartRecord[];
  readonly autopay: readonly AutopayRecord[];
}

/** The lists of the state, and the most entries of each; the oldest go first. */
export const LIST_LIMITS = {
  logins: 1_000,
  credentials: 10_000,
  orders: 10_000,
  jobs: 10_000,
  staged: 100,
  restarts: 10_000,
  autopay: 100,
} as const satisfies { readonly [List in Exclude<keyof State, 'version' | 'startedAt'>]: number };

/** Returns the state of a sandbox that starts now, in milliseconds since the epoch. */
export function emptyState(startedAt: number): State {
  const lists = {
    logins: [],
    credentials: [],
    orders: [],
    jobs: [],
    staged: [],
    restarts: [],
    autopay: [],
  };
  return { version: 1, startedAt, ...lists };
}
