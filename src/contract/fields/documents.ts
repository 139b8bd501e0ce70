import { MOVE_DOCUMENTS } from './dns.ts';
import {
  any,
  anyItems,
  anyObject,
  boolean,
  type Fields,
  integer,
  number,
  object,
  objects,
  oneOf,
  orAbsent,
  orNull,
  parts,
  type RecordOf,
  rows,
  sameAs,
  secret,
  string,
  stringOrAbsent,
  stringOrNull,
  strings,
  time,
  timeOrNull,
  unit,
  uri,
} from './field.ts';
import { HELP_DOCUMENTS } from './help.ts';
import { type CHANGE, MACHINE_DOCUMENTS } from './machine.ts';

/** The lines that svc prints while a command runs on. */
const EVENTS = {
  /** The first event of `svc login`: somebody has to approve a code. */
  login_pending: {
    event: oneOf('what happened', ['login_pending']),
    userCode: stringOrNull('the code to compare'),
    verificationUri: stringOrNull('the page to open'),
    verificationUriComplete: stringOrNull('the same page with the code in its address'),
    expiresAt: timeOrNull('when the code expires'),
    interval: unit('s', number('time between two polls')),
    clientName: string('the name of this machine, as the page shows it'),
    apiUrl: uri('address of the platform'),
  },
  /** The last event of `svc login`: the token is saved. */
  login_succeeded: {
    event: oneOf('what happened', ['login_succeeded']),
    user: parts({
      email: stringOrNull('who signed in'),
    }),
    organizationId: stringOrNull('organization of the sign-in'),
    tokenId: stringOrNull('id of the token'),
    expiresAt: timeOrNull('when the token expires'),
    apiUrl: uri('address of the platform'),
    path: stringOrNull('the file that the token was saved in'),
  },
  /** The one event of `svc sandbox start`: the address, a token, and ids to try. */
  'sandbox start': {
    url: uri('its address'),
    token: secret(string('a token for it')),
    services: rows({
      id: string('a service'),
      kind: oneOf('what it is', ['wordpress', 'app', 'vps']),
      name: string('its name'),
    }),
    deployments: rows({
      id: string('a deployment'),
      service: string('id of its service'),
    }),
    databases: rows({
      id: string('a database'),
      engine: oneOf('its engine', ['postgres', 'mysql', 'redis']),
    }),
    plans: rows({
      id: string('a plan'),
      free: boolean('whether it costs nothing'),
    }),
    domains: strings('domains that can be scanned'),
    dnsServer: string('its DNS server, for SVC_DNS_SERVER'),
  },
};

const ALERT = {
  item: stringOrAbsent('which of several it is about'),
  series: string('name of the series; `token`, or a domain'),
  figure: string(
    'what was compared: such as `last`, the `days` that a `token` has left, `records` that would be lost, `dnssec`',
  ),
  value: number('the value that was found'),
  limit: number('the value that it was compared with, in the unit of the series'),
  at: timeOrNull('when it was measured; `null` for a figure of several values'),
};

/** The counts of several. */
export const SUMMARY = {
  total: integer('how many the list has; the next five and `queued` add up to it'),
  done: integer('those that were done'),
  failed: integer('those that failed'),
  alerts: integer('those with an alarm: `--fail-if` holds, or a move would lose something'),
  left: integer('those of which nothing was sent, or a job still runs'),
  skipped: integer('those that are done, as the log says'),
  seconds: unit('s', number('how long it took')),
  noData: orAbsent(integer('how many of the failed could not be checked for want of data')),
  inDoubt: orAbsent(integer('how many of the failed may have been carried out')),
  running: orAbsent(integer('how many of those left have a job that still runs')),
  queued: orAbsent(integer('those with a job that was queued, and is not waited for')),
};

const WARNING = {
  warning: string('a sentence'),
  code: string('a stable name'),
};

const REQUEST = {
  method: string('HTTP method'),
  url: uri('the whole address'),
  headers: anyObject('header names and values'),
};

/** The request that a command would send. */
const DRY_RUN = {
  ...REQUEST,
  body: orAbsent(any('the body as it would be sent')),
  followedBy: orAbsent(
    object('of `svc domains add`: the request that would follow the scan', REQUEST),
  ),
};

/** Lines of any command. */
export const MESSAGES = {
  /** The error object on stderr. The platform's own fields come before those of svc. */
  error: {
    error: any(
      "the `error` of the platform exactly as it came (text or fields), or a sentence of svc's",
    ),
    code: string('a stable name; see [exit codes](commands.md#exit-codes)'),
    exitCode: integer('the exit code'),
    status: orAbsent(integer('HTTP status of the answer, if there was one')),
    hint: stringOrAbsent('the next step, if svc knows one: a sentence, or the command line itself'),
    next: orAbsent(
      strings('the command lines of that step, the best one first; each can be run as it is'),
    ),
    nextKind: orAbsent(
      oneOf(
        'what those lines are for: the same line, which does nothing twice (`retry`; only this may be run unseen), signing in first (`sign_in`), looking without a change (`look`), or what somebody should decide (`other`)',
        ['retry', 'sign_in', 'look', 'other'],
      ),
    ),
    nextBy: orAbsent(oneOf('set if an agent must leave those commands to a person', ['person'])),
    retryAfter: orAbsent(unit('s', number('how long the platform asks you to wait'))),
    requestId: stringOrAbsent("the platform's id for the request"),
    attempts: orAbsent(integer('how often the request was sent')),
    jobId: stringOrAbsent('the job that was queued'),
    orderId: stringOrAbsent('the order that exists'),
    idempotencyKey: stringOrAbsent('the key of the order'),
    savedZone: stringOrAbsent('the file in which `domains add` saved the scanned records'),
    outcome: orAbsent(oneOf('set if a change may have been carried out', ['unknown'])),
    alerts: orAbsent(
      objects('with the code `alert`: what holds; of several, the first 100 are listed', ALERT),
    ),
    summary: orAbsent(
      sameAs('summary', object('of several: the counts [above](#several-at-once)', SUMMARY)),
    ),
  },
  warning: WARNING,
  several: {
    index: integer('the place in the list, from 0'),
    item: any('the id, or the object of the line'),
    exitCode: integer('what the exit code of this one alone would be'),
    code: stringOrNull('the code of its error; `null` if it succeeded'),
    answer: orAbsent(any("the API's answer, if there was one, without its line breaks")),
    error: orAbsent(sameAs('error', anyObject('the error, with the fields [below](#errors)'))),
    warnings: orAbsent(objects('what one is warned of', WARNING)),
    attempts: integer('how many requests were sent'),
    ms: unit('ms', integer('the time from the first request to the end')),
  },
  /** The line on stderr after several that were all done. */
  counted: {
    summary: parts(SUMMARY),
  },
};

const figure = (meaning: string) => orNull(number(meaning));

/** The figures of one series; `null` without any value. */
const SERIES = {
  name: string('name of the series'),
  unit: string('unit of the values: `%`, `bytes`, `ms`, `s`, or `count` if svc knows none'),
  last: figure('the latest value'),
  lastAt: timeOrNull('when the latest value was measured'),
  min: figure('the lowest value'),
  avg: figure('the mean of the values'),
  p95: figure('95 of 100 values do not exceed it (nearest rank)'),
  max: figure('the highest value'),
};

/** `svc metrics --summary`. */
const METRICS_SUMMARY = {
  service: string('id of the service'),
  start: time('start of the range; only values in the range count'),
  end: time('end of the range'),
  stepSeconds: unit('s', integer('size of a bucket, as it was asked for')),
  points: integer('how many points the API answered in the range'),
  series: rows(SERIES),
};

/** The answer of the tool `metrics`: the same, with a few values in place of all points. */
export const METRICS_FIGURES = {
  ...METRICS_SUMMARY,
  firstPart: orAbsent(time('with values: when the first part begins')),
  partSeconds: orAbsent(unit('s', number('with values: length of a part'))),
  series: rows({
    ...SERIES,
    values: orAbsent(
      anyItems('the mean of each of at most 60 equal parts of the range; `null` is a gap'),
    ),
  }),
};

/**
 * The documents that svc prints on stdout with `--json`, by their command. Each also has
 * `schemaVersion`.
 */
export const DOCUMENTS = {
  ...HELP_DOCUMENTS,
  ...MACHINE_DOCUMENTS,
  ...MOVE_DOCUMENTS,
  'metrics summary': METRICS_SUMMARY,
  'dry-run': DRY_RUN,
} as const satisfies Record<string, Fields>;

/** Lines of JSON: events of a command that runs on, each of several, warnings, the error. */
export const LINES = {
  ...EVENTS,
  ...MESSAGES,
} as const satisfies Record<string, Fields>;

/** The command of a document, without the hyphens of its option. */
export type DocumentName = keyof typeof DOCUMENTS;
/** The document of that name, without `schemaVersion`. */
export type DocumentOf<Name extends DocumentName> = RecordOf<(typeof DOCUMENTS)[Name]>;
/** The line of that name, or of one of those names. */
export type LineOf<Name extends keyof typeof LINES> = Name extends Name
  ? RecordOf<(typeof LINES)[Name]>
  : never;
/** A line that svc prints while a command runs on. */
export type Event = LineOf<keyof typeof EVENTS>;
/** A change that svc sent, as `svc changes` lists it. */
export type ChangeEntry = RecordOf<typeof CHANGE>;
