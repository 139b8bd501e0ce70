import { isObject, type JsonObject } from '../json/values.ts';
import { isUint16, partBelow } from './record-value.ts';
import { valueText } from './summary.ts';

/**
 * Reads a record of the platform's own scan or staging, whose form is not documented, into the form of the record table:
 * `@` and a full name become the part before the apex, a number in a text a number, the priority in front of a value or
 * in `preference` its own field, and `weight` and `port` of SRV the front of its value. What has another form stays as it
 * is. Never used for a file of the user, where it would be a guess.
 */
export function readScanned(entry: unknown, apex: string): unknown {
  if (!isObject(entry)) return entry;
  const { subdomain, ttl } = entry;
  const named = {
    ...entry,
    ...(typeof subdomain === 'string' && {
      subdomain: subdomain === '@' ? '' : (partBelow(subdomain, apex) ?? subdomain),
    }),
    ...(ttl !== undefined && { ttl: asNumber(ttl) }),
  };
  const type = valueText(entry['type']).toUpperCase();
  if (type !== 'MX' && type !== 'SRV') return withNumber(named, 'priority');
  const record = withPriority(named, type);
  return type === 'SRV' ? withWeightAndPort(record) : record;
}

/** A priority in front of the value: `10 mail.example.com`, and for SRV before weight, port and target. */
const IN_FRONT = {
  MX: /^(\d{1,5})[ \t]+(\S+)$/,
  SRV: /^(\d{1,5})[ \t]+(\d+[ \t]+\d+[ \t]+\S+)$/,
};

/** Two priorities that differ are not settled here: the value or `preference` stays as it is, and is named as wrong or lost. */
function withPriority(entry: JsonObject, type: 'MX' | 'SRV'): JsonObject {
  const { preference, ...others } = withNumber(withNumber(entry, 'preference'), 'priority');
  const own = others['priority'] ?? undefined;
  const isSettled = preference === undefined || own === undefined || preference === own;
  const record = isSettled ? others : { ...others, preference };
  const priority = own ?? preference;
  const [, digits, rest] = IN_FRONT[type].exec(valueText(entry['value'])) ?? [];
  const given = priority ?? undefined;
  if (rest !== undefined && (given === undefined || given === Number(digits)))
    return { ...record, value: rest, priority: Number(digits) };
  return given === undefined ? record : { ...record, priority: given };
}

function withWeightAndPort(entry: JsonObject): JsonObject {
  const { weight, port, ...record } = entry;
  const numbers = [weight, port].map(valueText);
  const value = valueText(entry['value']);
  const isTarget = /^\S+$/.test(value);
  if (isTarget && numbers.every(isUint16)) return { ...record, value: [...numbers, value].join(' ') };
  return findOtherNumber(entry) === undefined ? record : entry;
}

/** The `weight` or `port` of an SRV record that is not the one in its value. */
export function findOtherNumber({ value, weight, port }: JsonObject): 'weight' | 'port' | undefined {
  const words = valueText(value).split(/[ \t]+/);
  const [inWeight, inPort] = words.length === 3 ? words : [];
  const isSame = (field: unknown, word: string | undefined) => valueText(field) === '' || valueText(field) === word;
  if (!isSame(weight, inWeight)) return 'weight';
  return isSame(port, inPort) ? undefined : 'port';
}

function withNumber(entry: JsonObject, field: string): JsonObject {
  return entry[field] === undefined ? entry : { ...entry, [field]: asNumber(entry[field]) };
}

function asNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
}
