import { CliError, type ErrorCode } from '../errors.ts';
import { isLoopback } from '../http/address.ts';
import { type HttpResponse, requestIdOf } from '../http/send.ts';
import type { TransportError } from '../http/transport-error.ts';
import { changesSomething, type Operation } from '../spec/operations.ts';
import type { Unreadable } from './body.ts';
import { readErrorBody, type ServiceWords } from './error-body.ts';
import type { ClientCredential } from './request.ts';
import {
  codeOfStatus,
  type FailedAttempt,
  outcomeOfStatus,
  outcomeOfTransportError,
  parseRetryAfter,
  waitInWords,
} from './retry.ts';

// What an attempt that brought no result means for the user: loaded once there is one.

/** An attempt that brought no result. */
export interface Failure extends FailedAttempt {
  /** What the user is told if it stays so. */
  readonly error: CliError;
}

/** What errors are told about the request that they belong to. */
export interface ErrorContext {
  readonly operation: Operation;
  readonly url: URL;
  readonly credential: ClientCredential | undefined;
  readonly explain401?: (() => { readonly message?: string; readonly hint?: string } | undefined) | undefined;
}

/** The head of an answer that is not 2xx, and its body as far as it was read. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

/** What an answer that is not 2xx means: the exit-code table, and what the service says about it. */
export function failureOfAnswer(answer: ErrorAnswer, context: ErrorContext, nowMs: number): Failure {
  const { status, headers } = answer;
  const code = codeOfStatus(status);
  const retryAfterMs = parseRetryAfter(headers, nowMs);
  const words = readErrorBody(answer.bytes, headers['content-type'] ?? '');
  const seconds = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000);
  const { message, hint, lines = words.lines } = explain(code, answer, words, context);
  const error = new CliError(code, message, {
    status,
    hint: seconds && mayRepeat(code, context) ? `the same command ${waitInWords(seconds, nowMs).whenOver}` : hint,
    retryAfterSeconds: seconds,
    requestId: requestIdOf(headers),
    service: words.object,
    lines: lines.length === 0 ? undefined : lines,
  });
  return { error, outcome: outcomeOfStatus(status, retryAfterMs !== undefined), retryAfterMs };
}

interface Explanation {
  readonly message: string;
  readonly hint?: string | undefined;
  /** In place of the service's field errors. */
  readonly lines?: readonly string[];
}

function explain(code: ErrorCode, answer: ErrorAnswer, words: ServiceWords, context: ErrorContext): Explanation {
  if (code === 'unexpected') return explainRedirect(answer, context.url);
  if (code === 'unauthenticated') return explain401(words, context);
  const hint = words.object === undefined && !isJson(answer) ? WRONG_ADDRESS : hintFor(code, context);
  if (words.object === undefined && words.text !== undefined) {
    return { message: `${ownWords(code, answer.status, context.url).slice(0, -1)}: ${words.text}`, hint };
  }
  if (words.text !== undefined) return { message: said(words.text, code, answer.status), hint };
  if (words.lines.length > 0) return { message: 'The service refused the request:' };
  if (words.object === undefined && answer.bytes.length > 0 && !isJson(answer)) {
    return { message: notTheApi(answer, context.url), hint };
  }
  return { message: ownWords(code, answer.status, context.url), hint: hintFor(code, context) };
}

/** What is said of an answer that comes from something else than the service. */
export function notTheApi({ status, headers }: Pick<ErrorAnswer, 'status' | 'headers'>, url: URL): string {
  return `Not the API: got ${mediaTypeOf(headers)} from ${url.host} (${status}).`;
}

/** What an answer calls itself, such as `text/html`, in words where it does not. */
export function mediaTypeOf(headers: ErrorAnswer['headers']): string {
  return /^[\w.+-]{1,60}\/[\w.+-]{1,60}/.exec(headers['content-type'] ?? '')?.[0] ?? 'something without a type';
}

/** What to look at when something else than the service answers. */
export const WRONG_ADDRESS = 'svc doctor, to check the address of the service';

function isJson({ headers }: ErrorAnswer): boolean {
  return /\bjson\b/i.test(headers['content-type'] ?? '');
}

/** The target stands in the hint as well: in JSON the service's own words may take the place of the message. */
function explainRedirect({ status, headers }: ErrorAnswer, url: URL): Explanation {
  const location = headers['location'];
  const target = location !== undefined && URL.canParse(location, url.href) ? new URL(location, url.href) : undefined;
  const where = target !== undefined && /^https?:$/.test(target.protocol) ? target.origin : undefined;
  const to = where ?? 'nowhere known';
  return {
    message: `${url.host} redirects to ${to} (${status}). svc does not follow redirects: your sign-in belongs to ${url.host}.`,
    hint: where === undefined ? WRONG_ADDRESS : `${WRONG_ADDRESS}, which leads to ${where}`,
  };
}

function explain401(words: ServiceWords, { credential, explain401, operation }: ErrorContext): Explanation {
  const own =
    credential === undefined || operation.credentials === 'none'
      ? { message: 'The service requires you to sign in (401).', hint: 'svc login' }
      : {
          message: `The service did not accept the sign-in from ${credential.source} (401).`,
          hint: `svc login, or a valid token in place of the one from ${credential.source}`,
        };
  const said = words.text === undefined ? [] : [`The service says: ${words.text}`];
  return { ...own, ...explain401?.(), lines: [...said, ...words.lines] };
}

/** A service in trouble says little: who says it and the status belong to it. */
function said(text: string, code: ErrorCode, status: number): string {
  return code === 'unavailable' ? `The service has a problem (${status}): ${text}` : text;
}

/** Whether the same command later is the next step: not where it may have been carried out. */
function mayRepeat(code: ErrorCode, { operation }: ErrorContext): boolean {
  return code === 'rate_limited' || (code === 'unavailable' && !changesSomething(operation));
}

function hintFor(code: ErrorCode, { operation }: ErrorContext): string | undefined {
  if (code === 'unavailable' && !changesSomething(operation)) return 'the same command again in a few minutes';
  if (code === 'rate_limited') return 'the same command in a minute';
  if (code === 'forbidden') return 'svc whoami, to see the account and the organization in use';
  // What has an id belongs to an organization, and may be there in another one.
  const hasId = operation.number !== undefined && operation.path.includes('{id}');
  return code === 'not_found' && hasId ? 'svc orgs, and --org <slug> if it belongs to another organization' : undefined;
}

function ownWords(code: ErrorCode, status: number, url: URL): string {
  switch (code) {
    case 'forbidden':
      return 'This account or organization is not allowed to do that (403).';
    case 'not_found':
      return `${url.host} has nothing at ${url.pathname} (404).`;
    case 'rate_limited':
      return 'Too many requests (429).';
    case 'unavailable':
      return `${url.host} is not available (${status}).`;
    default:
      return `The service refused the request (${status}).`;
  }
}

/** What a transport error means: no answer, exit 8. */
export function failureOfTransportError(error: TransportError, context: ErrorContext): Failure {
  return {
    error: new CliError('unavailable', error.message, { hint: hintForTransportError(error, context), cause: error }),
    outcome: outcomeOfTransportError(error.kind),
  };
}

/** What a 2xx means that is not the API's: a wrong address for a read, a request in doubt for a write. */
export function failureOfUnreadable(
  unreadable: Unreadable,
  answer: Pick<HttpResponse, 'status' | 'headers'>,
  context: ErrorContext,
): Failure {
  const { status, headers } = answer;
  const type = headers['content-type'] ?? '';
  const message = /\bjson\b/i.test(type)
    ? `The answer from ${context.url.host} ${unreadable.message} (${status}).`
    : notTheApi(answer, context.url);
  const outcomeUnknown = changesSomething(context.operation);
  return {
    error: new CliError(outcomeUnknown ? 'unavailable' : 'unexpected', message, {
      status,
      hint: outcomeUnknown ? undefined : WRONG_ADDRESS,
      requestId: requestIdOf(headers),
      cause: unreadable,
    }),
    outcomeUnknown,
  };
}

function hintForTransportError(error: TransportError, { url, operation }: ErrorContext): string | undefined {
  if (error.kind === 'tls' && /CERT|ISSUER|LEAF/.test(error.code)) {
    return 'NODE_EXTRA_CA_CERTS=<file>, if your network has its own certificate authority';
  }
  if (error.code === 'PROXY_407') return 'a valid user name and password in HTTPS_PROXY';
  if (error.code === 'ECONNREFUSED' && isLoopback(url.hostname))
    return 'svc sandbox, to start a service on this machine';
  // Where the request may have been carried out, that comes first.
  const outcomeUnknown = changesSomething(operation) && error.kind !== 'not_sent' && error.kind !== 'tls';
  return outcomeUnknown ? undefined : 'svc doctor, to see what is in the way';
}
