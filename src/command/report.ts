import { CliError, toErrorObject } from '../errors.ts';
import type { Redactor } from '../http/redact.ts';
import type { Io } from '../io/io.ts';
import { formatJson } from '../io/json-text.ts';
import { safeLine, safeText } from '../io/safe-text.ts';

/** How an error is reported. */
export interface ReportOptions {
  readonly json: boolean;
  readonly debug: boolean;
  readonly redactor: Redactor;
}

/** Turns anything thrown into an error of svc; what svc did not expect becomes `unexpected`. */
export function asCliError(thrown: unknown): CliError {
  if (thrown instanceof CliError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new CliError('unexpected', `svc met a problem that it did not expect: ${message}`, {
    hint: 'the same command with --debug, and report what it prints',
    cause: thrown,
  });
}

/** Writes an error to stderr: for people, or as one JSON object on the last line. */
export async function reportError(io: Io, error: CliError, options: ReportOptions): Promise<void> {
  const { redactor } = options;
  if (options.debug) await io.err.write(redactor.redact(safeText(traceOf(error))));
  if (options.json) {
    const text = formatJson(JSON.stringify(toErrorObject(error)), { indent: false });
    await io.err.write(`${redactor.redact(text.trimEnd())}\n`);
    return;
  }
  await io.err.write(redactor.redact(humanError(error, io)));
}

function humanError(error: CliError, io: Io): string {
  const { lines = [], hint, requestId } = error.details;
  const label = io.err.colorLevel > 0 ? '\u001B[31mError:\u001B[39m' : 'Error:';
  const text = [
    `${label} ${safeLine(error.message)}`,
    ...lines.map((line) => `  ${safeLine(line)}`),
    ...(hint === undefined ? [] : [`Try: ${safeLine(hint)}`]),
    ...(requestId === undefined ? [] : [`Request: ${safeLine(requestId)}`]),
  ];
  return `${text.join('\n')}\n`;
}

function traceOf(error: Error): string {
  const cause = error.cause instanceof Error ? `caused by ${traceOf(error.cause)}` : '';
  return `${error.stack ?? error.message}\n${cause}`;
}
