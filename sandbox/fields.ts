import { findNameProblem } from '../src/contract/text.ts';
import { isObject, type JsonObject } from '../src/json/values.ts';
import { Refusal } from './web/refusal.ts';

/** The rules of a text field; lengths are in UTF-16 units. */
export interface TextRule {
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: RegExp;
  /** Completes "must be …" if the pattern does not match. */
  readonly form?: string;
  readonly findFault?: (text: string) => string | undefined;
}

/** Reads the fields of a body and collects their faults, so that one answer names them all. */
export interface BodyReader {
  has(name: string): boolean;
  /** Returns undefined if the field is absent or wrong, as the other readers do. */
  text(name: string, rule?: TextRule): string | undefined;
  /** Requires a text that is not empty. Returns an empty one if it is absent or wrong. */
  requiredText(name: string, rule?: TextRule): string;
  wholeNumber(name: string, min: number, max?: number): number | undefined;
  flag(name: string): boolean | undefined;
  choice<Value extends string>(name: string, values: readonly Value[]): Value | undefined;
  object(name: string): JsonObject | undefined;
  list(name: string, max: number): BodyReader[];
  fault(name: string, message: string): void;
  /** @throws Refusal 400 with the field errors, if there are any. */
  refuseIfWrong(): void;
}

/** `prefix` and `faults` are for the readers of `list`. */
export function createBodyReader(
  body: JsonObject,
  prefix = '',
  faults = new Map<string, string>(),
): BodyReader {
  const has = (name: string) => Object.hasOwn(body, name);
  const fault = (name: string, message: string) => {
    if (!faults.has(prefix + name)) faults.set(prefix + name, message);
  };
  const read = <T>(
    name: string,
    accepts: (value: unknown) => value is T,
    message: string,
  ): T | undefined => {
    const value = has(name) ? body[name] : undefined;
    if (value === undefined || accepts(value)) return value;
    fault(name, message);
    return undefined;
  };
  const text = (name: string, rule: TextRule = {}) => {
    const value = read(name, (given) => typeof given === 'string', 'must be a string');
    const wrong = value === undefined ? undefined : findTextFault(value, rule);
    if (wrong === undefined) return value;
    fault(name, wrong);
    return undefined;
  };
  return {
    has,
    fault,
    text,
    requiredText(name, rule) {
      if (!has(name)) fault(name, 'is required');
      return text(name, { min: 1, ...rule }) ?? '';
    },
    wholeNumber(name, min, max) {
      const range = max === undefined ? `${min}` : `${min} to ${max}`;
      return read(name, isWithin(min, max), `must be a whole number from ${range}`);
    },
    flag: (name) => read(name, (value) => typeof value === 'boolean', 'must be true or false'),
    choice: (name, values) => read(name, isOneOf(values), `must be one of ${values.join(', ')}`),
    object: (name) => read(name, isObject, 'must be an object'),
    list(name, max) {
      if (!has(name)) fault(name, 'is required');
      const entries = read(name, isListOf(max), `must be an array of 1 to ${max} objects`) ?? [];
      return entries.map((entry, index) =>
        createBodyReader(entry, `${prefix}${name}[${index}].`, faults),
      );
    },
    refuseIfWrong() {
      if (faults.size > 0) throw new Refusal(400, Object.fromEntries(faults));
    },
  };
}

function isWithin(min: number, max = Number.MAX_SAFE_INTEGER) {
  return (value: unknown): value is number =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
}

function isOneOf<Value extends string>(values: readonly Value[]) {
  return (value: unknown): value is Value => values.some((allowed) => allowed === value);
}

function isListOf(max: number) {
  return (value: unknown): value is readonly JsonObject[] =>
    Array.isArray(value) && value.length > 0 && value.length <= max && value.every(isObject);
}

function findTextFault(value: string, rule: TextRule): string | undefined {
  const { min = 0, max = 1_000, pattern, form, findFault } = rule;
  if (value.length < min) return 'must not be empty';
  if (value.length > max) return `must be at most ${max} characters long`;
  if (pattern !== undefined && !pattern.test(value)) return `must be ${form ?? 'well-formed'}`;
  return findFault?.(value);
}

/** A domain name in ASCII with two or more labels. */
export const DOMAIN_RULE: TextRule = {
  max: 253,
  findFault: (name) => findNameProblem(name) ?? (name.includes('.') ? undefined : 'has no dot'),
};
