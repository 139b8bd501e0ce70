import type { Operation } from '../spec/operations.ts';

/** One use of an operation, before it becomes a request. */
export interface Call {
  readonly operation: Operation;
  /** Values of the `{name}` segments of the operation's path; each becomes one encoded segment. */
  readonly path?: Readonly<Record<string, string>>;
  /** Query parameters, sent in this order. */
  readonly query?: ReadonlyArray<readonly [name: string, value: string]>;
  /** Whether `--debug` may show the values of the query, where svc itself made them; their names are shown anyway. */
  readonly showsQuery?: boolean;
  /** A value that becomes JSON (see `toJsonText`), or bytes that are sent as they are. Absent: no body and no content type. */
  readonly body?: unknown;
  /** Headers beside those that the client sets itself. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where an answer over 1 MiB may stream to instead of being held; see {@link Answer.streamed}. */
  readonly stream?: AnswerStream | undefined;
  /** Bytes of an answer that is held; 10 MiB unless told otherwise. */
  readonly maxBytes?: number;
  /** Whether the answer may be any JSON value, or anything at all; otherwise it must be a JSON object. */
  readonly accept?: 'object' | 'object_or_array' | 'anything';
}

/** Takes a body as it arrives, checks that it is whole JSON, and passes it on. */
export interface AnswerStream {
  /** Takes the next bytes; waits while the reader is slow. */
  write(chunk: Uint8Array): Promise<void>;
  /** The body is complete. Throws when it is not one whole JSON value. */
  end(): Promise<void>;
}

/** A 2xx answer of the service. */
export interface Answer<T = unknown> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body; `undefined` where the answer was streamed or had no JSON body (`accept: 'anything'`). */
  readonly value: T;
  /** The body as it came, decoded as UTF-8; empty where it was streamed. */
  readonly text: string;
  /** The service's name for the request, where it gave one. */
  readonly requestId: string | undefined;
  /** How often the request was sent, at least 1. */
  readonly attempts: number;
  /** Whether the outcome of an earlier attempt is unknown: its answer was lost, and it may have been carried out. */
  readonly outcomeUnknown: boolean;
  /** Whether the body went to the call's stream. */
  readonly streamed: boolean;
}

/** What the API functions are given: sends a call with the sign-in, retries and error mapping of svc. */
export interface Client {
  /**
   * @throws CliError for every answer that is not 2xx and every break on the way, mapped as the exit-code table says.
   */
  call<T = unknown>(call: Call): Promise<Answer<T>>;
  /** The same request as `call` would send, without credentials; nothing is sent. Its body is one for `toJsonText`. */
  preview(call: Call): { method: string; url: string; headers: Record<string, string>; body: unknown };
}
