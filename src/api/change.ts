import type { Assume } from '../contract/assumptions.ts';
import type { ChangeEntry } from '../contract/fields/documents.ts';
import type { Operation } from '../contract/operations.ts';
import { CliError } from '../errors.ts';
import { asObject, asText, findField } from '../json/values.ts';
import type { Answer, Call } from './call.ts';
import { type ChangeKind, findOrderId, type Unwrapped, unwrap } from './read-answer.ts';
import { type Judgement, judge } from './verdict.ts';

const KINDS: Readonly<Record<string, ChangeKind>> = {
  createOrder: 'order',
  stageDomain: 'staging',
  runAction: 'job',
  restartService: 'restart',
};

/** Judges the answer to any change, also to an operation that is not documented. */
export function judgeChange(
  answer: Unwrapped,
  documented: Operation | undefined,
  assume: Assume,
): Judgement {
  const { value, wrappers, own = answer.own } = unwrap(answer.value, documented);
  return judge(
    { value, own, wrappers: [...answer.wrappers, ...wrappers] },
    KINDS[documented?.name ?? ''] ?? 'change',
    assume,
  );
}

/** The end of a call; it has neither while the call is under way. */
export interface CallEnding {
  readonly answer?: Answer;
  readonly thrown?: unknown;
}

/** A change, without anything of its body but the name of an action. */
type ChangeMade = Omit<ChangeEntry, 'at' | 'who' | 'address' | 'organization'> & {
  readonly jobId?: string;
};

/** Describes what a call that was sent changed. */
export function describeChange(call: Call, ending: CallEnding, assume: Assume): ChangeMade {
  const { operation, path: values = {} } = call;
  const { answer, thrown } = ending;
  const path = operation.path
    .replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
    .replace(/\?.*$/s, '');
  const request = operation.command === undefined ? `${operation.method} ${path}` : undefined;
  const { status, requestId } = answer ?? (thrown instanceof CliError ? thrown.details : {});
  const jobId = asText(findField(answer?.value, 'jobId'));
  return {
    command: operation.command ?? 'api',
    what: request ?? findObject(call, answer) ?? null,
    service: /\/services\/([^/]+)/.exec(path)?.[1] ?? null,
    result: getResult(call, ending, assume),
    status: status ?? null,
    requestId: requestId ?? null,
    ...(jobId !== undefined && { jobId }),
  };
}

function getResult(
  call: Call,
  { answer, thrown }: CallEnding,
  assume: Assume,
): ChangeEntry['result'] {
  if (answer === undefined) {
    const isRefused = thrown instanceof CliError && thrown.details.outcome !== 'unknown';
    return isRefused ? 'refused' : 'unknown';
  }
  const { verdict, thing } = judgeChange(answer, call.operation, assume);
  // Without its id an order may exist, even if the answer says that it failed.
  if (thing === 'order' && findOrderId(answer.value) === undefined) return 'unknown';
  if (verdict === 'failed') return verdict;
  if (verdict === 'doubtful' || answer.outcomeUnknown) return 'unknown';
  return verdict === 'done' || verdict === 'pending' ? verdict : 'accepted';
}

/** Finds what was changed: the action, the domain or the order. */
function findObject({ operation, path, body }: Call, answer?: Answer): string | undefined {
  const kind = KINDS[operation.name];
  if (kind === 'job') return asText(asObject(body)['action']);
  if (kind === 'staging') return path?.['domain'];
  return kind === 'order' ? findOrderId(answer?.value) : undefined;
}
