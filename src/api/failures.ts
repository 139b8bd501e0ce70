import { changesSomething } from '../contract/operations.ts';
import { hasControl } from '../contract/text.ts';
import { CliError, type Hint } from '../errors.ts';
import { getRequestId, type HttpResponse, isJson } from '../http/send.ts';
import { isObject, type JsonObject } from '../json/values.ts';
import { parseUrl } from '../parse-url.ts';
import { parseIfJson, type Unreadable } from './body.ts';
import type { ErrorContext } from './call.ts';
import { readErrorList, readErrorObject, readFieldMap, type ServiceWords } from './error-body.ts';
import { type FailedAttempt, parseRetryAfter, waitInWords } from './retry.ts';
import { type FailureRule, ruleOf } from './statuses.ts';

/** A failed attempt with its error. */
export interface Failure extends FailedAttempt {
  /** Thrown if no further attempt succeeds. */
  readonly error: CliError;
}

type Head = Pick<HttpResponse, 'status' | 'headers'>;
type ErrorAnswer = Head & { readonly bytes: Uint8Array };

/** By the row in statuses.ts, and with the platform's own words if there are any. */
export function failureOfAnswer(
  answer: ErrorAnswer,
  context: ErrorContext,
  nowMs: number,
): Failure {
  const { status, headers } = answer;
  const elsewhere = findAnswerElsewhere(answer, context);
  if (elsewhere !== undefined) return failureOfChangeElsewhere(answer, elsewhere, context);
  const rule = ruleOf(status);
  const retryAfterMs = parseRetryAfter(headers, nowMs);
  const words = readErrorBody(answer.bytes, headers['content-type'] ?? '');
  const seconds = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1000);
  const when = seconds ? waitInWords(seconds, nowMs).whenOver : undefined;
  const explained = explain(rule, answer, words, context);
  const { lines = words.lines } = explained;
  const error = new CliError(rule.code, explained.message, {
    status,
    hint: explained.hint ?? rule.next?.(context.operation, when),
    retryAfterSeconds: seconds,
    requestId: getRequestId(headers),
    service: words.object,
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
  if (!changesSomething(operation) || ![301, 302, 303].includes(status)) return undefined;
  const target = location === undefined ? undefined : parseUrl(location, url.href);
  if (target?.origin !== url.origin) return undefined;
  if (status === 303) return target;

  const [base = ''] = url.pathname.split('/v1/');
  const isOfApi = target.pathname.startsWith(`${base}/v1/`);
  const isOtherPath = trimSlash(target.pathname) !== trimSlash(url.pathname);
  return isOfApi && isOtherPath ? target : undefined;
}

function trimSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

function failureOfChangeElsewhere(
  { status, headers }: Head,
  target: URL,
  { url }: ErrorContext,
): Failure {
  const message = `${url.host} says that the answer is at ${target.pathname} (${status}), so the request may have been carried out. svc does not follow redirects.`;
  return {
    error: new CliError('unavailable', message, { status, requestId: getRequestId(headers) }),
    kind: status,
    outcomeUnknown: true,
  };
}

/** For a 2xx that has nothing but the Error object of the API: a refusal. */
export function failureOfErrorObject(value: JsonObject, { status, headers }: Head): Failure {
  const { object, text, lines } = readErrorObject(value);
  const said = text === undefined ? ':' : `: ${text}${lines.length > 0 ? ':' : ''}`;
  const message = `The platform refused the request (${status})${said}`;
  return {
    error: new CliError('rejected', message, {
      status,
      requestId: getRequestId(headers),
      service: object,
      lines,
    }),
  };
}

function readErrorBody(bytes: Uint8Array, contentType: string): ServiceWords {
  const value = parseIfJson(bytes);
  if (Array.isArray(value)) return readErrorList(value);
  if (isObject(value)) {
    const words = readErrorObject(value);
    return saysNothing(words) ? readFieldMap(value) : words;
  }
  const message = typeof value === 'string' ? value : plainText(bytes, contentType);
  return { ...readErrorObject({ message }), object: undefined };
}

function saysNothing({ text, lines }: ServiceWords): boolean {
  return text === undefined && lines.length === 0;
}

const MAX_PLAIN_TEXT_BYTES = 500;

/** As one line; nothing of a page, broken JSON, or binary. */
function plainText(bytes: Uint8Array, contentType: string): string | undefined {
  const isText =
    contentType === '' || /^(?:text\/plain|application\/(?:[\w.-]+\+)?json)\b/i.test(contentType);
  if (!isText || bytes.length > MAX_PLAIN_TEXT_BYTES) return undefined;
  const text = new TextDecoder().decode(bytes).trim().replace(/\s+/g, ' ');
  return /^[<{["]/.test(text) || text.includes('\ufffd') || hasControl(text) ? undefined : text;
}

interface Explanation {
  readonly message: string;
  readonly hint?: Hint | undefined;
  readonly lines?: readonly string[];
}

function explain(
  rule: FailureRule,
  answer: ErrorAnswer,
  words: ServiceWords,
  context: ErrorContext,
): Explanation {
  const { status, headers, bytes } = answer;
  const { host, pathname } = context.url;
  const byStatus = explainByStatus(rule, answer, words, context);
  if (byStatus !== undefined) return byStatus;
  const { object, text } = words;
  const own = `${rule.says?.(host, pathname) ?? rule.lead} (${status})`;
  // A failing gateway answers with a page of its own; any other page comes from a wrong address.
  const isOurs =
    object !== undefined || isJson(headers) || bytes.length === 0 || rule.code === 'unavailable';
  const hint = isOurs ? undefined : WRONG_ADDRESS;
  if (text === undefined) {
    if (words.lines.length > 0) return { message: 'The platform refused the request:' };
    return { message: isOurs ? `${own}.` : notTheApi(answer, host), hint };
  }
  if (object === undefined) return { message: `${own}: ${text}`, hint };
  if (rule.lead !== undefined) return { message: `${rule.lead} (${status}): ${text}` };
  return { message: BARE_CODE.test(text) ? `${own}: ${text.replaceAll('_', ' ')}` : text };
}

/** Explains what the status alone decides. */
function explainByStatus(
  rule: FailureRule,
  answer: ErrorAnswer,
  words: ServiceWords,
  context: ErrorContext,
): Explanation | undefined {
  const { status, headers } = answer;
  const { host, pathname } = context.url;
  if (status === 300 || status === 304) return explainNoAnswer(status, host);
  if (status === 511) return { message: `${rule.says?.(host, pathname)} (511).` };
  if (rule.code === 'unexpected') return explainRedirect(answer, context.url);
  const isPage = words.object === undefined && /html/i.test(headers['content-type'] ?? '');
  if (rule.code === 'unauthenticated' && isPage) return explainGatewayLogin(answer, host);
  if (rule.code === 'unauthenticated') return explain401(words, context);
  const meant = status === 404 ? findAddressWithoutVersion(context.url) : undefined;
  return meant === undefined ? undefined : explainDoubledVersion(context.url, meant);
}

/** Such as `not_found`, which says too little to people. */
const BARE_CODE = /^[a-z][a-z0-9_]*$/;

function notTheApi({ status, headers }: Head, host: string): string {
  return `${host} answered with ${contentOf(headers)} instead of the API (${status}).`;
}

/** By the media type: `a web page`, `text/plain`. */
function contentOf(headers: Head['headers']): string {
  const type =
    /^[\w.+-]{1,60}\/[\w.+-]{1,60}/.exec(headers['content-type'] ?? '')?.[0] ??
    'something without a type';
  return type === 'text/html' ? 'a web page' : type;
}

/** A web page may also be that of a network, which lets nothing else through. */
const WRONG_ADDRESS = {
  say: 'Check the address of the platform. If your network has a login page, open a browser first.',
  run: ['svc doctor'],
};

/** The hint repeats the target: in JSON the platform's own words may replace the message. */
function explainRedirect({ status, headers }: ErrorAnswer, { host, href }: URL): Explanation {
  const { location } = headers;
  const target = location === undefined ? undefined : parseUrl(location, href);
  const where =
    target !== undefined && /^https?:$/.test(target.protocol) ? target.origin : undefined;
  const said = (to: string) =>
    `${host} redirects ${to} (${status}). svc does not follow redirects: your sign-in belongs to ${host}.`;
  if (where === undefined) return { message: said('elsewhere'), hint: WRONG_ADDRESS };
  const say = `Check the address of the platform, which redirects to ${where}.`;
  return { message: said(`to ${where}`), hint: { ...WRONG_ADDRESS, say } };
}

function explainNoAnswer(status: number, host: string): Explanation {
  const meaning = status === 304 ? 'not modified' : 'several choices';
  return {
    message: `${host} answered ${status} (${meaning}), which answers no request of svc.`,
    hint: WRONG_ADDRESS,
  };
}

function explainGatewayLogin(answer: ErrorAnswer, host: string): Explanation {
  const say =
    'The page is not of the API: a gateway or network wants a sign-in of its own. Sign in there first.';
  return { message: notTheApi(answer, host), hint: { say, run: ['svc doctor'] } };
}

/** Returns the base address that was meant if it was given with the `/v1` that svc adds. */
function findAddressWithoutVersion({ origin, pathname }: URL): string | undefined {
  const end = pathname.indexOf('/v1/v1/');
  return end < 0 ? undefined : origin + pathname.slice(0, end);
}

/** Says that an address ends in `/v1`, and proposes the one without. */
function explainDoubledVersion(url: URL, address: string): Explanation {
  return {
    message: `There is nothing at ${url.origin}${url.pathname} (404): the address ends in /v1, which svc adds itself.`,
    hint: `Use ${address} as the address, with svc login, --api-url or SVC_API_URL.`,
  };
}

function explain401(
  words: ServiceWords,
  { credential, explain401, operation }: ErrorContext,
): Explanation {
  const said = words.text === undefined ? [] : [`The platform says: ${words.text}`];
  const lines = [...said, ...words.lines];
  if (credential === undefined || operation.credentials === 'none') {
    return {
      message: 'The platform requires you to sign in (401).',
      hint: 'svc login',
      ...explain401?.(),
      lines,
    };
  }
  const message = `The platform did not accept the sign-in from ${credential.source} (401).`;
  const hint = {
    say: `Sign in, or replace the token from ${credential.source}.`,
    run: ['svc login'],
  };
  return { message, hint, ...explain401?.(), lines };
}

/** Of an unreadable 2xx: an unknown outcome for a change. */
export function failureOfUnreadable(
  unreadable: Unreadable,
  { status, headers }: Head,
  context: ErrorContext,
): Failure {
  const { host } = context.url;
  const isOurs = isJson(headers) || unreadable.hint !== undefined || status === 204;
  const said = `The answer from ${host} ${unreadable.message} (${status}).`;
  const message = isOurs ? said : notTheApi({ status, headers }, host);
  const details = { status, requestId: getRequestId(headers), cause: unreadable };
  const outcomeUnknown = changesSomething(context.operation);
  if (outcomeUnknown)
    return { error: new CliError('unavailable', message, details), outcomeUnknown };
  return {
    error: new CliError('unexpected', message, {
      ...details,
      hint: unreadable.hint ?? WRONG_ADDRESS,
    }),
  };
}
