import { isObject } from '../json/values.ts';
import { partBelow } from './record-value.ts';

/**
 * Reads a record of the platform's own scan or staging, whose form is not documented, into the form of the record table:
 * `@` and a full name become the part before the apex, a number in a text a number, and the priority in front of a value
 * its own field. What has another form stays as it is. Never used for a file of the user, where it would be a guess.
 */
export function readScanned(entry: unknown, apex: string): unknown {
  if (!isObject(entry)) return entry;
  const { subdomain, ttl } = entry;
  return {
    ...entry,
    ...(typeof subdomain === 'string' && {
      subdomain: subdomain === '@' ? '' : (partBelow(subdomain, apex) ?? subdomain),
    }),
    ...(ttl !== undefined && { ttl: asNumber(ttl) }),
    ...splitPriority(entry),
  };
}

/** A priority in front of the value: `10 mail.example.com`, and for SRV before weight, port and target. */
const IN_FRONT: Readonly<Record<string, RegExp>> = {
  MX: /^(\d{1,5})[ \t]+(\S+)$/,
  SRV: /^(\d{1,5})[ \t]+(\d+[ \t]+\d+[ \t]+\S+)$/,
};

function splitPriority({ type, value, priority }: Readonly<Record<string, unknown>>): object {
  const own = asNumber(priority);
  const form = typeof type === 'string' ? IN_FRONT[type.toUpperCase()] : undefined;
  const [, digits, rest] = (typeof value === 'string' && form?.exec(value)) || [];
  const isSame = own === undefined || own === null || own === Number(digits);
  if (rest !== undefined && isSame) return { value: rest, priority: Number(digits) };
  return priority === undefined ? {} : { priority: own };
}

function asNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
}
