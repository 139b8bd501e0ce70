import { type Hint, quote, usageError } from '../errors.ts';
import { findRepeatedName, MAX_LEVELS, replaceNumbers, survey } from './scan.ts';

interface ReadJsonOptions {
  /** Whether it is sent as it is written, so that its numbers may be of any size. */
  readonly isRaw?: boolean;
  /** Leaves out what `JSON.parse` says, and the number: both repeat a part of the text. */
  readonly isSecret?: boolean;
  readonly hint?: Hint;
}

/**
 * Refuses a name that an object has twice, and a number that JavaScript would change.
 * @param name of the text in messages
 */
export function readUserJson(text: string, name: string, options: ReadJsonOptions = {}): unknown {
  const { isRaw, isSecret, hint } = options;
  const refuse = (why: string) => usageError(`${name} cannot be read as JSON${why}.`, hint);
  if (survey(text).isTooDeep) throw refuse(`: it nests deeper than ${MAX_LEVELS} levels`);

  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refuse(isSecret ? '' : `: ${(error as SyntaxError).message}`);
  }

  const repeated = findRepeatedName(text);
  if (repeated !== undefined) throw refuse(`: the name ${quote(repeated)} is there twice`);
  if (isRaw) return value;
  replaceNumbers(text, (number) => {
    if (isExact(number)) return number;
    const shown = isSecret ? '' : `${number} `;
    throw refuse(`: the number ${shown}cannot be sent exactly`);
  });
  return value;
}

/** Tells whole numbers that are exact to the last digit, and others that do not overflow. */
function isExact(number: string): boolean {
  const value = Number(number);
  if (!Number.isFinite(value)) return false;
  return /[.eE]/.test(number) || String(value) === number || BigInt(number) === BigInt(value);
}
