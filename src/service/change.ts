import { CliError } from '../errors.ts';
import { asObject, parseJson } from '../json/values.ts';
import type { Assume } from '../spec/assumptions.ts';
import { OPERATIONS, type Operation } from '../spec/operations.ts';
import type { Answer, Call } from './call.ts';
import { type Judgement, judge, statusWords } from './verdict.ts';

/**
 * How a request that changes something ended. `accepted`: an answer came that does not say whether it is done;
 * `refused`: nothing was changed; `unknown`: it may have been changed, and nothing says so.
 */
export const CHANGE_RESULTS = ['done', 'pending', 'accepted', 'failed', 'refused', 'unknown'] as const;

/** One of {@link CHANGE_RESULTS}. */
export type ChangeResult = (typeof CHANGE_RESULTS)[number];

/**
 * Judges the answer to any change, by its words alone.
 * @param known the documented operation that the request reaches, if any
 */
export function judgeChange(value: unknown, { body }: Call, known: Operation | undefined, assume: Assume): Judgement {
  const sent = asObject(body instanceof Uint8Array ? parseJson(Buffer.from(body).toString()) : body);
  return judge(value, {
    words: statusWords(assume, known === OPERATIONS.createOrder ? 'checkout' : 'job'),
    wrappers: ['order', 'job'],
    hasSuccess: known === OPERATIONS.restartService,
    collections: [...Object.keys(sent).filter((name) => Array.isArray(sent[name])), 'stagedRecords'],
  });
}

/** Returns how a change ended that was answered with a 2xx. */
export function resultOfAnswer(answer: Answer, call: Call, assume: Assume): ChangeResult {
  const { verdict } = judgeChange(answer.value, call, call.operation, assume);
  if (verdict !== 'unclear') return verdict;
  return answer.outcomeUnknown ? 'unknown' : 'accepted';
}

/** Returns how a change ended that has no 2xx answer; undefined if no request was sent. */
export function resultOfError(error: unknown): ChangeResult | undefined {
  if (!(error instanceof CliError)) return 'unknown';
  if (error.details.outcome === 'unknown') return 'unknown';
  return (error.details.attempts ?? 0) > 0 ? 'refused' : undefined;
}
