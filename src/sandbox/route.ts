import type { Operation } from '../spec/operations.ts';
import type { JsonObject } from '../spec/read.ts';
import type { Parts } from './parts.ts';
import { type Caller, identify } from './rules/caller.ts';

/** A request to an operation, as far as its route is concerned. */
export interface ApiRequest {
  /** The decoded `{name}` segments of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  header(name: string): string | undefined;
  /** The body, read when it is asked for. @throws Refusal 400 or 413 when it is not a JSON object of decent size. */
  body(): Promise<JsonObject>;
}

/** An answer: `body` becomes JSON. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type MaybePromise<T> = T | Promise<T>;

/** How the sandbox answers one operation. A refusal is thrown. */
export interface Route {
  readonly operation: Operation;
  answer(parts: Parts, request: ApiRequest): MaybePromise<Reply>;
}

/** A route of an operation that takes no credentials. */
export function openRoute(operation: Operation, answer: Route['answer']): Route {
  return { operation, answer };
}

/** A route of an operation that takes credentials; they are checked before anything else is looked at. */
export function signedInRoute(
  operation: Operation,
  answer: (parts: Parts, request: ApiRequest, caller: Caller) => MaybePromise<Reply>,
): Route {
  return {
    operation,
    answer: (parts, request) => answer(parts, request, identify(parts, request.header, operation.credentials)),
  };
}
