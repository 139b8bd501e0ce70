import { isObject } from '../src/json/values.ts';
import { OPERATIONS } from '../src/spec/operations.ts';
import type { Reply } from './route.ts';

/** What a 2xx answer says, although the request had its effect. */
export type AnswerEffect =
  | { readonly kind: 'field'; readonly name: 'status' | 'success'; readonly value: string | boolean }
  | { readonly kind: 'record'; readonly fate: 'failed' | 'missing'; readonly type: string | undefined }
  | { readonly kind: 'no-nameservers' };

/** The forms of these effects, for people. */
export const ANSWER_EFFECTS =
  'status=<word>, success=false, failed-record[=<type>], missing-record[=<type>], no-nameservers';

/** Reads such an effect; `undefined` for any other text. */
export function readAnswerEffect(text: string): AnswerEffect | undefined {
  const [, status] = /^status=([\w .-]{1,60})$/.exec(text) ?? [];
  if (status !== undefined) return { kind: 'field', name: 'status', value: status };
  const [, success] = /^success=(true|false)$/.exec(text) ?? [];
  if (success !== undefined) return { kind: 'field', name: 'success', value: success === 'true' };
  const [, fate, type] = /^(failed|missing)-record(?:=([A-Za-z]{1,10}))?$/.exec(text) ?? [];
  if (fate !== undefined) return { kind: 'record', fate: fate as 'failed' | 'missing', type: type?.toUpperCase() };
  return text === 'no-nameservers' ? { kind: 'no-nameservers' } : undefined;
}

/** The operation that alone has what the effect is about; `undefined` for an effect on any answer. */
export function onlyOperationOf(effect: AnswerEffect): string | undefined {
  return effect.kind === 'field' ? undefined : OPERATIONS.stageDomain.name;
}

/** The answer with the effect; refusals stay as they are. */
export function altered(reply: Reply, effect: AnswerEffect): Reply {
  const { status, body } = reply;
  if (status >= 300 || !isObject(body)) return reply;
  if (effect.kind === 'field') return { ...reply, body: { ...body, [effect.name]: effect.value } };
  const { nameservers, stagedRecords, ...rest } = body;
  if (effect.kind === 'no-nameservers') return { ...reply, body: { ...rest, stagedRecords } };
  const records = Array.isArray(stagedRecords) ? stagedRecords.filter(isObject) : [];
  const struck = records.find(({ type }) => effect.type === undefined || type === effect.type);
  const failed = { ...struck, status: 'failed', error: 'The record could not be staged.' };
  const left = records.flatMap((record) => {
    if (record !== struck) return [record];
    return effect.fate === 'failed' ? [failed] : [];
  });
  return { ...reply, body: { nameservers, stagedRecords: left, ...rest } };
}
