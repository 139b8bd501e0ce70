import { hideIn, type Redactor } from '../../api/redact.ts';
import { MESSAGES } from '../../contract/fields/messages.ts';
import { asOneLine, CliError, type ErrorCode, stepOf } from '../../errors.ts';
import { maskText } from '../../terminal/mask.ts';
import { formatJson, safeLine, withTilde, wrapWords } from '../../terminal/safe-text.ts';
import type { Io } from '../../terminal/terminal.ts';
import { classifyNext } from './next-kind.ts';

const { error: _, ...OWN_FIELDS } = MESSAGES.error;

/** Wraps anything but a CliError as `unexpected`. */
export function asCliError(thrown: unknown): CliError {
  if (thrown instanceof CliError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new CliError('unexpected', `svc met a problem that it did not expect: ${message}`, {
    hint: 'Repeat the command with --debug, and report what it prints.',
    cause: thrown,
  });
}

/**
 * To stderr, for people or as one line of JSON. Redacts before escaping or folding changes a
 * secret.
 */
export async function reportError(
  io: Io,
  error: CliError,
  {
    json,
    debug,
    redact,
  }: { readonly json: boolean; readonly debug: boolean; readonly redact: Redactor['redact'] },
): Promise<void> {
  await io.said();
  const shown = (text: string) => safeLine(maskText(redact(text)));
  if (debug) await io.err.write(traceOf(error, shown));
  if (json) {
    const text = formatJson(JSON.stringify(hideIn(toErrorObject(error), redact)), {
      indent: false,
    });
    await io.err.write(`${text.trimEnd()}\n`, 'json');
    return;
  }
  // These are answers.
  const isAnswer = ['alert', 'still_running', 'no_data', 'interrupted'].includes(error.code);
  if (!isAnswer && !error.details.isCancelled)
    await io.annotate('error', error.code, shown(error.message));
  await io.err.write(humanError(error, io, shown, debug));
}

function humanError(
  error: CliError,
  { err, view }: Io,
  shown: (text: string) => string,
  debug: boolean,
): string {
  const { lines = [], hint, savedZone, attempts = 1, isCancelled } = error.details;
  const requestId = debug || !isRefusal(error) ? error.details.requestId : undefined;
  const { realColumns: columns, colorLevel } = err;
  const prose = (text: string) => shown(err.isTty ? withTilde(text, view(err).home) : text);
  const { say, run } = stepOf(hint);
  const message = withTries(prose(error.message), attempts);
  const lead = isCancelled ? '' : (LEADS[error.code] ?? 'Error: ');
  // What leads on, and mends nothing, is for terminals.
  const isAlone = err.isTty && hint === undefined && lead === 'Error: ' && !TOLD.has(error.code);
  const next = isAlone ? [`svc help ${error.code}`] : run;
  const [first, ...more] = fold(lead + message, columns);
  const text = [
    first?.replace(/^(?:Alert|Error):/, (word) => colored(word, RED, colorLevel)),
    ...more,
    ...[...lines, ...(say === undefined ? [] : [say])].flatMap((line) =>
      fold(prose(line), columns, '  '),
    ),
    // A command must stay on one line to be copied.
    ...next.map((command) => `Try: ${colored(shown(command), CYAN, colorLevel)}`),
    ...(savedZone === undefined ? [] : [`The records as scanned are saved in ${prose(savedZone)}`]),
    ...(requestId === undefined ? [] : [`Request: ${shown(requestId)}`]),
  ].join('\n');
  return `${text}\n`;
}

/** Whether the platform answered with a 4xx, whose message says what to change. */
function isRefusal({ details: { status = 0 } }: CliError): boolean {
  return status >= 400 && status < 500;
}

/** Before what is no mistake: scripts look for `Error:`. */
const LEADS: Readonly<Partial<Record<ErrorCode, string>>> = {
  alert: 'Alert: ',
  still_running: '',
  interrupted: '',
};

/** Codes whose help says no more than the message. */
const TOLD: ReadonlySet<ErrorCode> = new Set(['usage', 'failed', 'partial']);

function withTries(message: string, attempts: number): string {
  if (attempts < 2) return message;
  const tries = `after ${attempts} attempts`;
  return message.endsWith('.') ? `${message.slice(0, -1)}, ${tries}.` : `${message}, ${tries}`;
}

/** At spaces, best at the gap between a term and its meaning; a pipe has 0 columns. */
function fold(line: string, columns: number, indent = ''): string[] {
  if (columns === 0 || indent.length + line.length <= columns) return [indent + line];
  const gap = line.indexOf('  ');
  if (gap > 0) {
    return [
      ...fold(line.slice(0, gap), columns, indent),
      ...fold(line.slice(gap).trim(), columns, `${indent}  `),
    ];
  }
  return wrapWords(line, columns - indent.length).map((words) => indent + words);
}

const RED = 31;
const CYAN = 36;

function colored(text: string, color: number, level: number): string {
  return level === 0 ? text : `\u001B[${color}m${text}\u001B[39m`;
}

/** With its causes. A message may quote the platform, which must not add lines. */
function traceOf(
  { name, message, stack = '', cause }: Error,
  shown: (text: string) => string,
): string {
  const start = stack.indexOf(message);
  const frames = start < 0 ? [] : stack.slice(start + message.length).split('\n');
  const more = cause instanceof Error ? `caused by ${traceOf(cause, shown)}` : '';
  return `${[`${name}: ${message}`, ...frames.slice(1)].map(shown).join('\n')}\n${more}`;
}

/**
 * The API's Error object, and svc's own fields, which it cannot set: scripts read `outcome` and run
 * `next`.
 */
export function toErrorObject({
  code,
  message,
  exitCode,
  details,
}: CliError): Record<string, unknown> {
  const { say, run, by, kind } = stepOf(details.hint);
  const hasNext = run.length > 0;
  const own: Readonly<Record<string, unknown>> = {
    ...details,
    code,
    exitCode,
    hint: say ?? run[0],
    next: hasNext ? run : undefined,
    nextKind: hasNext ? (kind ?? classifyNext(run)) : undefined,
    nextBy: by,
    retryAfter: details.retryAfterSeconds,
  };
  const fields = Object.keys(OWN_FIELDS).map((name) => [name, own[name]]);
  const all = {
    error: asOneLine(message, details.lines),
    ...details.service,
    ...Object.fromEntries(fields),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
