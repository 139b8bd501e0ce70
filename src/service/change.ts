import { CliError } from '../errors.ts';
import { asObject, asText, parseJson } from '../json/values.ts';
import type { Assume } from '../spec/assumptions.ts';
import type { ChangeEntry } from '../spec/fields/documents.ts';
import { OPERATIONS, type Operation } from '../spec/operations.ts';
import type { Answer, Call } from './call.ts';
import { type Judgement, judge, statusWords } from './verdict.ts';

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

/** How a call ended: with an answer, or with the error that was thrown; neither while it is under way. */
export interface CallEnding {
  readonly answer?: Answer;
  readonly thrown?: unknown;
}

/** What a call changed, for the history of changes. Nothing of its body is in it but the name of an action. */
type ChangeMade = Pick<ChangeEntry, 'command' | 'what' | 'service' | 'result' | 'status' | 'requestId'>;

/** Returns what a call that was sent changed. */
export function changeOf(call: Call, ending: CallEnding, assume: Assume): ChangeMade {
  const { operation, path: values = {} } = call;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '').replace(/\?.*$/s, '');
  const { status, requestId } = ending.answer ?? detailsOf(ending.thrown);
  return {
    command: operation.command ?? 'api',
    what: operation.command === undefined ? `${operation.method} ${path}` : (aboutOf(call, ending) ?? null),
    service: /\/services\/([^/]+)/.exec(path)?.[1] ?? null,
    result: resultOf(call, ending, assume),
    status: status ?? null,
    requestId: requestId ?? null,
  };
}

function resultOf(call: Call, { answer, thrown }: CallEnding, assume: Assume): ChangeEntry['result'] {
  if (answer === undefined) {
    return thrown instanceof CliError && thrown.details.outcome !== 'unknown' ? 'refused' : 'unknown';
  }
  const { verdict } = judgeChange(answer.value, call, call.operation, assume);
  if (verdict !== 'unclear') return verdict;
  return answer.outcomeUnknown ? 'unknown' : 'accepted';
}

function detailsOf(thrown: unknown): CliError['details'] {
  return thrown instanceof CliError ? thrown.details : {};
}

/** What a documented change was about, besides its service. */
function aboutOf({ operation, path, body }: Call, { answer }: CallEnding): string | undefined {
  if (operation === OPERATIONS.runAction) return asText(asObject(body)['action']);
  if (operation === OPERATIONS.stageDomain) return path?.['domain'];
  return operation === OPERATIONS.createOrder ? asText(asObject(answer?.value)['orderId']) : undefined;
}
