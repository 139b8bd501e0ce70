import { CliError, type ErrorCode } from '../errors.ts';
import { isNotHttp } from '../http/faults.ts';
import { parseRetryAfter } from '../http/retry-after.ts';
import { isObject, parseJson } from '../spec/read.ts';
import { isWebPage } from './answer-body.ts';
import { type DeviceLogin, readDeviceStart } from './device-start.ts';
import type { LoginAnswer } from './exchange.ts';
import { brokenOff, hasError, refusalOf } from './refusal.ts';
import { type Attempt, hostOf, notUnderstood, redirected, webPage } from './texts.ts';

/** What the answer to a start means: a login that waits for approval, or the reason why there is none. */
export type Start =
  | { readonly kind: 'started'; readonly login: DeviceLogin }
  | { readonly kind: 'problem'; readonly error: CliError; readonly mayPass: boolean };

type Answered = Extract<LoginAnswer, { kind: 'answer' }>;

/** Codes of the refusals that have one of their own. */
const CODES: Readonly<Record<number, ErrorCode>> = { 401: 'unauthenticated', 403: 'forbidden' };

/** Judges the answer to operation 1. */
export function judgeStart(answer: LoginAnswer, attempt: Attempt, nowMs: number): Start {
  if (answer.kind === 'fault') {
    const mayPass = ['not_sent', 'reset', 'timeout'].includes(answer.fault.kind) && !isNotHttp(answer.fault);
    return { kind: 'problem', error: brokenOff(answer.fault), mayPass };
  }
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return judgeSuccess(answer, attempt, nowMs);
  if (status >= 300 && status < 400) return final(redirected(attempt, status, headers['location']));
  if (status >= 500 || [408, 425, 429].includes(status)) {
    return { kind: 'problem', error: overloaded(answer, attempt, nowMs), mayPass: true };
  }
  return final(refusalOf(status, errorOf(answer), attempt, CODES[status] ?? 'rejected'));
}

function judgeSuccess(answer: Answered, attempt: Attempt, nowMs: number): Start {
  const { status, headers, text, fault } = answer;
  if (fault !== undefined) return { kind: 'problem', error: brokenOff(fault), mayPass: true };
  const error = errorOf(answer);
  if (hasError(error)) return final(refusalOf(status, error, attempt, 'rejected'));
  const body = parseJson(text);
  if (body === undefined && isWebPage(headers['content-type'], text)) return final(webPage(attempt, status));
  if (!isObject(body)) return final(notUnderstood(attempt, 'it is not a JSON object', status));
  return { kind: 'started', login: readDeviceStart(body, { ...attempt, headers, nowMs }) };
}

function overloaded(answer: Answered, attempt: Attempt, nowMs: number): CliError {
  const { status, headers } = answer;
  const pauseMs = parseRetryAfter(headers, nowMs);
  const isLimit = status === 429;
  const words = isLimit ? 'gets too many requests' : 'has a problem';
  return new CliError(
    isLimit ? 'rate_limited' : 'unavailable',
    `${hostOf(attempt.apiUrl)} ${words} (HTTP ${status}).`,
    {
      status,
      retryAfterSeconds: pauseMs === undefined ? undefined : Math.ceil(pauseMs / 1000),
      hint: 'svc login, in a while',
      service: hasError(errorOf(answer)) ? { error: errorOf(answer) } : undefined,
    },
  );
}

function errorOf(answer: Answered): unknown {
  const body = parseJson(answer.text);
  return isObject(body) ? body['error'] : undefined;
}

function final(error: CliError): Start {
  return { kind: 'problem', error, mayPass: false };
}
