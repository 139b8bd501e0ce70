import { CliError, toErrorObject } from '../errors.ts';
import type { Redactor } from '../http/redact.ts';
import type { Io } from '../io/io.ts';
import { formatJson } from '../io/json-text.ts';
import { PALETTE } from '../io/paint.ts';
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

function humanError(error: CliError, { err }: Io): string {
  const { lines = [], hint, requestId } = error.details;
  const columns = err.realColumns;
  const text = [
    ...fold(`Error: ${safeLine(error.message)}`, columns),
    ...lines.flatMap((line) => fold(safeLine(line), columns, '  ')),
    // A command is copied whole.
    ...(hint === undefined ? [] : fold(`Try: ${safeLine(hint)}`, hint.startsWith('svc ') ? 0 : columns)),
    ...(requestId === undefined ? [] : [`Request: ${safeLine(requestId)}`]),
  ].join('\n');
  return `${text.replace(/^Error:/, colored(err.colorLevel))}\n`;
}

/** Breaks a line at its spaces, as a terminal would not; 0 columns are a pipe, which has no edge. */
function fold(line: string, columns: number, indent = ''): string[] {
  if (columns === 0) return [indent + line];
  const lines: string[] = [];
  for (const word of line.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(indent + word);
  }
  return lines;
}

function colored(level: 0 | 1 | 2 | 3): string {
  if (level === 0) return 'Error:';
  return `\u001B[${level === 1 ? 31 : `38;5;${PALETTE.bad}`}mError:\u001B[39m`;
}

function traceOf(error: Error): string {
  const cause = error.cause instanceof Error ? `caused by ${traceOf(error.cause)}` : '';
  return `${error.stack ?? error.message}\n${cause}`;
}
