import { type Redactor, redactIn } from '../../api/redact.ts';
import { MESSAGES } from '../../contract/fields/documents.ts';
import { asOneLine, CliError, type ErrorCode, toNextStep } from '../../errors.ts';
import { drawScreen } from '../../terminal/draw.ts';
import type { Io } from '../../terminal/io.ts';
import { maskText } from '../../terminal/mask.ts';
import { stringifyDocument } from '../../terminal/safe-text.ts';
import { code, filePath, type Screen } from '../../terminal/screen.ts';
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

interface ReportOptions {
  readonly json: boolean;
  readonly debug: boolean;
  readonly redact: Redactor['redact'];
}

/** Codes of what is an answer rather than a failure: no runner marks its step. */
const ANSWERS: readonly ErrorCode[] = ['alert', 'still_running', 'no_data', 'interrupted'];

/** Prints an error on stderr, for people or as one line of JSON. */
export async function reportError(
  io: Io,
  error: CliError,
  { json, debug, redact }: ReportOptions,
): Promise<void> {
  await io.said();
  const view = { ...io.view(io.err), conceal: redact };
  const print = async (fill: (screen: Screen) => void) =>
    io.err.write(await drawScreen(fill, view));
  if (debug) await print((screen) => showTrace(screen, error));
  if (json) {
    const text = stringifyDocument(redactIn(toErrorObject(error), redact));
    await io.err.write(`${text}\n`, 'json');
    return;
  }

  if (!ANSWERS.includes(error.code) && !error.details.isCancelled) {
    await io.annotate('error', error.code, maskText(redact(error.message)));
  }
  await print((screen) => showError(screen, error, view.tty, debug));
}

/** The words before what is no mistake: scripts look for `Error:`. */
const LEADS: Readonly<Partial<Record<ErrorCode, string>>> = {
  alert: 'Alert:',
  still_running: '',
  interrupted: '',
};

/** Codes whose help says no more than the message. */
const EXPLAINED: readonly ErrorCode[] = ['usage', 'failed', 'partial'];

function showError(screen: Screen, error: CliError, isTerminal: boolean, debug: boolean): void {
  const { lines = [], hint, savedZone, isCancelled, requestId, status = 0 } = error.details;
  const lead = isCancelled ? '' : (LEADS[error.code] ?? 'Error:');
  const message = filePath(describeError(error));
  screen.line(lead === '' ? message : [{ text: lead, tone: 'bad' }, ' ', message]);

  const { say, run } = toNextStep(hint);
  for (const line of say === undefined ? lines : [...lines, say]) {
    screen.line(['  ', filePath(line)]);
  }
  // What leads on, and mends nothing, is for terminals.
  const isAlone = hint === undefined && lead === 'Error:' && isTerminal;
  const isHelped = isAlone && !EXPLAINED.includes(error.code);
  const commands = isHelped ? [`svc help ${error.code}`] : run;
  for (const command of commands) screen.line(code(`Try: ${command}`));

  if (savedZone !== undefined) {
    screen.line(['The records as scanned are saved in ', filePath(savedZone)]);
  }
  // A refusal says what to change.
  const isRefused = status >= 400 && status < 500;
  if (requestId !== undefined && (debug || !isRefused)) screen.line(`Request: ${requestId}`);
}

function describeError({ message, details: { attempts = 1 } }: CliError): string {
  if (attempts < 2) return message;
  const tries = `after ${attempts} attempts`;
  return message.endsWith('.') ? `${message.slice(0, -1)}, ${tries}.` : `${message}, ${tries}`;
}

/** Shows where an error and its causes came from; no message of the platform adds lines. */
function showTrace(screen: Screen, error: Error, prefix = ''): void {
  const { name, message, stack = '', cause } = error;
  const start = stack.indexOf(message);
  const frames = start < 0 ? [] : stack.slice(start + message.length).split('\n');
  screen.line(`${prefix}${name}: ${message}`);
  for (const frame of frames.slice(1)) screen.line(frame);
  if (cause instanceof Error) showTrace(screen, cause, 'caused by ');
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
  const { say, run, by, kind } = toNextStep(details.hint);
  const own: Readonly<Record<string, unknown>> = {
    ...details,
    code,
    exitCode,
    hint: say ?? run[0],
    ...(run.length > 0 && { next: run, nextKind: kind ?? classifyNext(run) }),
    nextBy: by,
    retryAfter: details.retryAfterSeconds,
  };
  const fields = Object.keys(OWN_FIELDS).map((name) => [name, own[name]]);
  return {
    error: asOneLine(message, details.lines),
    ...details.service,
    ...Object.fromEntries(fields),
  };
}
