import { type Hint, quoted, usageError } from '../errors.ts';
import { MAX_LEVELS, scan, survey } from './scan.ts';

interface ReadJsonOptions {
  /** Sent as it is written, so its numbers may be of any size. */
  readonly isRaw?: boolean;
  /** Leaves out what `JSON.parse` says, and the number: both repeat a part of the text. */
  readonly isSecret?: boolean;
  readonly hint?: Hint;
}

/**
 * Refuses a name that an object has twice, because parsers disagree about which value counts, and a
 * number that JavaScript would change.
 * @param name of the text in messages
 */
export function readUserJson(text: string, name: string, options: ReadJsonOptions = {}): unknown {
  const refuse = (why: string) => usageError(`${name} cannot be read as JSON${why}.`, options.hint);
  if (survey(text).isTooDeep) throw refuse(`: it nests deeper than ${MAX_LEVELS} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refuse(options.isSecret ? '' : `: ${(error as SyntaxError).message}`);
  }
  const fault = faultIn(text, options);
  if (fault !== undefined) throw refuse(`: ${fault}`);
  return value;
}

function faultIn(
  text: string,
  { isRaw = false, isSecret = false }: ReadJsonOptions,
): string | undefined {
  /** For each open bracket the names of its object so far, or undefined for an array. */
  const open: (Set<unknown> | undefined)[] = [];
  let last = '';
  let fault: string | undefined;
  scan(text, (first, start, end) => {
    const names = open.at(-1);
    const token = text.slice(start, end);
    if (first === '{') open.push(new Set());
    else if (first === '[') open.push(undefined);
    else if (first === '}' || first === ']') open.pop();
    else if (first === '"' && names !== undefined && last !== ':') {
      const name: string = JSON.parse(token);
      if (names.has(name)) fault = `the name ${quoted(name)} is there twice`;
      names.add(name);
    } else if (/[-\d]/.test(first) && !isRaw && !isExact(token)) {
      fault = `the number ${isSecret ? '' : `${token} `}cannot be sent exactly`;
    }
    last = first;
    return fault !== undefined;
  });
  return fault;
}

/** Whole numbers to the last digit, others unless they overflow. */
function isExact(number: string): boolean {
  const value = Number(number);
  if (!Number.isFinite(value)) return false;
  return /[.eE]/.test(number) || String(value) === number || BigInt(number) === BigInt(value);
}
