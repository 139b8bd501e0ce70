import type { Fields } from './field.ts';

/** One condition of a check that holds, such as that of `--fail-if`. */
export const ALERT = {
  item: { type: 'string', optional: true, meaning: 'which of several it is about' },
  series: { type: 'string', meaning: 'name of the series; `token`, or a domain' },
  figure: {
    type: 'string',
    meaning:
      'what was compared, such as `last`, `avg` or `p95`; the `days` that a `token` has left; the `records` that would be lost',
  },
  value: { type: 'number', meaning: 'the value that was found' },
  limit: { type: 'number', meaning: 'the value that it was compared with, in the unit of the series' },
  at: { type: 'time', nullable: true, meaning: 'when it was measured; `null` for a figure of several values' },
} as const satisfies Fields;

/** The counts of several. */
export const SUMMARY = {
  total: { type: 'integer', meaning: 'how many the list has; the next five add up to it' },
  done: { type: 'integer', meaning: 'those that were done' },
  failed: { type: 'integer', meaning: 'those that failed' },
  alerts: { type: 'integer', meaning: 'those for which a condition of `--fail-if` holds' },
  left: { type: 'integer', meaning: 'those that are not done yet: nothing was sent, or a job still runs' },
  skipped: {
    type: 'integer',
    meaning: 'those that were left out because the log of `--resume` says that they are done',
  },
  seconds: { type: 'number', unit: 's', meaning: 'how long it took' },
  noData: { type: 'integer', optional: true, meaning: 'how many of the failed could not be checked for want of data' },
  inDoubt: { type: 'integer', optional: true, meaning: 'how many of the failed may have been carried out' },
  running: { type: 'integer', optional: true, meaning: 'how many of those left have a job that still runs' },
  accepted: { type: 'integer', optional: true, meaning: 'how many of the done had an error that `--accept` names' },
} as const satisfies Fields;

/** The error object on stderr. The platform's own fields come before those of svc. */
export const ERROR = {
  error: {
    type: 'unknown',
    meaning: "what went wrong: the `error` of the platform exactly as it came (text or fields), or a sentence of svc's",
  },
  code: { type: 'string', meaning: 'a stable name; see [exit codes](exit-codes.md)' },
  exitCode: { type: 'integer', meaning: 'the exit code' },
  status: { type: 'integer', optional: true, meaning: 'HTTP status of the answer, if there was one' },
  hint: {
    type: 'string',
    optional: true,
    meaning: 'the next step, if svc knows one: a sentence, or the command line itself',
  },
  next: {
    type: 'array',
    optional: true,
    items: { type: 'string' },
    meaning: 'the command lines of that step, the best one first; each can be run as it is',
  },
  nextBy: {
    type: 'string',
    enum: ['person'],
    optional: true,
    meaning: 'set if an agent must leave those commands to a person',
  },
  retryAfter: { type: 'number', unit: 's', optional: true, meaning: 'how long the platform asks you to wait' },
  requestId: { type: 'string', optional: true, meaning: "the platform's id for the request" },
  attempts: { type: 'integer', optional: true, meaning: 'how often the request was sent' },
  jobId: { type: 'string', optional: true, meaning: 'the job that was queued' },
  orderId: { type: 'string', optional: true, meaning: 'the order that exists' },
  idempotencyKey: {
    type: 'string',
    optional: true,
    meaning: 'the key of the order; if the platform honours it, the order is not placed twice',
  },
  savedZone: {
    type: 'string',
    optional: true,
    meaning: 'the file in which `domains add` saved the records of the scan before it staged them',
  },
  outcome: {
    type: 'string',
    enum: ['unknown'],
    optional: true,
    meaning: 'set if a change may have been carried out although no answer said so',
  },
  alerts: {
    type: 'array',
    optional: true,
    items: { type: 'object', fields: ALERT },
    meaning: 'with the code `alert`: what holds; of several, the first 100 are listed',
  },
  summary: {
    type: 'object',
    optional: true,
    fields: SUMMARY,
    sameAs: 'summary',
    meaning: 'of several: the counts [above](#several-at-once)',
  },
} as const satisfies Fields;

/** A warning on stderr. */
export const WARNING = {
  warning: { type: 'string', meaning: 'a sentence' },
  code: { type: 'string', meaning: 'a stable name' },
} as const satisfies Fields;

/** A line for one of several. */
export const SEVERAL = {
  index: { type: 'integer', meaning: 'the place in the list, from 0' },
  item: { type: 'unknown', meaning: 'the id, or the object of the line' },
  exitCode: { type: 'integer', meaning: 'what the exit code of this one alone would be' },
  code: { type: 'string', nullable: true, meaning: 'the code of its error; `null` if it succeeded' },
  answer: {
    type: 'unknown',
    optional: true,
    meaning: "the API's answer, if there was one: the same text as for one alone, without its line breaks",
  },
  error: { type: 'object', optional: true, sameAs: 'error', meaning: 'the error, with the fields [below](#errors)' },
  accepted: { type: 'string', optional: true, meaning: 'the code of an error that `--accept` counts as done' },
  warnings: {
    type: 'array',
    optional: true,
    items: { type: 'object', fields: WARNING },
    meaning: 'what one is warned of',
  },
  attempts: { type: 'integer', meaning: 'how many requests were sent' },
  ms: { type: 'integer', unit: 'ms', meaning: 'the time from the first request to the end' },
} as const satisfies Fields;

/** The line on stderr after several that were all done. */
export const COUNTED = {
  summary: { type: 'object', fields: SUMMARY },
} as const satisfies Fields;

const REQUEST = {
  method: { type: 'string', meaning: 'HTTP method' },
  url: { type: 'string', format: 'uri', meaning: 'the whole address' },
  headers: { type: 'object', meaning: 'header names and values' },
} as const satisfies Fields;

/** The request that a command would send. */
export const DRY_RUN = {
  ...REQUEST,
  body: { type: 'unknown', optional: true, meaning: 'the body as it would be sent' },
  followedBy: {
    type: 'object',
    optional: true,
    meaning: '`svc domains add` without `--records`: the request that would follow the scan',
    fields: REQUEST,
  },
} as const satisfies Fields;
