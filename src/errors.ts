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
  still_running: 10,
  interrupted: 130,
} as const;

/** A stable, snake_case name of what went wrong. */
export type ErrorCode = keyof typeof EXIT_CODES;

/** What is known of an error beside its message; each field appears in the JSON error under the name given. */
export interface ErrorDetails {
  /** HTTP status of the answer (`status`). */
  readonly status?: number | undefined;
  /** The next step, usually a command (`hint`); people see it behind `Try: `. */
  readonly hint?: string | undefined;
  /** Seconds that the service asks to wait (`retryAfter`). */
  readonly retryAfterSeconds?: number | undefined;
  /** The service's name for the request (`requestId`). */
  readonly requestId?: string | undefined;
  /** How often the request was sent (`attempts`). */
  readonly attempts?: number | undefined;
  /** The job that was queued (`jobId`). */
  readonly jobId?: string | undefined;
  /** The key that makes repeating a purchase safe (`idempotencyKey`). */
  readonly idempotencyKey?: string | undefined;
  /** Set where a write may have happened although no answer said so (`outcome`). */
  readonly outcome?: 'unknown' | undefined;
  /** The service's own Error object, as it came. */
  readonly service?: Readonly<Record<string, unknown>> | undefined;
  /** Lines of detail under the message, one field each; in JSON a part of the message where svc itself is speaking. */
  readonly lines?: readonly string[] | undefined;
  /** Overrides the table, for signals: 143 and 129. */
  readonly exitCode?: number | undefined;
  /** What caused it; shown with `--debug` only. */
  readonly cause?: unknown;
}

/** An error that svc expects: one message for people, one code for scripts. Messages never hold a secret. */
export class CliError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = 'CliError';
    this.code = code;
    this.details = details;
  }

  /** The exit code of the process when this error ends it. */
  get exitCode(): number {
    return this.details.exitCode ?? EXIT_CODES[this.code];
  }

  /** The same error with more details. */
  with(more: ErrorDetails): CliError {
    return new CliError(this.code, this.message, { ...this.details, ...more });
  }
}

/** The command line, the settings, the store or a confirmation are wrong or missing; nothing was sent. */
export function usageError(message: string, hint?: string): CliError {
  return new CliError('usage', message, { hint });
}

/** The code of a system error, such as `ENOENT`; empty for anything else. */
export function codeOf(error: unknown): string {
  const isCoded = typeof error === 'object' && error !== null && 'code' in error;
  return isCoded && typeof error.code === 'string' ? error.code : '';
}

/** The message with its details, on one line that still reads as sentences. */
function wholeMessage({ message, details }: CliError): string {
  const [first, ...others] = (details.lines ?? []).map((line) => line.trim().replace(/ {2,}/g, ' '));
  if (first === undefined) return message;
  return others.reduce((text, line) => joined(text, '; ', line), joined(message, '. ', first));
}

/** Two texts with what divides them, where the end of the first does not do so already. */
function joined(text: string, divider: string, next: string): string {
  return `${text}${/[.:;?!]$/.test(text) ? ' ' : divider}${next}`;
}

/**
 * The JSON form of an error: the service's Error object first, then svc's own fields. A name of svc's own never has a
 * value of the service: a script that reads `outcome` or runs `hint` relies on svc having said it.
 */
export function toErrorObject(error: CliError): Record<string, unknown> {
  const { service, status, hint, retryAfterSeconds, requestId, attempts, jobId, idempotencyKey, outcome } =
    error.details;
  const own = {
    code: error.code,
    exitCode: error.exitCode,
    status,
    hint,
    next: undefined,
    retryAfter: retryAfterSeconds,
    requestId,
    attempts,
    jobId,
    idempotencyKey,
    outcome,
  };
  const all = { error: wholeMessage(error), ...service, ...own };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** The longest piece of someone's text that a message repeats, in characters. */
const QUOTED_LENGTH = 80;

/** Text of a user or a file as a message shows it: in double quotes, on one line, cut after 80 characters. */
export function quoted(text: string): string {
  const characters = [...text.slice(0, 2 * QUOTED_LENGTH + 1)];
  return JSON.stringify(characters.length > QUOTED_LENGTH ? `${characters.slice(0, QUOTED_LENGTH).join('')}…` : text);
}

/** How many names of a list a message gives. */
const NAMES_LISTED = 5;

/** Names as a message lists them: the first five, and how many more there are. */
export function listed(names: readonly string[]): string {
  const first = names.slice(0, NAMES_LISTED).join(', ');
  return names.length > NAMES_LISTED ? `${first} and ${names.length - NAMES_LISTED} more` : first;
}
