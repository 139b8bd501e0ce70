/**
 * An answer with its documented fields and any others. The service's document rarely shows types, so every field is
 * unknown until a reader has checked it.
 */
export type Open<Field extends string = never> = { readonly [Name in Field]?: unknown } & {
  readonly [name: string]: unknown;
};

/** Operation 1: the start of a device authorization. */
export type DeviceStart = Open<
  'deviceCode' | 'userCode' | 'verificationUri' | 'verificationUriComplete' | 'expiresIn' | 'interval'
>;
/** Operation 2: the token, delivered exactly once. */
export type DeviceToken = Open<'token' | 'tokenId' | 'expiresAt' | 'organizationId' | 'user'>;
/** Operation 3: the order that a checkout created. */
export type Order = Open<'orderId' | 'paymentMethod' | 'provider' | 'payment_url'>;
/** Operation 4: a read-only probe of a zone. */
export type DomainScan = Open<'apex' | 'currentNameservers' | 'records' | 'warnings'>;
/** Operation 5: the nameservers to set at the registrar, and the staged records. */
export type StagedDomain = Open<'nameservers' | 'stagedRecords'>;
/** Operation 6, and the assumed job lookup: a managed-action job. */
export type Job = Open<'jobId' | 'status' | 'action'>;
/** Operation 7: time-bucketed usage points; their shape is not documented. */
export type MetricsHistory = unknown;
/** Operation 8: a deployment, and an indicator whether it is live. */
export type DeploymentLookup = Open<'deployment'>;
/** Operation 9: whether the restart was done. */
export type Restart = Open<'success' | 'message'>;
/** Operation 10: a database; the three credential fields are for owners and admins only. */
export type DatabaseLookup = Open<
  'database' | 'plan' | 'service' | 'credentialsIncluded' | 'connectionUrl' | 'username' | 'password'
>;
/** Operation 11: the authenticated user. */
export type UserLookup = Open<'user' | 'organization' | 'organizations' | 'authMethod' | 'token'>;
/** Operation 12: the automatic renewal status. */
export type Autopay = Open<'enabled' | 'phoneMasked' | 'provider' | 'currency'>;

/** The seven record types that the service can hold. */
export const RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SRV'] as const;
export type RecordType = (typeof RECORD_TYPES)[number];

/** A DNS record of any type. */
export interface ZoneRecord {
  /** Label below the apex; the empty string is the apex. */
  readonly subdomain: string;
  readonly type: string;
  readonly value: string;
  /** Time to live, in seconds. */
  readonly ttl: number;
  /** For MX and SRV, 0 to 65535. */
  readonly priority?: number;
}

/** One DNS record in the form that staging (operation 5) takes. */
export interface DnsRecord extends ZoneRecord {
  readonly type: RecordType;
}

/** A zone as the sandbox answers operation 4. */
export interface Zone {
  readonly apex: string;
  readonly currentNameservers: readonly string[];
  readonly records: readonly ZoneRecord[];
  readonly warnings: readonly string[];
}

/** Operation 3, one item of the order. */
export interface OrderItem {
  readonly planId?: string;
  readonly domain?: string;
  readonly label?: string;
  readonly quantity?: number;
  readonly renew?: boolean;
}
