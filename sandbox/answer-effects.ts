import { OPERATIONS } from '../src/contract/operations.ts';
import { isObject } from '../src/json/values.ts';
import type { Reply } from './route.ts';

/** A change to a 2xx answer, although the request had its effect. */
export type AnswerEffect =
  | { readonly kind: 'field'; readonly name: string; readonly value: unknown }
  | {
      readonly kind: 'record';
      readonly fate: 'failed' | 'missing';
      readonly type: string | undefined;
    }
  | { readonly kind: 'no-nameservers' }
  | { readonly kind: 'lost-field' };

/** The forms of these effects, for people. */
export const ANSWER_EFFECTS =
  'status=<word>, success=false, payment=<word>, jobId=<id>, failedRecords=<type>, missing=<type>, ' +
  'failed-record[=<type>], missing-record[=<type>], no-nameservers, lost-field';

/**
 * Fields that an answer may have beside the documented ones, by what a word in a fault makes of
 * them.
 */
const FIELDS: Readonly<Record<string, (word: string) => unknown>> = {
  status: (word) => word,
  payment: (word) => word,
  jobId: (word) => word,
  failedRecords: (type) => [{ type }],
  missing: (type) => [type],
};

/** Reads such an effect; `undefined` for any other text. */
export function readAnswerEffect(text: string): AnswerEffect | undefined {
  const [, name = '', word = ''] = /^(\w+)=([\w .-]{1,60})$/.exec(text) ?? [];
  if (Object.hasOwn(FIELDS, name)) return { kind: 'field', name, value: FIELDS[name]?.(word) };
  const [, success] = /^success=(true|false)$/.exec(text) ?? [];
  if (success !== undefined) return { kind: 'field', name: 'success', value: success === 'true' };
  const [, fate, type] = /^(failed|missing)-record(?:=([A-Za-z]{1,10}))?$/.exec(text) ?? [];
  if (fate !== undefined) {
    return { kind: 'record', fate: fate as 'failed' | 'missing', type: type?.toUpperCase() };
  }
  return text === 'no-nameservers' || text === 'lost-field' ? { kind: text } : undefined;
}

/**
 * The operation that alone has what the effect is about; `undefined` for an effect on any answer.
 */
export function findOnlyOperation(effect: AnswerEffect): string | undefined {
  if (effect.kind === 'field') return undefined;
  return effect.kind === 'lost-field' ? OPERATIONS.scanDomain.name : OPERATIONS.stageDomain.name;
}

/** Returns the answer with the effect; refusals stay as they are. */
export function alterReply(reply: Reply, effect: AnswerEffect): Reply {
  const { status, body } = reply;
  if (status >= 300 || !isObject(body)) return reply;
  if (effect.kind === 'field') return { ...reply, body: { ...body, [effect.name]: effect.value } };
  if (effect.kind === 'lost-field') {
    const [first, ...others] = Array.isArray(body['records']) ? body['records'] : [];
    return { ...reply, body: { ...body, records: [{ ...first, proxied: true }, ...others] } };
  }
  const { nameservers, stagedRecords, ...rest } = body;
  if (effect.kind === 'no-nameservers') return { ...reply, body: { ...body, nameservers: [] } };
  const records = Array.isArray(stagedRecords) ? stagedRecords.filter(isObject) : [];
  const struck = records.find(({ type }) => effect.type === undefined || type === effect.type);
  const failed = { ...struck, status: 'failed', error: 'The record could not be staged.' };
  const left = records.flatMap((record) => {
    if (record !== struck) return [record];
    return effect.fate === 'failed' ? [failed] : [];
  });
  return { ...reply, body: { nameservers, stagedRecords: left, ...rest } };
}
