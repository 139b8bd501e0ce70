import type { CliError } from '../errors.ts';
import { isNotHttp, type TransportError } from '../http/transport-error.ts';
import { asObject, type JsonObject, parseJson } from '../json/values.ts';
import { isTransient, parseRetryAfter } from '../service/retry.ts';
import type { LoginAnswer } from './exchange.ts';
import { brokenOff, hasError, isWebPage, parseCutObject, refusalOf, saidWith } from './refusal.ts';
import { readSeconds } from './start.ts';
import { type Attempt, expired, notAccepted, redirected, refused, webPage } from './texts.ts';
import { type IssuedToken, readIssuedToken } from './token.ts';

/**
 * What an answer to a poll means.
 * - `token`: approved; the only time that the token is seen.
 * - `pending`: not approved yet.
 * - `slow_down`: as before, but less often from now on; `intervalSeconds` where the service names a figure.
 * - `transient`: somebody has a problem that waiting may mend.
 * - `foreign`: something other than the service answers; that may pass with a change of the network, not by waiting.
 * - `tokenless`: a success without a usable token.
 * - `stop`: the end. `isSure`: no token can have been issued, whatever was lost before.
 *
 * `isLost`: the answer was not read whole, and may have held the token.
 */
export type Verdict =
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
  | { readonly kind: 'tokenless' }
  | { readonly kind: 'stop'; readonly error: CliError; readonly isSure: boolean };

type Answered = Extract<LoginAnswer, { kind: 'answer' }>;

const BUSY = 'service busy, still waiting';

/** Judges one answer: the body before the status, since services send these errors with any of several. */
export function judge(answer: LoginAnswer, attempt: Attempt, nowMs: number): Verdict {
  if (answer.kind === 'fault') return judgeFault(answer.fault);
  const body = bodyOf(answer);
  const verdict = judgeAnswer(answer, body, attempt, nowMs);
  return verdict.kind === 'stop' ? { ...verdict, error: verdict.error.with(saidWith(answer, body)) } : verdict;
}

/** The fields of an answer; of one that was cut off, those that came whole, if it may hold the token. */
export function bodyOf({ status, text }: Answered): JsonObject {
  return asObject(parseJson(text) ?? (isSuccess(status) ? parseCutObject(text) : undefined));
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function judgeAnswer(answer: Answered, body: JsonObject, attempt: Attempt, nowMs: number): Verdict {
  const { status, headers } = answer;
  const issued = isSuccess(status) ? readIssuedToken(body, nowMs) : undefined;
  if (issued !== undefined) return { kind: 'token', issued };
  if (status >= 300 && status < 400) return stop(redirected(attempt, status, headers['location']));
  const known = judgeKnownError(body['error'], body['interval']);
  if (known !== undefined) return known;
  return isSuccess(status) ? judgeSuccess(answer, body, attempt) : judgeFailure(status, body, attempt);
}

/** Milliseconds that the service asks to wait before the next poll, in any answer; the interval counts if it is longer. */
export function askedPause(answer: LoginAnswer, nowMs: number): number {
  return answer.kind === 'answer' ? (parseRetryAfter(answer.headers, nowMs) ?? 0) : 0;
}

/** Whether a token may have been issued with an answer that did not bring it. */
export function mayHaveHeldToken(verdict: Verdict): boolean {
  return verdict.kind === 'tokenless' || ('isLost' in verdict && verdict.isLost);
}

function judgeFault(fault: TransportError): Verdict {
  const isLost = fault.kind === 'reset' || fault.kind === 'timeout';
  if (fault.kind === 'tls' || fault.kind === 'proxy' || isNotHttp(fault)) {
    return { kind: 'foreign', problem: `no usable connection (${fault.code})`, isLost, error: brokenOff(fault) };
  }
  return networkProblem(fault.code, isLost);
}

function judgeKnownError(error: unknown, interval: unknown): Verdict | undefined {
  switch (error) {
    case 'authorization_pending':
      return { kind: 'pending' };
    case 'slow_down':
      return { kind: 'slow_down', intervalSeconds: readSeconds(interval) };
    case 'temporarily_unavailable':
      return { kind: 'transient', from: 'service', problem: BUSY, isLost: false };
    case 'access_denied':
      return { kind: 'stop', error: refused(), isSure: true };
    case 'expired_token':
      return stop(expired());
    case 'invalid_grant':
      return stop(notAccepted());
    default:
      return undefined;
  }
}

/** A 2xx without a token that could be used. */
function judgeSuccess(answer: Answered, body: JsonObject, attempt: Attempt): Verdict {
  const { status, headers, text } = answer;
  if (hasError(body['error'])) return stop(refusalOf(status, body, attempt, 'failed'));
  if (isWebPage(headers['content-type'], text)) {
    const problem = 'a web page answers in place of the service';
    return { kind: 'foreign', problem, isLost: false, error: webPage(attempt, status) };
  }
  if (!answer.complete) return networkProblem(answer.fault?.code ?? 'CUT', true);
  if (parseJson(text) === undefined) return networkProblem('an answer was cut short', true);
  return { kind: 'tokenless' };
}

function judgeFailure(status: number, body: JsonObject, attempt: Attempt): Verdict {
  if (status === 429) return { kind: 'slow_down', intervalSeconds: undefined };
  if (isTransient(status)) {
    // A gateway says 502 or 504 when it does not know what became of the request behind it.
    return { kind: 'transient', from: 'service', problem: BUSY, isLost: status === 502 || status === 504 };
  }
  return stop(refusalOf(status, body, attempt, 'failed'));
}

function networkProblem(what: string, isLost: boolean): Verdict {
  return { kind: 'transient', from: 'network', problem: `network problem (${what}), retrying`, isLost };
}

function stop(error: CliError): Verdict {
  return { kind: 'stop', error, isSure: false };
}
