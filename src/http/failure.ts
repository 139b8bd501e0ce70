import type { CliError } from '../errors.ts';
import type { Operation } from '../spec/operations.ts';
import type { ClientCredential } from './credential.ts';
import type { Outcome } from './retry.ts';

/** An attempt that brought no result. */
export interface Failure {
  /** What the user is told if it stays so. */
  readonly error: CliError;
  /** The column of the retry table; `undefined` where the answer is final. */
  readonly outcome?: Outcome | undefined;
  /** Milliseconds that the service asks to wait. */
  readonly retryAfterMs?: number | undefined;
  /** The request may have been carried out, whatever the table says: its answer came but cannot be used. */
  readonly carriedOut?: boolean;
}

/** What errors are told about the request that they belong to. */
export interface ErrorContext {
  readonly operation: Operation;
  readonly url: URL;
  readonly credential: ClientCredential | undefined;
  readonly explain401?: (() => { readonly message?: string; readonly hint?: string } | undefined) | undefined;
}

/** Whether the operation changes something that a lost answer leaves in doubt. */
export function changesSomething(operation: Operation): boolean {
  return operation.retry === 'write' || operation.retry === 'keyed';
}
