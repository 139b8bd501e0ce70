import type { Fields } from '../contract/fields/field.ts';
import { OPERATION_FIELDS } from '../contract/fields/operations.ts';
import type { Operation } from '../contract/operations.ts';
import { isObject, type JsonObject, otherFields } from '../json/values.ts';

/** An answer without what may wrap it, such as `{"success": true, "data": {…}}`. */
export interface Unwrapped {
  /**
   * The object with the documented fields of the operation, and what stands beside it in a wrapper.
   * Any other answer stays as it is.
   */
  readonly value: unknown;
  /** What it was wrapped in, the outermost first. */
  readonly wrappers: readonly JsonObject[];
}

/** Names of objects that are about what was asked for: they may wrap it, or stand in it. */
export const WRAPPERS = ['data', 'result', 'order', 'job', 'autopay'];
const MAX_WRAPPERS = 2;

/** A wrapper says these of the request. Of what was asked for, they would say something else. */
const ABOUT_THE_REQUEST = ['error', 'success', 'status', 'state'];

/**
 * Finds the object with the most documented fields of an operation: the answer itself, or one that
 * it wraps.
 */
export function unwrap(
  answer: unknown,
  operation: Operation | undefined,
  depth = MAX_WRAPPERS,
): Unwrapped {
  const asItCame = { value: answer, wrappers: [] };
  if (!isObject(answer) || depth === 0) return asItCame;
  const documented = documentedFields(operation);
  const count = (value: unknown) =>
    isObject(value) ? documented.filter((name) => name in value).length : 0;
  for (const wrapper of WRAPPERS) {
    const inner = unwrap(answer[wrapper], operation, depth - 1);
    if (count(inner.value) > count(answer)) {
      const beside = otherFields(answer, [wrapper, ...ABOUT_THE_REQUEST]);
      return {
        value: { ...beside, ...Object(inner.value) },
        wrappers: [answer, ...inner.wrappers],
      };
    }
  }
  return asItCame;
}

/** Whether an answer has an error of the API document, and nothing that the operation answers. */
export function isErrorObject(answer: unknown, operation: Operation): answer is JsonObject {
  if (!isObject(answer) || isEmpty(answer['error'])) return false;
  const documented = documentedFields(operation);
  // The API document shows nothing of the usage history, which has lists or objects.
  if (documented.length === 0)
    return Object.values(otherFields(answer, ['error'])).every(
      (value) => !(value instanceof Object),
    );
  return documented.every((name) => !(name in answer));
}

/**
 * Whether a field that says something is empty: null, false, 0, a blank text, or a list or object
 * of such.
 */
export function isEmpty(value: unknown): boolean {
  if (value instanceof Object) return Object.values(value).every(isEmpty);
  return !value || (typeof value === 'string' && value.trim() === '');
}

function documentedFields(operation: Operation | undefined): readonly string[] {
  const { [operation?.name ?? '']: fields }: Readonly<Record<string, Fields>> = ANSWERS;
  return Object.entries(fields ?? {}).flatMap(([name, { assumed }]) =>
    assumed === 'field' ? [] : [name],
  );
}

const ANSWERS = {
  ...Object.fromEntries(
    Object.entries(OPERATION_FIELDS).map(([name, { answer }]) => [name, answer]),
  ),
  // The assumed lookup of a job answers what queued it.
  getJob: OPERATION_FIELDS.runAction.answer,
};
