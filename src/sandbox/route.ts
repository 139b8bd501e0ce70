import type { JsonObject } from '../json/values.ts';
import { assumeFrom } from '../spec/assumptions.ts';
import type { Operation } from '../spec/operations.ts';
import { type Caller, identify } from './caller.ts';
import type { Parts } from './parts.ts';

/** What the sandbox takes for granted where the service's document shows no name. */
export const assumed = assumeFrom(new Map());

/** The lookup of a job; the service's document does not show it. */
export const GET_JOB: Operation = {
  name: 'getJob',
  method: 'GET',
  path: assumed('job.path'),
  credentials: 'token_or_session',
  retry: 'read',
};

/** A request to an operation, as far as its route is concerned. */
interface ApiRequest {
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
