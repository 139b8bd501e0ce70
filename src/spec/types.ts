import { DNS_RECORD } from './fields/dns.ts';
import type { Fields, RecordOf, UncheckedOf } from './fields/field.ts';
import type {
  DATABASE,
  DEPLOYMENT,
  NAMES,
  OPERATION_FIELDS,
  ORDER_BODY,
  ORDER_ITEM,
  ORGANIZATION,
  TOKEN,
} from './fields/operations.ts';

type Operations = typeof OPERATION_FIELDS;
type AnswerOf<Name extends keyof Operations> = UncheckedOf<Operations[Name]['answer']>;
/** The body of an operation. */
export type BodyOf<Name extends keyof Operations> = Operations[Name] extends {
  readonly body: infer Body extends Fields;
}
  ? RecordOf<Body>
  : never;

// Answers. The API document rarely shows types, so every field is unknown until a reader has checked it.

/** Operation 1: the start of a device authorization. */
export type DeviceStart = AnswerOf<'startDeviceLogin'>;
/** Operation 2: the token, delivered exactly once. */
export type DeviceToken = AnswerOf<'pollDeviceLogin'>;
/** Operation 3: the order that a checkout created. */
export type Order = AnswerOf<'createOrder'>;
/** Operation 4: a read-only probe of a zone. */
export type DomainScan = AnswerOf<'scanDomain'>;
/** Operation 5: the nameservers to set at the registrar, and the staged records. */
export type StagedDomain = AnswerOf<'stageDomain'>;
/** Operation 6, and the assumed job lookup: a managed-action job. */
export type Job = AnswerOf<'runAction'>;
/** Operation 8: a deployment, and an indicator whether it is live. */
export type DeploymentLookup = AnswerOf<'getDeployment'>;
/** Operation 8: the deployment itself, none of whose fields is documented. */
export type Deployment = UncheckedOf<typeof DEPLOYMENT>;
/** Operation 9: whether the restart was done. */
export type Restart = AnswerOf<'restartService'>;
/** Operation 10: a database; the three credential fields are for owners and admins only. */
export type DatabaseLookup = AnswerOf<'getDatabase'>;
/** Operation 10: the database itself, none of whose fields is documented. */
export type Database = UncheckedOf<typeof DATABASE>;
/** Operation 11: the authenticated user. */
export type UserLookup = AnswerOf<'getUser'>;
/** Operation 11: the profile; of its fields, operation 2 documents `email` alone. */
export type User = UncheckedOf<typeof NAMES>;
/** An organization of the account, in operation 11. */
export type Organization = UncheckedOf<typeof ORGANIZATION>;
/** Operation 11: the token in use, without its secret. */
export type TokenInUse = UncheckedOf<typeof TOKEN>;
/** Operation 12: the automatic renewal status. */
export type Autopay = AnswerOf<'getAutopay'>;

/** Operation 3, as a user may have written it. The fields whose names are assumed come from `fieldOf`. */
export type OrderBody = UncheckedOf<typeof ORDER_BODY>;
/** Operation 3, one item of the order as a user may have written it. */
export type UncheckedItem = UncheckedOf<typeof ORDER_ITEM>;
/** Operation 3, one item of the order. */
export type OrderItem = RecordOf<typeof ORDER_ITEM>;

/** The seven record types that the platform can hold. */
export const RECORD_TYPES = DNS_RECORD.type.enum;
/** A record type that the platform can hold. */
export type RecordType = (typeof RECORD_TYPES)[number];

/** One DNS record in the form that staging (operation 5) takes. */
export type DnsRecord = RecordOf<typeof DNS_RECORD>;

/** A DNS record of any type. */
export type ZoneRecord = Omit<DnsRecord, 'type'> & { readonly type: string };

/** A zone as the sandbox answers operation 4. */
export type Zone = RecordOf<Operations['scanDomain']['answer']>;
