import { OPERATIONS, type Operation } from '../src/contract/operations.ts';
import { type Hint, quote, usageError } from '../src/errors.ts';
import {
  ANSWER_EFFECTS,
  type AnswerEffect,
  findOnlyOperation,
  readAnswerEffect,
} from './answer-effects.ts';
import { GET_JOB } from './route.ts';

/**
 * The effect of a fault. With `afterWork` the request takes effect although its answer says that it
 * failed.
 */
type Effect =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly afterWork: boolean;
      readonly error: string | undefined;
      readonly retryAfterSeconds: number | undefined;
    }
  | { readonly kind: 'drop'; readonly afterWork: boolean }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'garbage' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'answer'; readonly change: AnswerEffect };

/** An injected fault, read by {@link parseFault}. */
export interface Fault {
  /** The rule as it was written. */
  readonly text: string;
  readonly operations: readonly string[];
  readonly effect: Effect;
  /** How many requests pass before it applies. */
  readonly skip: number;
  /** How many requests it applies to; `Infinity` for all. */
  readonly times: number;
}

/**
 * Counts a request to an operation and returns its fault: the first one, in the order given, that
 * is due.
 */
export type TakeFault = (operation: string) => Fault | undefined;

/** Returns a function that injects these faults, each as often as it was asked for. */
export function planFaults(faults: readonly Fault[]): TakeFault {
  const counted = faults.map((fault) => ({ fault, skip: fault.skip, left: fault.times }));
  return (operation) => {
    const open = counted.filter(
      ({ fault, left }) => left > 0 && fault.operations.includes(operation),
    );
    const due = open.find(({ skip }) => skip === 0);
    for (const rule of open) if (rule.skip > 0) rule.skip -= 1;
    if (due !== undefined) due.left -= 1;
    return due?.fault;
  };
}

const FAULT_FORM = '<operation>:<effect>[*<times>][,<option>=<value>]…';
const EFFECTS = `400 to 599, 400-after to 599-after, drop, drop-after, delay=<duration>, garbage, cut, ${ANSWER_EFFECTS}`;
const OPTIONS = 'retry-after=<seconds>, error=<text>, skip=<requests>';
const EXAMPLE = 'restart:503*2,retry-after=1';
const MAX_DELAY_MS = 10 * 60 * 1000;
const UNIT_MS = { ms: 1, s: 1_000, m: 60_000 } as const;

/**
 * Reads a fault, such as `restart:503*2,retry-after=1`: the next two restarts are answered 503 with
 * `Retry-After: 1`.
 *
 * - operation: a name (`createOrder`), a command (`buy`, `wp-run`), `getJob` for the job lookup, or
 * `*` for all
 * - `503`: this status, and the request has no effect; `503-after`: it has its effect
 * - `drop`: the connection breaks, and the request has no effect; `drop-after`: it has its effect
 * - `delay=3s`: the request waits first (`ms`, `s`, `m`; at most 10 minutes)
 * - `status=failed`, `success=false`, `payment=failed`, `jobId=job_other`, `failedRecords=MX`,
 * `missing=AAAA`: after the effect, the answer says so; also about the records of a staging:
 * `failed-record=MX`, `missing-record` and `no-nameservers`; of a scan: `lost-field`
 * - `garbage`: after the effect, the body of the answer is not JSON; `cut`: it ends half way
 * - `*2`: applies to two requests; without it, to all
 * - options: `retry-after=<seconds>` and `error=<text>` for statuses; `skip=<n>` lets n requests
 * pass first
 *
 * @throws CliError `usage` with the mistake and an example.
 */
export function parseFault(text: string): Fault {
  const [, operation, rest] = /^([^:]+):(.+)$/s.exec(text) ?? [];
  if (operation === undefined || rest === undefined) {
    throw wrong(text, `is not of the form ${FAULT_FORM}`);
  }
  const [head = '', ...optionTexts] = rest.split(',');
  const [, effectText = '', timesText] = /^(.*?)(?:\*(.*))?$/s.exec(head) ?? [];
  const options = readOptions(text, optionTexts);
  const effect = readEffect(text, effectText, options);
  if (effect.kind !== 'status' && (options.has('retry-after') || options.has('error'))) {
    throw wrong(text, 'has an option that only 400 to 599 take (retry-after, error)');
  }
  const operations = readOperations(text, operation);
  const only = effect.kind === 'answer' ? findOnlyOperation(effect.change) : undefined;
  if (only !== undefined && operations.some((name) => name !== only)) {
    throw wrong(
      text,
      `is about records, which only ${only} answers`,
      'For example: domains-add:failed-record=MX',
    );
  }
  return {
    text,
    operations,
    effect,
    skip: count(text, 'skip', options.get('skip') ?? '0', 0),
    times:
      timesText === undefined
        ? Number.POSITIVE_INFINITY
        : count(text, 'the number after *', timesText, 1),
  };
}

function readOperations(text: string, wanted: string): readonly string[] {
  const all: readonly Operation[] = [...Object.values(OPERATIONS), GET_JOB];
  const toFaultName = ({ command }: Operation) => command?.replaceAll(' ', '-');
  const isMeant = (operation: Operation) =>
    wanted === '*' ||
    operation.name === wanted ||
    toFaultName(operation) === wanted.replaceAll(' ', '-');
  const names = all.filter(isMeant).map(({ name }) => name);
  if (names.length > 0) return names;
  const known = all.map(({ name }) => name).join(', ');
  const hint = `Use one of ${known}; a command such as restart, buy or wp-run; or *.`;
  throw wrong(text, `names no operation ${quote(wanted)}`, hint);
}

function readEffect(text: string, effect: string, options: ReadonlyMap<string, string>): Effect {
  const status = /^([45]\d\d)(-after)?$/.exec(effect);
  if (status !== null) {
    const retryAfter = options.get('retry-after');
    return {
      kind: 'status',
      status: Number(status[1]),
      afterWork: status[2] !== undefined,
      error: options.get('error'),
      retryAfterSeconds:
        retryAfter === undefined ? undefined : count(text, 'retry-after', retryAfter, 0),
    };
  }
  const delay = /^delay=(\d{1,6})(ms|s|m)$/.exec(effect);
  if (delay !== null) {
    const ms = Number(delay[1]) * UNIT_MS[delay[2] as keyof typeof UNIT_MS];
    if (ms > MAX_DELAY_MS) throw wrong(text, 'waits longer than 10 minutes');
    return { kind: 'delay', ms };
  }
  if (effect === 'drop' || effect === 'drop-after') {
    return { kind: 'drop', afterWork: effect === 'drop-after' };
  }
  if (effect === 'garbage' || effect === 'cut') return { kind: effect };
  const change = readAnswerEffect(effect);
  if (change !== undefined) return { kind: 'answer', change };
  throw wrong(
    text,
    `names no effect ${quote(effect)}`,
    `Effects: ${EFFECTS}. For example: ${EXAMPLE}`,
  );
}

function readOptions(text: string, parts: readonly string[]): ReadonlyMap<string, string> {
  const options = new Map<string, string>();
  for (const part of parts) {
    const [, name = '', value] = /^([^=]*)=(.+)$/s.exec(part) ?? [];
    if (value === undefined || !['retry-after', 'error', 'skip'].includes(name)) {
      throw wrong(
        text,
        `has no option ${quote(part)}`,
        `Options: ${OPTIONS}. For example: ${EXAMPLE}`,
      );
    }
    if (options.has(name)) throw wrong(text, `has ${name} twice`);
    options.set(name, value);
  }
  return options;
}

function count(text: string, name: string, digits: string, least: number): number {
  if (/^\d{1,6}$/.test(digits) && Number(digits) >= least) return Number(digits);
  throw wrong(text, `needs a whole number of at least ${least} for ${name}, not ${quote(digits)}`);
}

function wrong(
  text: string,
  what: string,
  hint: Hint = { say: `For example: ${EXAMPLE}`, run: ['svc help faults'] },
) {
  return usageError(`The fault ${quote(text)} ${what}.`, hint);
}
