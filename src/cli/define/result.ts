import type { Answer } from '../../api/call.ts';
import { unwrap } from '../../api/own-level.ts';
import type { CliError, ErrorDetails } from '../../errors.ts';
import { keepNumbers } from '../../json/scan.ts';
import type { Screen, Text } from '../../terminal/screen.ts';
import type { NameKind } from '../values/parameters.ts';

/** A name that completion and pickers offer. */
export interface KnownName {
  readonly name: string;
  /** The name that people know it by, or the service of a deployment. */
  readonly about?: string | undefined;
  readonly org?: string | undefined;
}

/** Names by their kind, the latest first. */
export type KnownNames = { readonly [K in NameKind]?: readonly KnownName[] };

/** Goes to stderr once the result is printed. */
export interface Warning {
  readonly text: Text;
  /** Stable, in snake_case. */
  readonly code: string;
}

/** The result of a command, which one place prints. */
export interface Result<Value> {
  readonly value: Value;
  /** Shows the value in place of `human` of the command. */
  readonly show?: ((screen: Screen) => void) | undefined;
  /** The text that `--json` prints. */
  readonly json: string | undefined;
  /** Makes the answer of a tool of `svc mcp` in place of `json`. */
  readonly forTool?: (() => object) | undefined;
  /** Ends the command once the answer is printed. */
  readonly failure?: CliError | undefined;
  /** The exit code of a success, as `sandbox exec` has. */
  readonly exitCode?: number | undefined;
  /** A sentence. If printing fails, the error begins with it, so that nobody repeats the change. */
  readonly doneSentence?: string | undefined;
  /** The fields of that error. */
  readonly createdIds?:
    | Pick<ErrorDetails, 'orderId' | 'jobId' | 'idempotencyKey' | 'hint'>
    | undefined;
  readonly warnings?: readonly Warning[] | undefined;
  /** Whether what was begun goes on: a job that was queued, and not waited for. */
  readonly isUnfinished?: boolean | undefined;
  /** Names in the answer; typed ones are remembered anyway. */
  readonly namesToCache?: KnownNames | undefined;
  /** Runs once the result is printed, or a reader has closed the pipe. */
  readonly onDelivered?: (() => Promise<void>) | undefined;
}

/** The API's answer as a result. */
export function toResult<Value>(
  answer: Answer<unknown>,
  value: Value,
  failure?: CliError,
): Result<Value> {
  return { value, json: answer.text, failure };
}

/** `view` makes the value for people. */
export function readAnswer<T, Value>(answer: Answer<T>, view: (value: T) => Value): Result<Value> {
  return toResult(answer, view(asWritten(answer)));
}

/**
 * Returns the value for people: numbers that JavaScript would write otherwise are texts. Decide by
 * {@link Answer.value}.
 */
export function asWritten<T>(answer: Answer<T>): T {
  const text = keepNumbers(answer.text);
  return text === answer.text
    ? answer.value
    : (unwrap(JSON.parse(text), answer.operation).value as T);
}

/** Sets the view of a result, for a command whose results are of several kinds. */
export function withView<Value>(
  result: Result<Value>,
  show: (screen: Screen, value: Value) => void,
): Result<never> {
  return { ...result, value: undefined as never, show: (screen) => show(screen, result.value) };
}

/** The end of a command that prints as it goes, such as `login`. */
export interface Printed extends Pick<Result<unknown>, 'failure' | 'exitCode' | 'namesToCache'> {
  readonly isPrinted: true;
}

/** Nothing more is printed but an error. */
export function printed(ending: Omit<Printed, 'isPrinted'> = {}): Printed {
  return { isPrinted: true, ...ending };
}
