import type { Order } from '../contract/types.ts';
import { CliError } from '../errors.ts';
import { asObject, asText, fieldOf, type JsonObject, otherFields } from '../json/values.ts';

const IDS = ['id', 'jobId', 'deploymentId', 'databaseId', 'uuid'];
const NAMES = ['slug', 'name', 'number'];

/**
 * Returns the id of a thing unless it is the one that was asked for.
 * @param part the job, deployment or database itself, without what wraps it
 */
export function otherThing(part: JsonObject, asked: string): string | undefined {
  const [ids, names] = [IDS, NAMES].map((fields) =>
    fields.flatMap((name) => asText(part[name]) ?? []),
  );
  return ids?.includes(asked) || names?.includes(asked) ? undefined : ids?.[0];
}

/** The warning beside an answer that is only shown. */
export function otherWarning(
  asked: string,
  other: string,
): { readonly text: string; readonly code: string } {
  return { text: `svc asked for ${asked}, and the answer is about ${other}.`, code: 'other_thing' };
}

/** The error (exit code 8) of an answer that was to decide something. */
export function aboutAnother(asked: string, other: string): CliError {
  const message = `svc asked for ${asked}, but the answer is about ${other}. Nothing follows from it.`;
  return new CliError('unavailable', message);
}

/** With the fields of a wrapper such as `{"order": {…}}`. */
export function unwrapped(answer: Order): Order {
  const isWrapper = (name: string) => idOf(fieldOf(answer, name)) !== undefined;
  const wrapper =
    idOf(answer) === undefined ? ['order', 'data', 'result'].find(isWrapper) : undefined;
  return wrapper === undefined
    ? answer
    : { ...otherFields(answer, [wrapper]), ...asObject(fieldOf(answer, wrapper)) };
}

/** Without an id an order may exist, whatever else the answer says. */
export function orderIdOf(answer: unknown): string | undefined {
  return idOf(unwrapped(asObject(answer)));
}

function idOf(part: unknown): string | undefined {
  return asText(fieldOf(part, 'orderId'))?.trim() || undefined;
}
