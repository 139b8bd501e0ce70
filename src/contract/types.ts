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
} from './fields/operations.ts';

type Operations = typeof OPERATION_FIELDS;
type AnswerOf<Name extends keyof Operations> = UncheckedOf<Operations[Name]['answer']>;
/** The body of an operation. */
export type BodyOf<Name extends keyof Operations> = Operations[Name] extends {
  readonly body: infer Body extends Fields;
}
  ? RecordOf<Body>
  : never;

// Of an answer, every field is unknown until a reader has checked it.

/** Operation 1. */
export type DeviceStart = AnswerOf<'startDeviceLogin'>;
/** Operation 2. */
export type DeviceToken = AnswerOf<'pollDeviceLogin'>;
/** Operation 3. */
export type Order = AnswerOf<'createOrder'>;
/** Operation 4. */
export type DomainScan = AnswerOf<'scanDomain'>;
/** Operation 5. */
export type StagedDomain = AnswerOf<'stageDomain'>;
/** Operation 6, and the assumed lookup of its job. */
export type Job = AnswerOf<'runAction'>;
/** Operation 8. */
export type DeploymentLookup = AnswerOf<'getDeployment'>;
/** The deployment in operation 8. */
export type Deployment = UncheckedOf<typeof DEPLOYMENT>;
/** Operation 9. */
export type Restart = AnswerOf<'restartService'>;
/** Operation 10. */
export type DatabaseLookup = AnswerOf<'getDatabase'>;
/** The database in operation 10. */
export type Database = UncheckedOf<typeof DATABASE>;
/** Operation 11. */
export type UserLookup = AnswerOf<'getUser'>;
/** The user in operation 11. */
export type User = UncheckedOf<typeof NAMES>;
/** An organization in operation 11. */
export type Organization = UncheckedOf<typeof ORGANIZATION>;
/** Operation 12. */
export type Autopay = AnswerOf<'getAutopay'>;

/** Operation 3, as a user may have written it. */
export type OrderBody = UncheckedOf<typeof ORDER_BODY>;
/** An item of an order, as a user may have written it. */
export type UncheckedItem = UncheckedOf<typeof ORDER_ITEM>;
/** An item of an order. */
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
