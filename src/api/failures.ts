import { changesSomething } from '../contract/operations.ts';
import { CliError, type Hint } from '../errors.ts';
import { isLoopback } from '../http/address.ts';
import { describeAuthorities } from '../http/authorities.ts';
import {
  getRequestId,
  type HttpResponse,
  isJson,
  isUnknownAuthority,
  type TransportError,
  wantsClientCertificate,
} from '../http/send.ts';
import type { JsonObject } from '../json/values.ts';
import { parseUrl } from '../parse-url.ts';
import type { Unreadable } from './body.ts';
import type { ErrorContext } from './call.ts';
import { type ErrorTexts, readErrorBody, readErrorObject } from './error-body.ts';
import { describeWait, type FailedAttempt, parseRetryAfter } from './retry.ts';
import { type FailureRule, getFailureRule, leavesDoubt, WRONG_ADDRESS } from './statuses.ts';

/** A failed attempt with its error. */
export interface Failure extends FailedAttempt {
  /** Thrown if no further attempt succeeds. */
  readonly error: CliError;
}

type Head = Pick<HttpResponse, 'status' | 'headers'>;
type ErrorAnswer = Head & { readonly bytes: Uint8Array };

/**
 * Creates the failure of an answer that is not 2xx, by the row in statuses.ts, and with the
 * platform's own words if there are any.
 */
export function createAnswerFailure(
  answer: ErrorAnswer,
  context: ErrorContext,
  nowMs: number,
): Failure {
  const { status, headers } = answer;
  const details = { status, requestId: getRequestId(headers) };
  const elsewhere = findAnswerElsewhere(answer, context);
  if (elsewhere !== undefined) {
    const message = `${elsewhere.host} says that the answer is at ${elsewhere.pathname} (${status}), so the request may have been carried out. svc does not follow redirects.`;
    const error = new CliError('unavailable', message, details);
    return { error, kind: status, outcomeUnknown: true };
  }

  const rule = getFailureRule(status);
  const retryAfterMs = parseRetryAfter(headers, nowMs);
  const retryAfterSeconds = retryAfterMs && Math.ceil(retryAfterMs / 1000);
  const when = retryAfterSeconds ? describeWait(retryAfterSeconds, nowMs).whenOver : undefined;

  const texts = readErrorBody(answer.bytes, headers['content-type'] ?? '');
  const { message, hint, lines = texts.lines } = explain(rule, answer, texts, context);
  const error = new CliError(rule.code, message, {
    ...details,
    hint: hint ?? rule.suggest?.(context.operation, when),
    retryAfterSeconds,
    service: texts.object,
    lines: lines.length === 0 ? undefined : lines,
  });
  return { error, kind: status, retryAfterMs };
}

/**
 * Finds where the answer to a change is, if a redirect says that it was carried out: the answer of
 * a POST is then elsewhere (303, RFC 9110), or at another path of the API.
 */
function findAnswerElsewhere(
  { status, headers: { location } }: Head,
  { operation, url }: ErrorContext,
): URL | undefined {
  const mayBeElsewhere = changesSomething(operation) && [301, 302, 303].includes(status);
  if (location === undefined || !mayBeElsewhere) return undefined;
  const target = parseUrl(location, url.href);
  if (target?.origin !== url.origin) return undefined;
  if (status === 303) return target;

  const [base = ''] = url.pathname.split('/v1/');
  const isOfApi = target.pathname.startsWith(`${base}/v1/`);
  const isOtherPath = trimSlash(target.pathname) !== trimSlash(url.pathname);
  return isOfApi && isOtherPath ? target : undefined;
}

function trimSlash(path: string): string {
  return path.replace(/\/$/, '');
}

/** Creates the failure of a 2xx that has nothing but the Error object of the API: a refusal. */
export function createRefusal(value: JsonObject, { status, headers }: Head): Failure {
  const { text, lines } = readErrorObject(value);
  const refused = `The platform refused the request (${status})`;
  const sentence = text === undefined ? refused : `${refused}: ${text}`;
  return {
    error: new CliError('rejected', lines.length > 0 ? `${sentence}:` : sentence, {
      status,
      requestId: getRequestId(headers),
      service: value,
      lines,
    }),
  };
}

interface Explanation {
  readonly message: string;
  readonly hint?: Hint | undefined;
  readonly lines?: readonly string[];
}

/** A code such as `not_found`, which says too little to people. */
const BARE_CODE = /^[a-z][a-z0-9_]*$/;

function explain(
  rule: FailureRule,
  answer: ErrorAnswer,
  texts: ErrorTexts,
  context: ErrorContext,
): Explanation {
  const byStatus = explainByStatus(rule, answer, texts, context);
  if (byStatus !== undefined) return byStatus;

  const { status, headers, bytes } = answer;
  const { host, pathname } = context.url;
  const { object, text, lines } = texts;
  const { describe, prefix } = rule;
  const sentence = `${describe?.(host, pathname) ?? prefix} (${status})`;
  // A failing gateway answers with a page of its own; any other page comes from a wrong address.
  const isOfPlatform =
    object !== undefined || isJson(headers) || bytes.length === 0 || rule.code === 'unavailable';
  const hint = isOfPlatform ? undefined : WRONG_ADDRESS;

  if (text === undefined) {
    if (lines.length > 0) return { message: 'The platform refused the request:' };
    return isOfPlatform ? { message: `${sentence}.` } : { message: notTheApi(answer, host), hint };
  }
  if (object === undefined) return { message: `${sentence}: ${text}`, hint };
  if (prefix !== undefined) return { message: `${prefix} (${status}): ${text}` };
  return { message: BARE_CODE.test(text) ? `${sentence}: ${text.replaceAll('_', ' ')}` : text };
}

/** Explains what the status alone decides. */
function explainByStatus(
  rule: FailureRule,
  answer: ErrorAnswer,
  texts: ErrorTexts,
  context: ErrorContext,
): Explanation | undefined {
  const { url } = context;
  if (rule.code === 'unexpected') return explainRedirect(rule, answer, url);
  const isPage = texts.object === undefined && /html/i.test(answer.headers['content-type'] ?? '');
  if (rule.code === 'unauthenticated' && isPage) {
    const say =
      'The page is not of the API: a gateway or network wants a sign-in of its own. Sign in there first.';
    return { message: notTheApi(answer, url.host), hint: { ...WRONG_ADDRESS, say } };
  }
  if (rule.code === 'unauthenticated') return explain401(texts, context);
  return answer.status === 404 ? explainDoubledVersion(url) : undefined;
}

function notTheApi({ status, headers }: Head, host: string): string {
  const [type = 'something without a type'] =
    /^[\w.+-]{1,60}\/[\w.+-]{1,60}/.exec(headers['content-type'] ?? '') ?? [];
  const content = type === 'text/html' ? 'a web page' : type;
  return `${host} answered with ${content} instead of the API (${status}).`;
}

/** The hint repeats the target: in JSON the platform's own words may replace the message. */
function explainRedirect(
  { describe }: FailureRule,
  { status, headers: { location } }: ErrorAnswer,
  url: URL,
): Explanation {
  const { host, pathname } = url;
  if (describe !== undefined) {
    return { message: `${describe(host, pathname)} (${status}).`, hint: WRONG_ADDRESS };
  }
  const target = location === undefined ? undefined : parseUrl(location, url.href);
  const isWeb = target !== undefined && /^https?:$/.test(target.protocol);
  const where = isWeb ? `to ${target.origin}` : 'elsewhere';
  const message = `${host} redirects ${where} (${status}). svc does not follow redirects: your sign-in belongs to ${host}.`;
  const say = `Check the address of the platform, which redirects ${where}.`;
  return { message, hint: isWeb ? { ...WRONG_ADDRESS, say } : WRONG_ADDRESS };
}

/** Says that an address ends in `/v1`, if it does, and proposes the one without. */
function explainDoubledVersion({ origin, pathname }: URL): Explanation | undefined {
  const end = pathname.indexOf('/v1/v1/');
  if (end < 0) return undefined;
  return {
    message: `${origin}${pathname} does not exist (404): the address ends in /v1, which svc adds itself.`,
    hint: `Use ${origin}${pathname.slice(0, end)} as the address, with svc login, --api-url or SVC_API_URL.`,
  };
}

function explain401(
  { text, lines }: ErrorTexts,
  { credential, explain401, operation }: ErrorContext,
): Explanation {
  const hasSignIn = credential !== undefined && operation.credentials !== 'none';
  const explanation = hasSignIn
    ? {
        message: `The platform did not accept the sign-in from ${credential.source} (401).`,
        hint: {
          say: `Sign in, or replace the token from ${credential.source}.`,
          run: ['svc login'],
        },
      }
    : { message: 'The platform requires you to sign in (401).', hint: 'svc login' };
  return {
    ...explanation,
    ...explain401?.(),
    lines: text === undefined ? lines : [`The platform says: ${text}`, ...lines],
  };
}

/** Creates the failure of an unreadable 2xx; the outcome of a change is then unknown. */
export function createUnreadableFailure(
  unreadable: Unreadable,
  answer: Head,
  { url: { host }, operation }: ErrorContext,
): Failure {
  const { status, headers } = answer;
  const isOfPlatform = isJson(headers) || unreadable.hint !== undefined || status === 204;
  const message = isOfPlatform
    ? `The answer from ${host} ${unreadable.message} (${status}).`
    : notTheApi(answer, host);
  const outcomeUnknown = changesSomething(operation);
  const error = new CliError(outcomeUnknown ? 'unavailable' : 'unexpected', message, {
    status,
    requestId: getRequestId(headers),
    cause: unreadable,
    hint: outcomeUnknown ? undefined : (unreadable.hint ?? WRONG_ADDRESS),
  });
  return { error, outcomeUnknown };
}

/** Creates the failure of a request that got no complete answer (exit 8). */
export function createTransportFailure(
  error: TransportError,
  context: ErrorContext,
  nowMs: number,
): Failure {
  const retryAfterMs = parseRetryAfter(error.headers, nowMs);
  return {
    error: new CliError('unavailable', error.message, {
      hint: findHint(error, context),
      retryAfterSeconds: retryAfterMs && Math.ceil(retryAfterMs / 1000),
      cause: error,
    }),
    kind: error.kind,
    retryAfterMs,
  };
}

function findHint(error: TransportError, context: ErrorContext): Hint | undefined {
  const { kind, code } = error;
  const { url, operation, extraAuthorities } = context;
  if (kind === 'tls' && isUnknownAuthority(error)) {
    return (
      describeAuthorities(extraAuthorities, url.host) ??
      'If your network or platform has its own certificate authority, set NODE_EXTRA_CA_CERTS=<file>.'
    );
  }
  if (kind === 'tls' && wantsClientCertificate(error)) {
    return 'svc cannot send a client certificate. Ask for an address that needs none, or use a proxy that sends it.';
  }
  if (code === 'PROXY_407') return 'Set a valid user name and password in HTTPS_PROXY.';
  if (code === 'ECONNREFUSED' && isLoopback(url.hostname)) {
    return {
      say: 'Nothing is running there. To start a sandbox on this machine:',
      run: ['svc sandbox'],
    };
  }
  // Of a change in doubt, other advice comes first.
  return leavesDoubt(getFailureRule(kind), operation.retry) ? undefined : 'svc doctor';
}
