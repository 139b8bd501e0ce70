import { CliError, type ErrorCode } from '../errors.ts';
import { isNotHttp } from '../http/faults.ts';
import { parseRetryAfter, waitInWords } from '../http/retry-after.ts';
import { asObject, isObject, parseJson } from '../spec/read.ts';
import { isWebPage } from './answer-body.ts';
import { type DeviceLogin, readDeviceStart } from './device-start.ts';
import type { LoginAnswer } from './exchange.ts';
import { brokenOff, hasError, linesOf, refusalOf, saidWith } from './refusal.ts';
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
  const start = judgeAnswer(answer, attempt, nowMs);
  if (start.kind === 'started') return start;
  return { ...start, error: start.error.with(saidWith(answer, asObject(parseJson(answer.text)))) };
}

function judgeAnswer(answer: Answered, attempt: Attempt, nowMs: number): Start {
  const { status, headers, text } = answer;
  if (status >= 200 && status < 300) return judgeSuccess(answer, attempt, nowMs);
  if (status >= 300 && status < 400) return final(redirected(attempt, status, headers['location']));
  if (status >= 500 || [408, 425, 429].includes(status)) {
    return { kind: 'problem', error: overloaded(answer, attempt, nowMs), mayPass: true };
  }
  return final(refusalOf(status, asObject(parseJson(text)), attempt, CODES[status] ?? 'rejected'));
}

function judgeSuccess(answer: Answered, attempt: Attempt, nowMs: number): Start {
  const { status, headers, text, fault } = answer;
  if (fault !== undefined) return { kind: 'problem', error: brokenOff(fault), mayPass: true };
  const body = parseJson(text);
  if (hasError(asObject(body)['error'])) return final(refusalOf(status, asObject(body), attempt, 'rejected'));
  if (body === undefined && isWebPage(headers['content-type'], text)) return final(webPage(attempt, status));
  if (!isObject(body)) return final(notUnderstood(attempt, 'it is not a JSON object', status));
  return { kind: 'started', login: readDeviceStart(body, { ...attempt, headers, nowMs, status }) };
}

function overloaded({ status, headers, text }: Answered, attempt: Attempt, nowMs: number): CliError {
  const pauseMs = parseRetryAfter(headers, nowMs);
  const seconds = pauseMs === undefined ? undefined : Math.ceil(pauseMs / 1000);
  const isLimit = status === 429;
  const words = isLimit ? 'gets too many requests' : 'has a problem';
  return new CliError(
    isLimit ? 'rate_limited' : 'unavailable',
    `${hostOf(attempt.apiUrl)} ${words} (HTTP ${status}).`,
    {
      lines: linesOf(asObject(parseJson(text))),
      retryAfterSeconds: seconds,
      hint: `svc login, ${seconds ? waitInWords(seconds, nowMs).whenOver : 'in a while'}`,
    },
  );
}

function final(error: CliError): Start {
  return { kind: 'problem', error, mayPass: false };
}
