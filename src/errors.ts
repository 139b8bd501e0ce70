import type { ErrorLine } from './spec/fields/documents.ts';
import type { RecordOf } from './spec/fields/field.ts';
import type { ALERT, SUMMARY } from './spec/fields/messages.ts';

/** The exit code of each error code. Both are a stable surface: scripts branch on them. */
export const EXIT_CODES = {
  unexpected: 1,
  usage: 2,
  rejected: 3,
  unauthenticated: 4,
  forbidden: 5,
  not_found: 6,
  rate_limited: 7,
  unavailable: 8,
  failed: 9,
  alert: 9,
  still_running: 10,
  partial: 11,
  no_data: 12,
  interrupted: 130,
} as const;

/** A stable, snake_case name of what went wrong. */
export type ErrorCode = keyof typeof EXIT_CODES;

/** A next step: a sentence, and command lines that can be pasted, the best one first. A string is either of the two. */
export type Hint = string | Step;

interface Step {
  readonly say: string;
  readonly run: readonly string[];
  /** Set if an agent must leave the commands to a person (`nextBy`). */
  readonly by?: 'person';
}

/** A value that meets a condition which svc was told to watch, such as that of `--fail-if`. */
export type Alert = RecordOf<typeof ALERT>;

/** How many items of a list ended in which way. All but the last three add up to `total`. */
export type RunSummary = RecordOf<typeof SUMMARY>;

/** Details of an error; in parentheses, the field's name in the JSON error. */
export interface ErrorDetails {
  /** HTTP status of the answer. */
  readonly status?: number | undefined;
  readonly hint?: Hint | undefined;
  /** Seconds that the service asks to wait (`retryAfter`). */
  readonly retryAfterSeconds?: number | undefined;
  readonly requestId?: string | undefined;
  readonly attempts?: number | undefined;
  readonly jobId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** The file with a domain's records as they were before a change. */
  readonly savedZone?: string | undefined;
  /** Set if a write may have happened although no answer confirmed it. */
  readonly outcome?: 'unknown' | undefined;
  /** The service's own Error object, unchanged. */
  readonly service?: Readonly<Record<string, unknown>> | undefined;
  /** Lines of detail under the message; in JSON they are appended to it. */
  readonly lines?: readonly string[] | undefined;
  /** Set if a person decided to stop: no mistake, so people see the message without `Error:`. */
  readonly isCancelled?: true | undefined;
  /** The command worked, and what it was asked about is not there yet, which is no mistake: people see no `Error:`. */
  readonly isExpected?: true | undefined;
  /** What an error with the code `alert` is about. */
  readonly alerts?: readonly Alert[] | undefined;
  /** The counts of a run for several. */
  readonly summary?: RunSummary | undefined;
  /** Overrides {@link EXIT_CODES}, such as 143 and 129 for signals. */
  readonly exitCode?: number | undefined;
  /** Shown with `--debug` only. */
  readonly cause?: unknown;
}

/** How to settle a change that may have been carried out. Made once, where the change is planned. */
export type Settling = Pick<ErrorDetails, 'lines' | 'hint'>;

/** An error that svc expects: a message for people, a code for scripts. Messages never contain a secret. */
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
    return this.details.exitCode ?? EXIT_CODES[this.code];
  }

  with(more: ErrorDetails): CliError {
    return new CliError(this.code, this.message, { ...this.details, ...more });
  }

  /** Adds lines of detail below those that it has. */
  withLines(...lines: readonly string[]): CliError {
    return this.with({ lines: [...(this.details.lines ?? []), ...lines] });
  }
}

/** The command line, a setting, the store or a confirmation is wrong or missing; nothing was sent. */
export function usageError(message: string, hint?: Hint): CliError {
  return new CliError('usage', message, { hint });
}

/** The user answered No (`usage`) or left a prompt (`interrupted`). `nothing` says what did not happen. */
export function cancelled(code: 'usage' | 'interrupted', nothing = 'Nothing was changed.'): CliError {
  return new CliError(code, `Cancelled. ${nothing}`, { isCancelled: true });
}

/**
 * Splits a hint into what people read and what they can paste. A string is a command line if it begins with `svc ` and
 * has no `<place>` to fill in.
 */
export function stepOf(hint: Hint | undefined): Partial<Step> & Pick<Step, 'run'> {
  if (hint === undefined) return { run: [] };
  if (typeof hint !== 'string') return hint;
  return hint.startsWith('svc ') && !/[<\u2026]/.test(hint) ? { run: [hint] } : { say: hint, run: [] };
}

/** Returns the code of a system error, such as `ENOENT`; empty for anything else. */
export function codeOf(error: unknown): string {
  const isCoded = typeof error === 'object' && error !== null && 'code' in error;
  return isCoded && typeof error.code === 'string' ? error.code : '';
}

/**
 * Returns the JSON form of an error: the service's Error object first, then svc's own fields. The service cannot set a
 * field of svc's: a script that reads `outcome` or runs `next` relies on svc having said it.
 */
export function toErrorObject(error: CliError): Record<string, unknown> {
  const { service, status, hint, retryAfterSeconds, requestId, attempts, jobId, idempotencyKey, savedZone, outcome } =
    error.details;
  const { alerts, summary } = error.details;
  const { say, run, by } = stepOf(hint);
  const own = {
    code: error.code,
    exitCode: error.exitCode,
    status,
    hint: say ?? run[0],
    next: run.length === 0 ? undefined : run,
    nextBy: by,
    retryAfter: retryAfterSeconds,
    requestId,
    attempts,
    jobId,
    idempotencyKey,
    savedZone,
    outcome,
    alerts,
    summary,
  } satisfies Omit<ErrorLine, 'error'>;
  const all = { error: wholeMessage(error), ...service, ...own };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Joins the message and its lines into one line that still reads as sentences. */
function wholeMessage({ message, details: { lines = [] } }: CliError): string {
  return lines
    .map((line) => line.trim().replace(/ {2,}/g, ' '))
    .reduce((text, line, index) => {
      const divider = /[.:;?!]$/.test(text) ? ' ' : index === 0 ? '. ' : '; ';
      return text + divider + line;
    }, message);
}

/** Ends a message with a full stop, for a sentence behind it. */
export function asSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

const QUOTED_LENGTH = 80;

/** Quotes text of a user or a file for a message: in double quotes, on one line, cut after 80 characters. */
export function quoted(text: string): string {
  const characters = [...text.slice(0, 2 * QUOTED_LENGTH + 1)];
  return JSON.stringify(characters.length > QUOTED_LENGTH ? `${characters.slice(0, QUOTED_LENGTH).join('')}…` : text);
}

const NAMES_LISTED = 5;

/** Lists names in a message: the first five, and how many more there are. */
export function listed(names: readonly string[]): string {
  const first = names.slice(0, NAMES_LISTED).join(', ');
  return names.length > NAMES_LISTED ? `${first} and ${names.length - NAMES_LISTED} more` : first;
}
