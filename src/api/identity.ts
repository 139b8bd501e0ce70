import { CliError } from '../errors.ts';
import { asText, findField, type JsonObject } from '../json/values.ts';

const NAMES = ['slug', 'name', 'number'];

/**
 * Finds the id of an object unless it is the one that was asked for.
 * @param object the job, deployment or database itself
 */
export function findOtherId(
  object: JsonObject,
  kind: 'job' | 'deployment' | 'database',
  askedId: string,
): string | undefined {
  const readTexts = (names: readonly string[]) =>
    names.flatMap((name) => asText(object[name]) ?? []);
  const ids = readTexts(['id', `${kind}Id`, `${kind}_id`, 'uuid']);
  return [...ids, ...readTexts(NAMES)].includes(askedId) ? undefined : ids[0];
}

/** Creates the warning beside an answer that is only shown. */
export function createOtherIdWarning(
  askedId: string,
  otherId: string,
): { readonly text: string; readonly code: string } {
  return {
    text: `svc asked for ${askedId}, and the answer is about ${otherId}.`,
    code: 'other_thing',
  };
}

/** Creates the error (exit code 8) of an answer that was to decide something. */
export function createOtherIdError(askedId: string, otherId: string): CliError {
  return new CliError(
    'unavailable',
    `svc asked for ${askedId}, but the answer is about ${otherId}. Nothing follows from it.`,
  );
}

/** Finds the id of an order. Without one it may exist, whatever else the answer says. */
export function findOrderId(order: unknown): string | undefined {
  return asText(findField(order, 'orderId'))?.trim() || undefined;
}
