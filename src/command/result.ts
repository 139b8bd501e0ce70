import type { CliError } from '../errors.ts';
import { toJsonText } from '../json/raw-json.ts';
import { keepNumbers } from '../json/tokens.ts';
import type { Answer } from '../service/call.ts';
import type { NameKind } from './parameters.ts';

/** A name that Tab and pickers offer. */
export interface KnownName {
  readonly name: string;
  /** What it stands for, such as the name of an organization. */
  readonly about?: string | undefined;
}

/** Names by their kind, the latest first. */
export type KnownNames = { readonly [K in NameKind]?: readonly KnownName[] };

/** What a command returns; one place prints it, for people or as JSON. */
export interface Result<Value> {
  /** What `human` shows. */
  readonly value: Value;
  /** What `--json` prints: JSON text as it came, or nothing where the answer was streamed already. */
  readonly json: string | undefined;
  /** Set where the answer says something bad: it is printed, then this error ends the command. */
  readonly failure?: CliError | undefined;
  /** The exit code where the command succeeded with one of its own, as `sandbox exec` does. */
  readonly exitCode?: number | undefined;
  /** What must reach the user even when stdout is gone, such as the id of an order. */
  readonly receipt?: string | undefined;
  /** What was changed, in a sentence: an error of the output begins with it, so that nobody does it a second time. */
  readonly done?: string | undefined;
  /** Names that the answer told, for Tab and pickers; those that were typed are remembered anyway. */
  readonly seen?: KnownNames | undefined;
  /** Runs once the result is printed: for what must not be done before the user has it. */
  readonly delivered?: (() => Promise<void>) | undefined;
}

/** The version of the documents that svc itself makes; it grows when a field changes its meaning or goes. */
export const SCHEMA_VERSION = 1;

/** A result that is the service's answer. */
export function answered<Value>(answer: Answer<unknown>, value: Value, failure?: CliError): Result<Value> {
  return { value, json: answer.streamed ? undefined : answer.text, failure };
}

/** A result that confirms nothing: people see the value, `--json` prints the failure alone. */
export function unprinted<Value>(value: Value, failure: CliError): Result<Value> {
  return { value, json: undefined, failure };
}

/**
 * A result that is the service's answer to a read, which a large answer may have streamed already.
 * @param view makes what people see of it.
 */
export function readAnswer<T, Value>(answer: Answer<T>, view: (value: T) => Value): Result<Value> {
  // Only `--json` streams, and then `human` sees nothing.
  return answered(answer, answer.streamed ? (undefined as unknown as Value) : view(asWritten(answer)));
}

/**
 * An answer as people see it: numbers that JavaScript would write in another way are texts, as the service wrote them.
 * What svc decides, it decides by {@link Answer.value}.
 */
export function asWritten<T>(answer: Answer<T>): T {
  const text = keepNumbers(answer.text);
  return text === answer.text ? answer.value : JSON.parse(text);
}

/**
 * A result that is a document of svc's own making.
 * @param toDocument what of the value `--json` prints; all of it unless told otherwise.
 */
export function document<Value extends object>(
  value: Value,
  failure?: CliError,
  toDocument: (value: Value) => object = (whole) => whole,
): Result<Value> {
  return { value, json: toJsonText({ schemaVersion: SCHEMA_VERSION, ...toDocument(value) }), failure };
}

/** A result that has been shown already, or has nothing to show. */
export function silent(failure?: CliError): Result<undefined> {
  return { value: undefined, json: undefined, failure };
}
