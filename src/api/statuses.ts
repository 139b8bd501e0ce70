import { changesSomething, type Operation, type RetryClass } from '../contract/operations.ts';
import type { ErrorCode, Hint } from '../errors.ts';
import type { TransportErrorKind } from '../http/send.ts';

/** A status that is not 2xx, or how the connection broke. */
export type FailureKind = number | TransportErrorKind;

/** The rules for a failure: what svc does and says. */
export interface FailureRule {
  readonly code: ErrorCode;
  /**
   * Returns the sentence if the platform says nothing, without its full stop; by default the prefix.
   */
  readonly describe?: (host: string, path: string) => string;
  /** Stands before what the platform says. */
  readonly prefix?: string;
  /** Returns the next step; `when` is when the platform asks to be asked again: `in 20 s`. */
  readonly suggest?: (operation: Operation, when: string | undefined) => Hint | undefined;
  /** Whether the wait before a repeat is twice as long. */
  readonly isBusy?: true;
  /**
   * How often each class repeats the request. `ifAsked`: only after an answer with `Retry-After`, as
   * the platform then refused the request itself.
   */
  readonly repeats: Readonly<Partial<Record<RetryClass, number | { readonly ifAsked: number }>>>;
  /** Classes for which the change may have been carried out once the repeats are used up. */
  readonly inDoubtFor?: readonly RetryClass[];
}

/** A poll is asked again for as long as its code lives (src/sign-in/judge.ts). */
const UNTIL_THE_END = Number.POSITIVE_INFINITY;

/** Every class but a write without a key, which could be carried out twice. */
const REPEATABLE = { start: 2, poll: UNTIL_THE_END, read: 2, scan: 2, keyed: 2 } as const;
const IN_DOUBT = { repeats: REPEATABLE, inDoubtFor: ['keyed', 'write'] } as const;

/** A web page may also be that of a network, which lets nothing else through. */
export const WRONG_ADDRESS = {
  say: 'Check the address of the platform. If your network has a login page, open a browser first.',
  run: ['svc doctor'],
};

const REFUSED: FailureRule = {
  code: 'rejected',
  describe: () => 'The platform refused the request',
  repeats: {},
};

const DOWN: FailureRule = {
  code: 'unavailable',
  describe: (host) => `${host} is down or overloaded`,
  prefix: 'The platform has a problem',
  // Not for a change: it may have been carried out.
  suggest: (operation, when = 'in a few minutes') =>
    changesSomething(operation) ? undefined : `Repeat the command ${when}.`,
  ...IN_DOUBT,
};

const BROKEN = { code: 'unavailable' } as const;
const NO_CONNECTION: FailureRule = { ...BROKEN, repeats: { poll: UNTIL_THE_END } };
const REDIRECT: FailureRule = { code: 'unexpected', repeats: {} };

/** A status that answers no request does not say that nothing was carried out. */
const NO_ANSWER: FailureRule = {
  ...REDIRECT,
  describe: (host) => `${host} sent a status that answers no request of svc`,
  inDoubtFor: ['keyed', 'write'],
};

/** A network asks to sign in; by definition not from the platform (RFC 6585, 6). */
const NETWORK_LOGIN: FailureRule = {
  code: 'unavailable',
  prefix: 'Your network wants you to sign in',
  describe: (host) => `Your network wants you to sign in before it lets you reach ${host}`,
  suggest: () => 'Open a browser, sign in to the network, then repeat the command.',
  repeats: { poll: UNTIL_THE_END },
};

/** `3xx`, `4xx` and `5xx` hold for every status without a row of its own; `5xx` from 600 on, too. */
const RULES: Readonly<Record<string, FailureRule>> = {
  '3xx': REDIRECT,
  300: NO_ANSWER,
  304: NO_ANSWER,
  401: { code: 'unauthenticated', repeats: {} },
  403: {
    code: 'forbidden',
    describe: () => 'This account or organization is not allowed to do that',
    suggest({ name }) {
      if (name === 'getUser') return 'svc orgs';
      return {
        say: 'Check which account and organization you are using.',
        run: ['svc whoami'],
      };
    },
    repeats: {},
  },
  404: {
    code: 'not_found',
    describe: (host, path) => `${host} has nothing at ${path}`,
    // Everything with an id belongs to an organization, perhaps to another one of the user's.
    suggest({ command, number, path }) {
      if (command === undefined) return 'svc api --help';
      if (number === undefined || !path.includes('{id}')) return undefined;
      return {
        say: 'If it belongs to another organization, add --org <slug>.',
        run: ['svc orgs'],
      };
    },
    repeats: {},
  },
  // Proxies send a late 408 for requests that they passed on.
  408: { ...DOWN, describe: (host) => `${host} gave up waiting for the request` },
  // Services answer 409 while the first request with the same key is still running.
  409: { ...REFUSED, repeats: { keyed: 2 }, inDoubtFor: ['keyed'] },
  // Not processed, by definition (RFC 8470).
  425: { ...REFUSED, repeats: { ...REPEATABLE, write: 1 } },
  429: {
    code: 'rate_limited',
    prefix: 'Too many requests',
    suggest: (_operation, when = 'in a minute') => `Repeat the command ${when}.`,
    isBusy: true,
    repeats: { ...REPEATABLE, write: { ifAsked: 2 } },
  },
  '4xx': REFUSED,
  503: { ...DOWN, isBusy: true, repeats: { ...REPEATABLE, write: { ifAsked: 2 } } },
  // A gateway sends 502 or 504 if it does not know what became of the request behind it.
  '5xx': DOWN,
  511: NETWORK_LOGIN,
  not_sent: { ...BROKEN, repeats: { ...REPEATABLE, write: 2 } },
  tls: NO_CONNECTION,
  proxy: NO_CONNECTION,
  reset: { ...BROKEN, ...IN_DOUBT },
  // A scan is slow work for the platform: one that timed out twice would time out again.
  timeout: { ...BROKEN, ...IN_DOUBT, repeats: { ...REPEATABLE, scan: 1 } },
};

/** Returns the row of a failure, or of all statuses like it. */
export function getFailureRule(kind: FailureKind): FailureRule {
  const hundreds = Math.min(5, Math.floor(Number(kind) / 100));
  return RULES[kind] ?? RULES[`${hundreds}xx`] ?? NO_ANSWER;
}

/** Returns how often a class repeats a request, at most. */
export function getMaxRepeats(
  { repeats }: FailureRule,
  retryClass: RetryClass,
  isAsked: boolean,
): number {
  const allowed = repeats[retryClass] ?? 0;
  if (typeof allowed === 'number') return allowed;
  return isAsked ? allowed.ifAsked : 0;
}

/** Whether a failure leaves open that the change was carried out. */
export function leavesDoubt({ inDoubtFor = [] }: FailureRule, retryClass: RetryClass): boolean {
  return inDoubtFor.includes(retryClass);
}
