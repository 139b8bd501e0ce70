import type { CliError } from '../errors.ts';
import { isNotHttp, type TransportError } from '../http/transport-error.ts';
import { survey } from '../json/scan.ts';
import { asObject, type JsonObject, parseJson } from '../json/values.ts';
import { Unreadable } from '../service/body.ts';
import { failureOfAnswer, failureOfTransportError, failureOfUnreadable } from '../service/failures.ts';
import { parseRetryAfter } from '../service/retry.ts';
import { ruleOf } from '../service/statuses.ts';
import { judge as judgeStatus } from '../service/verdict.ts';
import { assumeFrom } from '../spec/assumptions.ts';
import { type Answered, type LoginAnswer, pollAt } from './exchange.ts';
import { detailsOf, hasError, isWebPage, parseCutObject, refusalOf } from './refusal.ts';
import { readSeconds } from './start.ts';
import { ended, expired, type LoginAttempt } from './texts.ts';
import { findIssuedToken, type IssuedToken, readIssuedToken } from './token.ts';

/**
 * The meaning of an answer to a poll.
 * - `token`: approved; the platform shows the token only once.
 * - `pending`: not approved yet.
 * - `slow_down`: not approved yet, and polls must be rarer; `intervalSeconds` if the platform gives a number.
 * - `transient`: a problem that may pass with time.
 * - `foreign`: something other than the API answers; that may pass with a change of network, not with time.
 * - `stop`: the end. `isSure`: no token was issued, not even in an earlier answer that was lost.
 *
 * `isLost`: the answer was not read whole, or not understood, and may have had the token.
 */
export type PollVerdict =
  | { readonly kind: 'token'; readonly issued: IssuedToken }
  | { readonly kind: 'pending' }
  | { readonly kind: 'slow_down'; readonly intervalSeconds: number | undefined }
  | {
      readonly kind: 'transient';
      readonly from: 'network' | 'service';
      readonly problem: string;
      readonly isLost: boolean;
    }
  | { readonly kind: 'foreign'; readonly problem: string; readonly isLost: boolean; readonly error: CliError }
  | { readonly kind: 'stop'; readonly error: CliError; readonly isSure: boolean };

/** Judges one answer. Looks at the body before the status, because services send these errors with several statuses. */
export function judgePoll(answer: LoginAnswer, attempt: LoginAttempt, nowMs: number): PollVerdict {
  if (answer.kind === 'fault') return judgeFault(answer.fault, attempt);
  const body = bodyOf(answer);
  const verdict = judgeAnswer(answer, body, attempt, nowMs);
  return verdict.kind === 'stop' ? { ...verdict, error: verdict.error.with(detailsOf(answer, body)) } : verdict;
}

/** The fields of an answer; if a success was cut off, those that arrived whole, which may include the token. */
export function bodyOf({ status, text }: Answered): JsonObject {
  return asObject(wholeOf(text) ?? (isSuccess(status) ? parseCutObject(text) : undefined));
}

/** The JSON value of a text; undefined if it is not whole, or so deep that it only serves to break recursive code. */
function wholeOf(text: string): unknown {
  return survey(text).isTooDeep ? undefined : parseJson(text);
}

/** Milliseconds that any answer asks to wait before the next poll; the interval applies if it is longer. */
export function askedPause(answer: LoginAnswer, nowMs: number): number {
  return answer.kind === 'answer' ? (parseRetryAfter(answer.headers, nowMs) ?? 0) : 0;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function judgeFault(fault: TransportError, { apiUrl }: LoginAttempt): PollVerdict {
  const isLost = fault.kind === 'reset' || fault.kind === 'timeout';
  if (fault.kind === 'tls' || fault.kind === 'proxy' || isNotHttp(fault)) {
    const { error } = failureOfTransportError(fault, pollAt(apiUrl));
    return { kind: 'foreign', problem: `no usable connection (${fault.code})`, isLost, error };
  }
  return networkProblem(fault.code, isLost);
}

function judgeAnswer(answer: Answered, body: JsonObject, attempt: LoginAttempt, nowMs: number): PollVerdict {
  const { status } = answer;
  const whole = wholeOf(answer.text);
  // A text that was cut may have half a token.
  const answered = whole ?? (answer.complete ? answer.text : undefined);
  const issued = isSuccess(status) ? (readIssuedToken(body, nowMs) ?? findIssuedToken(answered, nowMs)) : undefined;
  if (issued !== undefined) return { kind: 'token', issued };
  if (status >= 300 && status < 400) {
    return stop(failureOfAnswer({ ...answer, bytes: Buffer.of() }, pollAt(attempt.apiUrl), nowMs).error);
  }
  switch (errorOf(body)) {
    case 'authorization_pending':
      return { kind: 'pending' };
    case 'slow_down':
      return { kind: 'slow_down', intervalSeconds: readSeconds(body['interval']) };
    case 'temporarily_unavailable':
      return platformBusy(false);
    case 'access_denied':
      return { kind: 'stop', error: ended('Login was refused in the browser.'), isSure: true };
    case 'expired_token':
      return stop(expired());
    case 'invalid_grant':
      return stop(ended('The server no longer accepts this login attempt.'));
    default:
      return isSuccess(status) ? judgeSuccess(answer, body, whole, attempt) : judgeFailure(status, body, attempt);
  }
}

/** Judges a 2xx without a usable token. */
function judgeSuccess(answer: Answered, body: JsonObject, whole: unknown, attempt: LoginAttempt): PollVerdict {
  const { status, complete, fault } = answer;
  if (hasError(body['error'])) return stop(refusalOf(status, body, attempt, 'failed'));
  if (isWebPage(answer)) {
    const problem = 'a web page answers in place of the platform';
    const { error } = failureOfUnreadable(new Unreadable('is a web page'), answer, pollAt(attempt.apiUrl));
    return { kind: 'foreign', problem, isLost: false, error };
  }
  if (!complete) return networkProblem(fault?.code ?? 'CUT', true);
  if (whole === undefined) return networkProblem('an answer was cut short', true);
  if (isEmpty(whole)) return networkProblem('an empty answer', true);
  if (judgeStatus(whole, 'change', ASSUMED).verdict === 'pending') return { kind: 'pending' };
  return { kind: 'transient', from: 'service', problem: 'the API sent an answer that svc cannot read', isLost: true };
}

const ASSUMED = assumeFrom(new Map());

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** The documented error of an answer, which may be wrapped. */
function errorOf(body: JsonObject): unknown {
  return [body, asObject(body['data']), asObject(body['result'])].map(({ error }) => error).find(hasError);
}

function judgeFailure(status: number, body: JsonObject, attempt: LoginAttempt): PollVerdict {
  if (status === 429) return { kind: 'slow_down', intervalSeconds: undefined };
  // A gateway sends 502 or 504 if it does not know the outcome of the request behind it.
  if (ruleOf(status).repeats.poll !== undefined) return platformBusy(status === 502 || status === 504);
  return stop(refusalOf(status, body, attempt, 'failed'));
}

function platformBusy(isLost: boolean): PollVerdict {
  return { kind: 'transient', from: 'service', problem: 'platform busy, still waiting', isLost };
}

function networkProblem(cause: string, isLost: boolean): PollVerdict {
  return { kind: 'transient', from: 'network', problem: `network problem (${cause}), retrying`, isLost };
}

function stop(error: CliError): PollVerdict {
  return { kind: 'stop', error, isSure: false };
}
