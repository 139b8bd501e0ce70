import { createAssume } from '../src/contract/assumptions.ts';
import { createJobLookup, type Operation } from '../src/contract/operations.ts';
import type { JsonObject } from '../src/json/values.ts';
import { type Caller, identify } from './caller.ts';
import type { Parts } from './parts.ts';

/** The names and paths that the API document leaves open. */
export const assumed = createAssume(new Map());

/** The lookup of a job, at the path that svc assumes. */
export const GET_JOB = createJobLookup(assumed('job.path'));

/** A request to an operation, as a route sees it. */
export interface ApiRequest {
  /** The decoded `{name}` segments of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  header(name: string): string | undefined;
  /** Reads the body. @throws Refusal 400 or 413 unless it is a JSON object of at most 1 MiB. */
  body(): Promise<JsonObject>;
}

/** The answer to a request. */
export interface Reply {
  readonly status: number;
  /** Sent as JSON. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An operation, and how the sandbox answers it. */
export interface Route {
  readonly operation: Operation;
  /** @throws Refusal */
  answer(parts: Parts, request: ApiRequest): Reply | Promise<Reply>;
}

/** A route with credentials, which are checked first. */
export function signedInRoute(
  operation: Operation,
  answer: (parts: Parts, request: ApiRequest, caller: Caller) => Reply | Promise<Reply>,
): Route {
  return {
    operation,
    answer: (parts, request) =>
      answer(parts, request, identify(parts, request.header, operation.credentials)),
  };
}
