import type { MESSAGES, SUMMARY } from './contract/fields/documents.ts';
import type { RecordOf } from './contract/fields/field.ts';

/** Exit and error codes are stable: scripts branch on them. */
export const EXIT_CODES = {
  unexpected: { exit: 1, meaning: 'a bug, a redirect, or an answer that cannot be understood' },
  usage: {
    exit: 2,
    meaning: 'the line, a setting or a confirmation is wrong or missing; nothing was changed',
  },
  already_placed: {
    exit: 2,
    meaning: 'the same order was placed within a day; nothing was sent (orderId, idempotencyKey)',
  },
  already_done: {
    exit: 2,
    meaning: 'the run of this log has ended; nothing was sent',
  },
  in_use: {
    exit: 2,
    meaning: 'another svc is using the log or file; nothing was changed, so try again later',
  },
  rejected: { exit: 3, meaning: 'the platform refused the request (400, 409, 422 and the like)' },
  unauthenticated: { exit: 4, meaning: 'not signed in, or the platform did not accept the token' },
  forbidden: { exit: 5, meaning: 'the token or organization may not do this' },
  not_found: { exit: 6, meaning: 'it does not exist' },
  rate_limited: { exit: 7, meaning: 'too many requests, even after waiting as asked' },
  unavailable: {
    exit: 8,
    meaning:
      'no answer, a problem of the platform (5xx), or a change whose outcome is unknown ("outcome": "unknown")',
  },
  failed: { exit: 9, meaning: 'the task failed: a job, an order, a restart, a login or a check' },
  alert: {
    exit: 9,
    meaning: 'a check found a problem: --fail-if… holds, or a move would lose something',
  },
  still_running: { exit: 10, meaning: '--wait gave up, but the work continues' },
  partial: {
    exit: 11,
    meaning: 'of several, at least one failed; if all failed alike, their own exit code',
  },
  no_data: {
    exit: 12,
    meaning: 'a check could not be made: no points, old points, or points of another range',
  },
  interrupted: { exit: 130, meaning: 'Ctrl-C (SIGINT)' },
} as const;

/** The exit code of an interruption by each signal. */
export const SIGNAL_EXITS = {
  SIGINT: EXIT_CODES.interrupted.exit,
  SIGTERM: 143,
  SIGHUP: 129,
} as const;

/** The code of an error, in snake_case. */
export type ErrorCode = keyof typeof EXIT_CODES;

/**
 * A next step: a sentence, command lines that can be pasted, or both. Of a string {@link toNextStep}
 * tells which.
 */
export type Hint = string | Step;

interface Step {
  readonly say?: string;
  readonly run: readonly string[];
  /** Present if an agent must leave the commands to a person (`nextBy`). */
  readonly by?: 'person';
  /** The kind of the commands, if their words do not say it (`nextKind`). */
  readonly kind?: NextKind;
}

/**
 * The kind of the next command lines: the same line, which may work now and does nothing twice;
 * signing in first; looking; or anything that somebody should decide.
 */
export type NextKind = 'retry' | 'sign_in' | 'look' | 'other';

/** How many of several ended in which way. */
export type RunSummary = RecordOf<typeof SUMMARY>;

/** Fields of the JSON error, what others are made of, and what only people see. */
export interface ErrorDetails
  extends Omit<
    RecordOf<typeof MESSAGES.error>,
    'error' | 'code' | 'exitCode' | 'hint' | 'next' | 'nextBy' | 'nextKind' | 'retryAfter'
  > {
  readonly hint?: Hint | undefined;
  /** Seconds that the platform asks to wait (`retryAfter`). */
  readonly retryAfterSeconds?: number | undefined;
  /** The API's own Error object, unchanged. */
  readonly service?: Readonly<Record<string, unknown>> | undefined;
  /** Lines of detail under the message; in JSON they are appended to it. */
  readonly lines?: readonly string[] | undefined;
  /** A person stopped: no `Error:` is shown. */
  readonly isCancelled?: true;
  /** Esc left a question, for the one before. */
  readonly isBack?: true;
  /** Overrides {@link EXIT_CODES}, as {@link SIGNAL_EXITS} does. */
  readonly exitCode?: number | undefined;
  /** The words of the line that was meant, or a text in it and what it should be. */
  readonly meant?:
    | readonly string[]
    | { readonly text: string; readonly value: string }
    | undefined;
  /** Shown with `--debug` only. */
  readonly cause?: unknown;
}

/** How to settle a change in doubt, as the code that plans the change says. */
export type Settling = Pick<ErrorDetails, 'lines' | 'hint'>;

/** A message for people, without a secret, and a code for scripts. */
export class CliError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'CliError';
    this.code = code;
    this.details = details;
  }

  get exitCode(): number {
    return this.details.exitCode ?? EXIT_CODES[this.code].exit;
  }

  with(more: ErrorDetails): CliError {
    return new CliError(this.code, this.message, { ...this.details, ...more });
  }

  /** Says what a text of the line should be; svc then proposes the whole line. */
  withMeantText(text: string, value: string | undefined): CliError {
    return value === undefined ? this : this.with({ meant: { text, value } });
  }

  withLines(...lines: readonly string[]): CliError {
    return this.with({ lines: [...(this.details.lines ?? []), ...lines] });
  }
}

const CHECK = ['The change may have gone through. Check before you repeat it.'];

/**
 * The change may have been carried out: exit code 8 with `outcome: "unknown"`. An interrupt stays
 * one.
 */
export function inDoubt(
  { code, message, details }: CliError,
  { lines = CHECK, hint }: Settling = {},
): CliError {
  return new CliError(code === 'interrupted' ? code : 'unavailable', message, {
    ...details,
    outcome: 'unknown',
    lines: [...(details.lines ?? []), ...lines],
    hint: hint ?? details.hint,
  });
}

/** Something is wrong or missing; nothing was sent. */
export function usageError(message: string, hint?: Hint): CliError {
  return new CliError('usage', message, { hint });
}

/** Creates the error after a No (`usage`) or Ctrl-C; `nothing` says what did not happen. */
export function cancelledError(
  code: 'usage' | 'interrupted',
  nothing = 'Nothing was changed.',
): CliError {
  return new CliError(code, `Cancelled. ${nothing}`, { isCancelled: true });
}

/** A string is a command line if it begins with `svc ` and has no `<place>` to fill in. */
export function toNextStep(hint: Hint | undefined): Step {
  if (hint === undefined) return { run: [] };
  if (typeof hint !== 'string') return hint;
  return hint.startsWith('svc ') && !/[<\u2026]/.test(hint)
    ? { run: [hint] }
    : { say: hint, run: [] };
}

/** Reads; returns `otherwise` if that fails: for what svc can do without, or reports later. */
export function tryOr<T, Other>(read: () => T, otherwise: Other): T | Other {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** The code of a system error, such as `ENOENT`; empty for anything else. */
export function getErrorCode(error: unknown): string {
  const { code } = Object(error);
  return typeof code === 'string' ? code : '';
}

/** Joins a message and its lines to sentences on one line. */
export function asOneLine(message: string, lines: readonly string[] = []): string {
  let text = message;
  for (const [index, line] of lines.entries()) {
    const divider = index === 0 ? '. ' : '; ';
    text += (/[.:;?!]$/.test(text) ? ' ' : divider) + line.trim().replace(/ {2,}/g, ' ');
  }
  return text;
}

/** Adds a full stop. */
export function asSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

const QUOTED_LENGTH = 80;

/**
 * Writes a text in double quotes, on one line, cut after 80 characters. A backslash stays one, as
 * it was typed.
 */
export function quote(text: string): string {
  const characters = [...text.slice(0, 2 * QUOTED_LENGTH + 1)];
  const isLong = characters.length > QUOTED_LENGTH;
  const part = isLong ? `${characters.slice(0, QUOTED_LENGTH).join('')}…` : text;
  return JSON.stringify(part).replaceAll('\\\\', '\\');
}

const NAMES_LISTED = 5;

/** Lists the first five names, and how many more there are. */
export function listNames(names: readonly string[]): string {
  const first = names.slice(0, NAMES_LISTED).join(', ');
  return names.length > NAMES_LISTED ? `${first} and ${names.length - NAMES_LISTED} more` : first;
}
