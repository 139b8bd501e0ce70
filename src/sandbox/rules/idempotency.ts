import { IDEMPOTENCY_HEADER } from '../../spec/operations.ts';
import { isObject, type JsonObject } from '../../spec/read.ts';
import type { OrderRecord } from '../state/state.ts';
import { Refusal } from '../web/refusal.ts';
import { fieldsOf } from './fields.ts';
import { hashOf } from './secrets.ts';

/** The body field that may carry the key instead of the header. */
const BODY_FIELD = 'idempotencyKey';
const KEY_RULE = { min: 1, max: 255, pattern: /^[\x21-\x7e]+$/, form: 'printable ASCII without spaces' };

/**
 * The key of a request, from the header or from the body; `null` where there is none.
 * @throws Refusal 400 when it is not well-formed, or when the two differ.
 */
export function keyOf(header: string | undefined, body: JsonObject): string | null {
  const given = header === undefined ? body : { ...body, [BODY_FIELD]: header };
  const fields = fieldsOf(given);
  const key = fields.has(BODY_FIELD) ? fields.requiredText(BODY_FIELD, KEY_RULE) : null;
  if (header !== undefined && (body[BODY_FIELD] ?? header) !== header) {
    fields.fault(BODY_FIELD, `is not the same as in the ${IDEMPOTENCY_HEADER} header`);
  }
  fields.refuseIfWrong();
  return key;
}

/** A hash that is the same for bodies that ask for the same; the key is not part of what is asked for. */
export function fingerprintOf(body: JsonObject): string {
  const { [BODY_FIELD]: _key, ...rest } = body;
  return hashOf(JSON.stringify(sorted(rest)));
}

/**
 * The order that a key already made for an organization.
 * @throws Refusal 422 when it was made by another body.
 */
export function orderOfKey(
  orders: readonly OrderRecord[],
  organizationId: string,
  key: string | null,
  fingerprint: string,
): OrderRecord | undefined {
  if (key === null) return undefined;
  const order = orders.find((each) => each.organizationId === organizationId && each.idempotencyKey === key);
  if (order === undefined || order.fingerprint === fingerprint) return order;
  throw new Refusal(422, `This ${IDEMPOTENCY_HEADER} belongs to another order. Use a new key for a new order.`);
}

/** The same value with the fields of its objects in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}
