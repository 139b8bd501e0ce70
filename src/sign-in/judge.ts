import { Unreadable } from '../api/body.ts';
import { readErrorObject } from '../api/error-body.ts';
import {
  createAnswerFailure,
  createTransportFailure,
  createUnreadableFailure,
} from '../api/failures.ts';
import { getFailureRule } from '../api/statuses.ts';
import { judge as judgeStatus } from '../api/verdict.ts';
import { createAssume } from '../contract/assumptions.ts';
import type { CliError } from '../errors.ts';
import { isNotHttp, TransportError } from '../http/send.ts';
import { survey } from '../json/scan.ts';
import { asObject, isObject, type JsonObject, parseJson } from '../json/values.ts';
import { createPollContext, type PollResponse, type PollResult } from './exchange.ts';
import {
  createRefusalError,
  getErrorDetails,
  hasError,
  loginEndedError,
  loginExpiredError,
} from './refusal.ts';
import { readSeconds } from './start.ts';
import { findIssuedToken, type IssuedToken } from './token.ts';

interface Problem {
  readonly problem: string;
  /** Whether the answer was not understood, and may have had the token. */
  readonly isLost: boolean;
}

/**
 * The meaning of an answer to a poll.
 * - `slow_down`: as `pending`, and polls must be rarer.
 * - `transient`: a problem that may pass.
 * - `foreign`: something other than the API answers, as `error` says; that may pass with a change
 * of network.
 * - `stop`: the end. `isSure`: no token was issued, not even in an earlier answer that was lost.
 */
export type PollVerdict =
  | { readonly kind: 'token'; readonly issued: IssuedToken }
  | { readonly kind: 'pending' }
  | { readonly kind: 'slow_down'; readonly intervalSeconds: number | undefined }
  | ({ readonly kind: 'transient'; readonly from: 'network' | 'service' } & Problem)
  | ({ readonly kind: 'foreign'; readonly from: 'others'; readonly error: CliError } & Problem)
  | { readonly kind: 'stop'; readonly error: CliError; readonly isSure: boolean };

/**
 * Looks at the body before the status, because services send these errors with several statuses.
 */
export function judgePoll(answer: PollResult, apiUrl: string, nowMs: number): PollVerdict {
  if (answer instanceof TransportError) return judgeFault(answer, apiUrl, nowMs);
  const body = parseAnswerBody(answer);
  const verdict = judgeAnswer(answer, body, apiUrl, nowMs);
  if (verdict.kind !== 'stop') return verdict;
  return { ...verdict, error: verdict.error.with(getErrorDetails(answer, body)) };
}

/**
 * Parses the fields of an answer; of a success that was cut off, those that arrived whole, which
 * may include the token.
 */
export function parseAnswerBody({ status, text }: PollResponse): JsonObject {
  return asObject(parseWholeBody(text) ?? (isSuccess(status) ? parseCutObject(text) : undefined));
}

/** Parses a whole text. Returns undefined for JSON that is cut, or endlessly deep. */
function parseWholeBody(text: string): unknown {
  return survey(text).isTooDeep ? undefined : parseJson(text);
}

/** The end of a cut text is looked for at so many commas; an answer has far fewer fields. */
const MAX_CUTS = 64;

/**
 * Parses an object that was cut. Leaves out the last field unless it ends in a quote or a bracket:
 * half a number looks like a whole one.
 */
function parseCutObject(text: string): JsonObject | undefined {
  let end = /["}\]]\s*$/.test(text) ? text.length : text.lastIndexOf(',');
  for (let cuts = 0; cuts < MAX_CUTS && end > 0; cuts += 1) {
    const value = parseJson(`${text.slice(0, end)}}`);
    if (isObject(value)) return value;
    end = text.lastIndexOf(',', end - 1);
  }
  return undefined;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function judgeFault(fault: TransportError, apiUrl: string, nowMs: number): PollVerdict {
  const { kind, code } = fault;
  const isLost = kind === 'reset' || kind === 'timeout';
  if (kind !== 'tls' && kind !== 'proxy' && !isNotHttp(fault)) {
    return createNetworkVerdict(code, isLost);
  }
  const { error } = createTransportFailure(fault, createPollContext(apiUrl), nowMs);
  return createForeignVerdict(`no usable connection (${code})`, error, isLost);
}

function judgeAnswer(
  answer: PollResponse,
  body: JsonObject,
  apiUrl: string,
  nowMs: number,
): PollVerdict {
  const { status } = answer;
  const whole = parseWholeBody(answer.text);
  // A text that was cut may have half a token; of a cut object only whole fields are read.
  const answered =
    whole ?? (answer.fault === undefined && !/^\s*\{/.test(answer.text) ? answer.text : body);
  const issued = isSuccess(status) ? findIssuedToken(answered, nowMs) : undefined;
  if (issued !== undefined) return { kind: 'token', issued };
  if (!isSuccess(status) && answer.fault !== undefined && whole === undefined) {
    return createNetworkVerdict(answer.fault.code, false);
  }
  if (status >= 300 && status < 400) {
    const { error } = createAnswerFailure(
      { ...answer, bytes: Buffer.of() },
      createPollContext(apiUrl),
      nowMs,
    );
    return judgeError(status, body, error);
  }
  switch (listLevels(body).find(({ error }) => hasError(error))?.['error']) {
    case 'authorization_pending':
      return { kind: 'pending' };
    case 'slow_down':
      return { kind: 'slow_down', intervalSeconds: readSeconds(body['interval']) };
    case 'temporarily_unavailable':
      return createServiceVerdict(BUSY);
    case 'access_denied':
      return createStop(loginEndedError('Login was refused in the browser.'), true);
    case 'expired_token':
      return createStop(loginExpiredError());
    case 'invalid_grant':
      return createStop(loginEndedError('The server no longer accepts this login attempt.'));
    default:
      if (isSuccess(status)) return judgeSuccess(answer, body, whole, apiUrl);
      return judgeFailure(status, body, apiUrl);
  }
}

/** Lists the objects that may be the answer itself: it may be wrapped. */
function listLevels(body: JsonObject): readonly JsonObject[] {
  return [body, asObject(body['data']), asObject(body['result'])];
}

const ASSUMED = createAssume(new Map());

function judgeSuccess(
  answer: PollResponse,
  body: JsonObject,
  whole: unknown,
  apiUrl: string,
): PollVerdict {
  const { status, headers, text, fault } = answer;
  if (hasError(body['error'])) {
    return createStop(createRefusalError(status, body, apiUrl, 'failed'));
  }
  // The API itself sends no web page.
  if (/html/i.test(headers['content-type'] ?? '') || /^\s*</.test(text)) {
    const { error } = createUnreadableFailure(
      new Unreadable('is a web page'),
      answer,
      createPollContext(apiUrl),
    );
    return createForeignVerdict('a web page answers in place of the platform', error);
  }
  if (fault !== undefined || whole === undefined || Object.keys(Object(whole)).length === 0) {
    return createNetworkVerdict(fault?.code ?? 'an answer was cut short', true);
  }
  const isPending = listLevels(body).some(
    (value) => judgeStatus({ value, wrappers: [] }, 'change', ASSUMED).isPending,
  );
  if (isPending) return { kind: 'pending' };
  return createServiceVerdict('the API sent an answer that svc cannot read', true);
}

function judgeFailure(status: number, body: JsonObject, apiUrl: string): PollVerdict {
  if (status === 429) return { kind: 'slow_down', intervalSeconds: undefined };
  // A gateway sends 502 or 504 if it does not know the outcome of the request behind it.
  if (getFailureRule(status).repeats.poll !== undefined) {
    return createServiceVerdict(BUSY, status === 502 || status === 504);
  }
  return judgeError(status, body, createRefusalError(status, body, apiUrl, 'failed'));
}

/** Judges an error: a gateway or a network may answer in place of the platform, and that passes. */
function judgeError(status: number, body: JsonObject, error: CliError): PollVerdict {
  const { text, lines } = readErrorObject(body);
  // The Error object of the API, or another field says what is wrong.
  const isFromApi = hasError(body['error']) || text !== undefined || lines.length > 0;
  if (isFromApi) return createStop(error);
  return createForeignVerdict(`something else answers in place of the platform (${status})`, error);
}

function createForeignVerdict(problem: string, error: CliError, isLost = false): PollVerdict {
  return { kind: 'foreign', from: 'others', problem, isLost, error };
}

const BUSY = 'platform busy, still waiting';

function createServiceVerdict(problem: string, isLost = false): PollVerdict {
  return { kind: 'transient', from: 'service', problem, isLost };
}

function createNetworkVerdict(cause: string, isLost: boolean): PollVerdict {
  return {
    kind: 'transient',
    from: 'network',
    problem: `network problem (${cause}), retrying`,
    isLost,
  };
}

function createStop(error: CliError, isSure = false): PollVerdict {
  return { kind: 'stop', error, isSure };
}
