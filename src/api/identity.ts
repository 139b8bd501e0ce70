import { CliError } from '../errors.ts';
import { asText, findField, type JsonObject } from '../json/values.ts';

const NAMES = ['slug', 'name', 'number'];

/**
 * Returns the id of a thing unless it is the one that was asked for.
 * @param part the job, deployment or database itself
 */
export function otherThing(
  part: JsonObject,
  thing: 'job' | 'deployment' | 'database',
  asked: string,
): string | undefined {
  const idFields = ['id', `${thing}Id`, `${thing}_id`, 'uuid'];
  const [ids, names] = [idFields, NAMES].map((fields) =>
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

/** Without an id an order may exist, whatever else the answer says. */
export function orderIdOf(order: unknown): string | undefined {
  return asText(findField(order, 'orderId'))?.trim() || undefined;
}
