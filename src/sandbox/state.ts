/** A device login from its start to its one decision and its one token. Instants are milliseconds since the epoch. */
export interface DeviceLogin {
  /** SHA-256 of the secret that the client polls with. */
  readonly deviceCodeHash: string;
  readonly userCode: string;
  readonly clientName: string;
  /** Seconds that must lie between two polls; only ever grows. */
  readonly intervalSeconds: number;
  readonly expiresAt: number;
  readonly lastPollAt: number | null;
  readonly status: 'pending' | 'approved' | 'denied' | 'delivered';
}

/** A token or session that the sandbox minted; only its hash is kept. */
export interface Credential {
  readonly id: string;
  readonly kind: 'token' | 'session';
  /** SHA-256 of the secret. */
  readonly hash: string;
  readonly name: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** An order, with what is needed to answer a repeated request alike. */
export interface OrderRecord {
  readonly organizationId: string;
  readonly idempotencyKey: string | null;
  /** SHA-256 of the body in canonical form. */
  readonly fingerprint: string;
  readonly createdAt: number;
  /** The answer, as it was given. */
  readonly answer: OrderAnswer;
}

/** What operation 3 answers: the documented fields, then the sandbox's own. */
export interface OrderAnswer {
  readonly orderId: string;
  readonly paymentMethod: string;
  readonly provider: string | null;
  readonly payment_url?: string;
  readonly status: 'provisioned' | 'awaiting_payment';
  readonly total: { readonly amount: string; readonly currency: string };
  readonly message: string;
}

/** A managed action; its status follows from the time since it was queued. */
export interface JobRecord {
  readonly jobId: string;
  readonly serviceId: string;
  readonly action: string;
  readonly createdAt: number;
}

/** The records staged for one domain of one service. */
export interface StagedZone {
  readonly serviceId: string;
  readonly domain: string;
  readonly records: readonly object[];
  readonly stagedAt: number;
}

/** The last restart of a service. */
export interface RestartRecord {
  readonly serviceId: string;
  readonly restartedAt: number;
}

/** The saved number of an organization for automatic renewals; the number itself is not kept. */
export interface AutopayRecord {
  readonly organizationId: string;
  readonly phoneMasked: string;
  readonly provider: string;
  readonly currency: string;
}

/** Everything that requests can change. A value of it is never altered; each change makes a new one. */
export interface State {
  readonly version: 1;
  /** When the sandbox first ran on this state; the dates of its services count from here. */
  readonly startedAt: number;
  readonly logins: readonly DeviceLogin[];
  readonly credentials: readonly Credential[];
  readonly orders: readonly OrderRecord[];
  readonly jobs: readonly JobRecord[];
  readonly staged: readonly StagedZone[];
  readonly restarts: readonly RestartRecord[];
  readonly autopay: readonly AutopayRecord[];
}

/** The lists of the state, and how many entries each may hold; the oldest go first. */
export const LIST_LIMITS = {
  logins: 1_000,
  credentials: 10_000,
  orders: 10_000,
  jobs: 1_000,
  staged: 100,
  restarts: 100,
  autopay: 100,
} as const satisfies { readonly [List in Exclude<keyof State, 'version' | 'startedAt'>]: number };

/** The state before the first request. */
export function emptyState(startedAt: number): State {
  return {
    version: 1,
    startedAt,
    logins: [],
    credentials: [],
    orders: [],
    jobs: [],
    staged: [],
    restarts: [],
    autopay: [],
  };
}
