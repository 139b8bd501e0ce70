import type { CliError } from '../errors.ts';
import type { Screen } from '../terminal/screen.ts';

/** One of several. */
export interface OneOfSeveral {
  /** Its place in the list, from 0. */
  readonly index: number;
  readonly id: string;
}

/** What a command makes of the results of several together, instead of showing each as if it were alone. */
export interface Together<Value> {
  /** Whether it prints data for programs and nothing else: what failed is then a warning on stderr. */
  readonly isData: boolean;
  /** The rows of `--csv`, as the results come. */
  readonly csv: { readonly head: readonly string[]; rowsOf(value: Value): Iterable<readonly unknown[]> };
  /** Takes a result as it comes, in the order of completion. `value` is undefined if there is none. */
  add(item: OneOfSeveral, value: Value | undefined, error: CliError | undefined): void;
  /** Writes what is made of all of them: to files, or to stdout if it is data. */
  end(): Promise<void>;
  /** Shows all of them to people. */
  show(screen: Screen): void;
}
