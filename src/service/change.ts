import { CliError } from '../errors.ts';
import { asObject, asText, fieldOf } from '../json/values.ts';
import type { Assume } from '../spec/assumptions.ts';
import type { ChangeEntry } from '../spec/fields/documents.ts';
import { OPERATIONS, type Operation } from '../spec/operations.ts';
import type { Answer, Call } from './call.ts';
import { orderIdOf } from './identity.ts';
import { type Judgement, judge, type Thing } from './verdict.ts';

/**
 * Judges the answer to any change, by its words alone.
 * @param known the documented operation that the request reaches, if any
 */
export function judgeChange(value: unknown, known: Operation | undefined, assume: Assume): Judgement {
  return judge(value, thingOf(known), assume);
}

/** What the answer to an operation is about. */
function thingOf(known: Operation | undefined): Thing {
  if (known === OPERATIONS.createOrder) return 'order';
  if (known === OPERATIONS.stageDomain) return 'staging';
  if (known === OPERATIONS.runAction) return 'job';
  return known === OPERATIONS.restartService ? 'restart' : 'change';
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
  const { verdict, doubt, thing } = judgeChange(answer.value, call.operation, assume);
  // Without its id an order may exist, even if the answer says that it failed.
  if (thing === 'order' && orderIdOf(answer.value) === undefined) return 'unknown';
  if (verdict === 'failed') return verdict;
  if (doubt !== undefined || answer.outcomeUnknown) return 'unknown';
  return verdict === 'done' || verdict === 'pending' ? verdict : 'accepted';
}

function detailsOf(thrown: unknown): CliError['details'] {
  return thrown instanceof CliError ? thrown.details : {};
}

function aboutOf({ operation, path, body }: Call, { answer }: CallEnding): string | undefined {
  if (operation === OPERATIONS.runAction) return asText(asObject(body)['action']);
  if (operation === OPERATIONS.stageDomain) return path?.['domain'];
  return operation === OPERATIONS.createOrder ? orderIdOf(answer?.value) : undefined;
}

/** Returns the documented id of a job that was queued, of the answer or of what wraps it. */
export function queuedJob({ value }: Answer): string | undefined {
  const levels = [value, fieldOf(value, 'job'), fieldOf(value, 'data')];
  return levels.map((level) => asText(fieldOf(level, 'jobId'))).find((id) => id !== undefined);
}
