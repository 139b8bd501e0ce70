import type { ErrorCode, Hint } from '../errors.ts';
import type { TransportErrorKind } from '../http/transport-error.ts';
import { changesSomething, type Operation, type RetryClass } from '../spec/operations.ts';

// All that svc knows of each HTTP status and each kind of broken request. To change what a status means, change its row.

/** What went wrong with an attempt: the status of an answer that is not 2xx, or how the connection broke. */
export type FailureKind = number | TransportErrorKind;

/** Attempts after the first, at most; `ifAsked`: only after an answer with `Retry-After`, as the platform then refused the request itself. */
type Repeats = number | { readonly ifAsked: number };

/** What svc does and says about a status, or a break of the connection. */
export interface FailureRule {
  readonly code: ErrorCode;
  /** What svc says if the platform says nothing: a sentence without its full stop. */
  readonly says: (host: string, path: string) => string;
  /** Stands before the platform's own words. */
  readonly lead?: string;
  /**
   * The next step.
   * @param when when the platform asks to be asked again, such as `in 20 s`
   */
  readonly next?: (operation: Operation, when: string | undefined) => Hint | undefined;
  /** Waits twice as long before a repeat. */
  readonly isBusy?: true;
  /** How often each class repeats the request. Each class is spelled out, so that none takes over what is meant for another; left out: never. */
  readonly repeats: Readonly<Partial<Record<RetryClass, Repeats>>>;
  /** Classes for which the change may have been carried out once the repeats are used up. */
  readonly doubtFor?: readonly RetryClass[];
}

/** A poll is asked again at the next interval, for as long as its code lives (src/sign-in/judge.ts). */
const UNTIL_THE_END = Number.POSITIVE_INFINITY;

/** Not for a change: it may have been carried out. */
const laterIfItReads = (operation: Operation, when = 'in a few minutes') =>
  changesSomething(operation) ? undefined : `Repeat the command ${when}.`;

const ORGS_HINT: Hint = { say: 'If it belongs to another organization, add --org <slug>.', run: ['svc orgs'] };

const REFUSED = {
  code: 'rejected',
  says: () => 'The platform refused the request',
  repeats: {},
} as const satisfies FailureRule;

const DOWN = {
  code: 'unavailable',
  says: (host) => `${host} is down or overloaded`,
  lead: 'The platform has a problem',
  next: laterIfItReads,
} as const satisfies Partial<FailureRule>;

/** Breaks of the connection; src/http/transport-error.ts has their sentences. */
const BROKEN = {
  code: 'unavailable',
  says: (host) => `The connection to ${host} broke`,
} as const satisfies Partial<FailureRule>;

/** Rows by status; `3xx`, `4xx` and `5xx` hold for every status without a row of its own. */
export const STATUSES = {
  '3xx': { code: 'unexpected', says: (host) => `${host} redirects`, repeats: {} },
  401: {
    code: 'unauthenticated',
    says: () => 'The platform requires you to sign in',
    next: () => 'svc login',
    repeats: {},
  },
  403: {
    code: 'forbidden',
    says: () => 'This account or organization is not allowed to do that',
    next: ({ name }) =>
      name === 'getUser'
        ? {
            say: 'See the organizations that you belong to, and which one is set:',
            run: ['svc orgs', 'svc config list'],
          }
        : { say: 'Check which account and organization you are using.', run: ['svc whoami'] },
    repeats: {},
  },
  404: {
    code: 'not_found',
    says: (host, path) => `${host} has nothing at ${path}`,
    // Everything with an id belongs to an organization, perhaps to another one of the user's.
    next({ command, number, path }) {
      if (command === undefined) return 'svc api --help';
      return number !== undefined && path.includes('{id}') ? ORGS_HINT : undefined;
    },
    repeats: {},
  },
  // Proxies send a late 408 for requests that they passed on.
  408: {
    ...DOWN,
    says: (host) => `${host} gave up waiting for the request`,
    repeats: { start: 2, poll: UNTIL_THE_END, read: 2, scan: 2, keyed: 2 },
    doubtFor: ['keyed', 'write'],
  },
  // Services answer 409 while the first request with the same key is still running.
  409: { ...REFUSED, repeats: { keyed: 2 }, doubtFor: ['keyed'] },
  // Not processed, by definition (RFC 8470).
  425: { ...REFUSED, repeats: { start: 2, poll: UNTIL_THE_END, read: 2, scan: 2, keyed: 2, write: 1 } },
  429: {
    code: 'rate_limited',
    says: () => 'Too many requests',
    lead: 'Too many requests',
    next: (_operation, when = 'in a minute') => `Repeat the command ${when}.`,
    isBusy: true,
    repeats: { start: 2, poll: UNTIL_THE_END, read: 2, scan: 2, keyed: 2, write: { ifAsked: 2 } },
  },
  '4xx': REFUSED,
  // A gateway sends 502 or 504 if it does not know what became of the request behind it.
  502: {
    ...DOWN,
    repeats: { start: 2, poll: UNTIL_THE_END, read: 2, scan: 2, keyed: 2 },
    doubtFor: ['keyed', 'write'],
  },
  503: {
    ...DOWN,
    isBusy: true,
    repeats: { start: 2, poll: UNTIL_THE_END, read: 2, scan: 2, keyed: 2, write: { ifAsked: 2 } },
    doubtFor: ['keyed', 'write'],
  },
  504: {
    ...DOWN,
    repeats: { start: 2, poll: UNTIL_THE_END, read: 2, scan: 2, keyed: 2 },
    doubtFor: ['keyed', 'write'],
  },
  '5xx': {
    ...DOWN,
    repeats: { start: 2, poll: UNTIL_THE_END, read: 2, scan: 2, keyed: 2 },
    doubtFor: ['keyed', 'write'],
  },
} as const satisfies Readonly<Record<string, FailureRule>>;

/** Rows by the way in which a connection broke. */
export const BREAKS: Readonly<Record<TransportErrorKind, FailureRule>> = {
  not_sent: { ...BROKEN, repeats: { start: 2, poll: UNTIL_THE_END, read: 2, scan: 2, keyed: 2, write: 2 } },
  tls: { ...BROKEN, repeats: { poll: UNTIL_THE_END } },
  // The proxy refused, so the platform has seen nothing.
  proxy: { ...BROKEN, repeats: { poll: UNTIL_THE_END } },
  reset: {
    ...BROKEN,
    repeats: { start: 2, poll: UNTIL_THE_END, read: 2, scan: 2, keyed: 2 },
    doubtFor: ['keyed', 'write'],
  },
  timeout: {
    ...BROKEN,
    // A scan is slow work for the platform: one that timed out twice would time out again.
    repeats: { start: 2, poll: UNTIL_THE_END, read: 2, scan: 1, keyed: 2 },
    doubtFor: ['keyed', 'write'],
  },
};

/** Returns the row of a failure. */
export function ruleOf(kind: FailureKind): FailureRule {
  if (typeof kind === 'string') return BREAKS[kind];
  const rows: Readonly<Record<string, FailureRule>> = STATUSES;
  return rows[kind] ?? rows[`${Math.floor(kind / 100)}xx`] ?? STATUSES['3xx'];
}

/** Returns how often a class repeats a request after a failure, at most. */
export function repeatsOf(rule: FailureRule, retryClass: RetryClass, isAsked: boolean): number {
  const repeats = rule.repeats[retryClass] ?? 0;
  if (typeof repeats === 'number') return repeats;
  return isAsked ? repeats.ifAsked : 0;
}

/** Whether a failure leaves open that the change was carried out. */
export function leavesDoubt(rule: FailureRule, retryClass: RetryClass): boolean {
  return rule.doubtFor?.includes(retryClass) ?? false;
}
