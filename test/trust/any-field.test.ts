import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeChange } from '../../src/api/change.ts';
import { findErrorObject, unwrap } from '../../src/api/read-answer.ts';
import { judgeDeployment } from '../../src/api/verdict.ts';
import { judgeStaging } from '../../src/commands/domains/staging.ts';
import { findLive } from '../../src/commands/shared/live.ts';
import { judgeJob } from '../../src/commands/wp/job.ts';
import { createAssume } from '../../src/contract/assumptions.ts';
import { createJobLookup, type Operation } from '../../src/contract/operations.ts';
import { asArray, asObject, isObject, type JsonObject } from '../../src/json/values.ts';
import { judgePoll } from '../../src/sign-in/judge.ts';
import { figure } from '../support/figure.ts';
import { tries } from '../support/property.ts';
import { USES } from './uses.ts';

// No field moves a verdict but `error`, `success`, and the places of a status.

const assume = createAssume(new Map());
const JOB = createJobLookup(assume('job.path'));

/** Good answers of every operation, and of the look at a job. */
const GOOD: ReadonlyArray<readonly [name: string, operation: Operation, good: JsonObject]> = [
  ...USES.map(({ operation, good }) => [operation.name, operation, good] as const),
  ['getJob', JOB, { jobId: 'job_1', status: 'completed', action: 'cache-flush' }],
];

/** Everything that svc decides by an answer, as a value to compare. */
function decide(operation: Operation, answer: JsonObject, good: JsonObject): unknown {
  const unwrapped = unwrap(answer, operation);
  const whole = {
    ...unwrapped,
    operation,
    status: 200,
    headers: {},
    text: JSON.stringify(answer),
    requestId: undefined,
    attempts: 1,
    outcomeUnknown: false,
  };
  if (operation.name === 'stageDomain') {
    const records = asArray(good['stagedRecords']) as never;
    const judged = judgeStaging(unwrapped, { domain: 'example.com', records }, assume);
    return [judged.failure?.message, judged.isConfirmed, judged.warnings];
  }
  if (operation.name === 'getJob') return judgeJob(whole as never, assume).stage;
  if (operation.name === 'getDeployment') {
    const live = findLive(asObject(unwrapped.value), 'd1', assume);
    return judgeDeployment(unwrapped, live, assume).stage;
  }
  if (operation.name === 'pollDeviceLogin') {
    const verdict = judgePoll({ ...whole, fault: undefined } as never, 'https://a.example', 0);
    return verdict.kind === 'token' ? verdict.issued : verdict.kind;
  }
  const isRefused = findErrorObject(answer, operation) !== undefined;
  if (operation.retry === 'read' || operation.retry === 'scan') return isRefused;
  const { verdict, status } = judgeChange({ value: answer, wrappers: [] }, operation, assume);
  return [verdict, status];
}

/** Names that sound bad or good, and those that may wrap an answer. */
const NAMES = (
  'failed failure failures failureReason errors errorCode errorMessage lastError rejected declined refused conflict ' +
  'cancelled skipped missing partial rolledBack dryRun ok accepted approved completed verified valid enabled exitCode ' +
  'conclusion outcome stderr message reason detail title code checks steps items records payment transaction charge ' +
  'provision customer meta health warnings data result order job autopay id uuid'
).split(' ');
const SAID = [
  ...[null, true, false, 0, 1, 3, -1, '', 'no', 'yes', 'true', 'false', 'none'],
  ...['failed', 'error', 'cancelled', 'pending', 'done', 'Error: it failed', 'declined'],
];

const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
);
const { value } = fc.letrec<{ value: unknown; fields: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(fc.constantFrom(...SAID), fc.string(), fc.integer()),
    tie('fields'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
  fields: fc.dictionary(
    fc.oneof(name, fc.constantFrom('error', 'success', 'status', 'state')),
    tie('value'),
    { maxKeys: 4, noNullPrototype: true },
  ),
}));
const laidFields = fc.dictionary(name, value, { minKeys: 1, maxKeys: 4, noNullPrototype: true });

/** Names that decide, of a documented field or by an assumption, where they stand in the own level. */
const PLACES = /^(?:error|success|status|state|payment_?status)$/i;
const LIVE = /^(?:is_?)?(?:live|active|current)/i;
const WRAPPERS = ['data', 'result', 'order', 'job', 'autopay'];

/** Removes what may decide: the places, and the documented fields in what may wrap an answer. */
function withoutPlaces(fields: JsonObject, good: JsonObject, depth = 0): JsonObject {
  const entries = Object.entries(fields).filter(
    ([field]) => !PLACES.test(field) && !LIVE.test(field) && !(depth > 0 && field in good),
  );
  return Object.fromEntries(
    entries.map(([field, inner]) => {
      if (!isObject(inner)) return [field, inner];
      if (field === 'payment') return [field, { ...inner, status: 3 }];
      if (!WRAPPERS.includes(field) || depth === 2) return [field, inner];
      const { id: _id, orderId: _orderId, ...others } = withoutPlaces(inner, good, depth + 1);
      return [field, others];
    }),
  );
}

/** Lays fields beside those of an answer, at its top and into each of its objects. */
function lay(good: JsonObject, fields: JsonObject): JsonObject {
  const layInto = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(layInto);
    return isObject(part) ? lay(part, fields) : part;
  };
  const filled = Object.entries(good).map(([field, part]) => [field, layInto(part)]);
  return { ...fields, ...Object.fromEntries(filled) };
}

test.each(GOOD)('no undocumented field moves what svc makes of %s', (_name, operation, good) => {
  const { numRuns, seed } = tries(3_000, 52_001 + GOOD.findIndex(([, own]) => own === operation));
  const verdict = decide(operation, good, good);

  const property = fc.property(laidFields, (fields) => {
    const answer = lay(good, withoutPlaces(fields, good));

    expect(decide(operation, answer, good)).toEqual(verdict);
  });

  fc.assert(property, { numRuns, seed });
  figure('Verdicts', numRuns);
});
