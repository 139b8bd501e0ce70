import { CliError } from '../errors.ts';
import { asObject, asText, fieldOf, isObject, type JsonObject, otherFields } from '../json/values.ts';
import type { Order } from '../spec/types.ts';

const IDS = ['id', 'jobId', 'deploymentId', 'databaseId', 'uuid'];
const NAMES = ['slug', 'name', 'number'];

/**
 * Returns the id of another thing than the one that was asked for; undefined if it is the same one, or has no id.
 * @param part the job, deployment or database itself, without what wraps it
 */
export function otherThing(part: JsonObject, asked: string): string | undefined {
  const textsOf = (names: readonly string[]) => names.flatMap((name) => asText(part[name]) ?? []);
  const ids = textsOf(IDS);
  return [...ids, ...textsOf(NAMES)].includes(asked) ? undefined : ids[0];
}

/** The warning beside an answer that is only shown. */
export function otherWarning(asked: string, other: string): { readonly text: string; readonly code: string } {
  return { text: `svc asked for ${asked}, and the answer is about ${other}.`, code: 'other_thing' };
}

/** The error (exit code 8) of an answer that was to decide something. */
export function aboutAnother(asked: string, other: string): CliError {
  return new CliError(
    'unavailable',
    `svc asked for ${asked}, but the answer is about ${other}. Nothing follows from it.`,
  );
}

/** Fields in which an answer may wrap its order. */
const WRAPPERS = ['order', 'data', 'result'] as const;

/** Returns the fields of an order, those of a wrapper such as `{"order": {…}}` among them. */
export function unwrapped(answer: Order): Order {
  if (idOf(answer) !== undefined) return answer;
  const wrapped = WRAPPERS.map((name) => ({ name, inner: fieldOf(answer, name) })).find(
    ({ inner }) => isObject(inner) && idOf(inner) !== undefined,
  );
  return wrapped === undefined ? answer : { ...otherFields(answer, [wrapped.name]), ...asObject(wrapped.inner) };
}

/** Returns the id of the order that an answer is about. Without one an order may exist, whatever else the answer says. */
export function orderIdOf(answer: unknown): string | undefined {
  return isObject(answer) ? idOf(unwrapped(answer)) : undefined;
}

function idOf({ orderId }: Order): string | undefined {
  return asText(orderId)?.trim() || undefined;
}
