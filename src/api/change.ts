import type { Assume } from '../contract/assumptions.ts';
import type { ChangeEntry } from '../contract/fields/documents.ts';
import type { Operation } from '../contract/operations.ts';
import { CliError } from '../errors.ts';
import { asObject, asText, findField } from '../json/values.ts';
import type { Answer, Call } from './call.ts';
import { orderIdOf } from './identity.ts';
import { type Unwrapped, unwrap } from './own-level.ts';
import type { Thing } from './status-words.ts';
import { type Judgement, judge } from './verdict.ts';

const THINGS: Readonly<Record<string, Thing>> = {
  createOrder: 'order',
  stageDomain: 'staging',
  runAction: 'job',
  restartService: 'restart',
};

/** Judges the answer to any change, also to an operation that is not documented. */
export function judgeChange(
  answer: Unwrapped,
  known: Operation | undefined,
  assume: Assume,
): Judgement {
  const { value, wrappers, own = answer.own } = unwrap(answer.value, known);
  return judge(
    { value, own, wrappers: [...answer.wrappers, ...wrappers] },
    THINGS[known?.name ?? ''] ?? 'change',
    assume,
  );
}

/** Neither while the call is under way. */
export interface CallEnding {
  readonly answer?: Answer;
  readonly thrown?: unknown;
}

/** Nothing of the body is in it but the name of an action. */
type ChangeMade = Omit<ChangeEntry, 'at' | 'who' | 'address' | 'organization'> & {
  readonly jobId?: string;
};

/** Returns what a call that was sent changed. */
export function changeOf(call: Call, ending: CallEnding, assume: Assume): ChangeMade {
  const { operation, path: values = {} } = call;
  const { answer, thrown } = ending;
  const path = operation.path
    .replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
    .replace(/\?.*$/s, '');
  const { status, requestId } = answer ?? (thrown instanceof CliError ? thrown.details : {});
  const jobId = asText(findField(answer?.value, 'jobId'));
  return {
    command: operation.command ?? 'api',
    what:
      operation.command === undefined
        ? `${operation.method} ${path}`
        : (aboutOf(call, answer) ?? null),
    service: /\/services\/([^/]+)/.exec(path)?.[1] ?? null,
    result: resultOf(call, ending, assume),
    status: status ?? null,
    requestId: requestId ?? null,
    ...(jobId !== undefined && { jobId }),
  };
}

function resultOf(
  call: Call,
  { answer, thrown }: CallEnding,
  assume: Assume,
): ChangeEntry['result'] {
  if (answer === undefined) {
    return thrown instanceof CliError && thrown.details.outcome !== 'unknown'
      ? 'refused'
      : 'unknown';
  }
  const { verdict, thing } = judgeChange(answer, call.operation, assume);
  // Without its id an order may exist, even if the answer says that it failed.
  if (thing === 'order' && orderIdOf(answer.value) === undefined) return 'unknown';
  if (verdict === 'failed') return verdict;
  if (verdict === 'doubtful' || answer.outcomeUnknown) return 'unknown';
  return verdict === 'done' || verdict === 'pending' ? verdict : 'accepted';
}

function aboutOf({ operation, path, body }: Call, answer: Answer | undefined): string | undefined {
  const thing = THINGS[operation.name];
  if (thing === 'job') return asText(asObject(body)['action']);
  return thing === 'staging'
    ? path?.['domain']
    : orderIdOf(thing === 'order' ? answer?.value : undefined);
}
