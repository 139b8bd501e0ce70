import type { CliError, ErrorDetails } from '../errors.ts';
import { keepNumbers } from '../json/scan.ts';
import type { Answer } from '../service/call.ts';
import type { Screen, Text } from '../terminal/screen.ts';
import type { NameKind } from './parameters.ts';

/** A name that completion and pickers offer. */
export interface KnownName {
  readonly name: string;
  /** A description, such as the name of an organization or of a service. */
  readonly about?: string | undefined;
  readonly org?: string | undefined;
}

/** Names by their kind, the latest first. */
export type KnownNames = { readonly [K in NameKind]?: readonly KnownName[] };

/** What a command that succeeded warns of; people and scripts get it on stderr, once the result is printed. */
export interface Warning {
  readonly text: Text;
  /** Stable, in snake_case. */
  readonly code: string;
}

/** What a command returns; one place prints it, for people or as JSON. */
export interface Result<Value> {
  readonly value: Value;
  /** Shows the result to people, instead of `human` of the command. */
  readonly show?: ((screen: Screen) => void) | undefined;
  /** What `--json` prints: the answer unchanged; undefined for nothing. */
  readonly json: string | undefined;
  /** Makes what a tool of `svc mcp` answers, if that is not the answer itself. */
  readonly forTool?: (() => object) | undefined;
  /** Ends the command with this error once the answer is printed. */
  readonly failure?: CliError | undefined;
  /** An exit code other than 0 for success, as `sandbox exec` has. */
  readonly exitCode?: number | undefined;
  /** What was changed, in a sentence. If printing fails, the error begins with it, so that nobody repeats the change. */
  readonly done?: string | undefined;
  /** What the same error names, such as the id of an order. */
  readonly made?: Pick<ErrorDetails, 'orderId' | 'jobId' | 'idempotencyKey' | 'hint'> | undefined;
  readonly warnings?: readonly Warning[] | undefined;
  /** Names in the answer, for completion and pickers; typed names are saved anyway. */
  readonly seen?: KnownNames | undefined;
  /** Runs once the result is printed, for what must not happen earlier. A reader who closes the pipe has it. */
  readonly delivered?: (() => Promise<void>) | undefined;
}

/** A result that is the API's answer. */
export function answered<Value>(answer: Answer<unknown>, value: Value, failure?: CliError): Result<Value> {
  return { value, json: answer.text, failure };
}

/** The API's answer to a read. `view` makes the value for people. */
export function readAnswer<T, Value>(answer: Answer<T>, view: (value: T) => Value): Result<Value> {
  return answered(answer, view(asWritten(answer)));
}

/** For people: numbers that JavaScript would write differently become texts. For decisions use {@link Answer.value}. */
export function asWritten<T>(answer: Answer<T>): T {
  const text = keepNumbers(answer.text);
  return text === answer.text ? answer.value : JSON.parse(text);
}

/** For a command whose results are of several kinds. */
export function shownBy<Value>(result: Result<Value>, show: (screen: Screen, value: Value) => void): Result<never> {
  return { ...result, value: undefined as never, show: (screen) => show(screen, result.value) };
}

/** How a command ended that prints as it goes, such as `login`: nothing more is printed but its error. */
export interface Printed extends Pick<Result<unknown>, 'failure' | 'exitCode' | 'seen'> {
  readonly isPrinted: true;
}

/** The end of a command that prints as it goes. */
export function printed(ending: Omit<Printed, 'isPrinted'> = {}): Printed {
  return { isPrinted: true, ...ending };
}

/** One of several. */
export interface OneOfSeveral {
  /** Its place in the list, from 0. */
  readonly index: number;
  readonly id: string;
}

/** One result of several, instead of one for each. */
export interface Together<Value> {
  /** The rows of `--csv`, as the results come. */
  readonly csv: {
    readonly head: readonly string[];
    rowsOf(value: Value, item: OneOfSeveral): Iterable<readonly unknown[]>;
  };
  /** Takes a result as it comes, in the order of completion. `value` is undefined if there is none. */
  add(item: OneOfSeveral, value: Value | undefined, error: CliError | undefined): void;
  end(): Promise<void>;
  show(screen: Screen): void;
}
