import { CliError, toErrorObject } from '../errors.ts';
import { hideIn, type Redactor } from '../service/redact.ts';
import type { Io } from '../terminal/io.ts';
import { formatJson } from '../terminal/json-text.ts';
import { maskText } from '../terminal/mask-text.ts';
import { safeLine, safeText } from '../terminal/safe-text.ts';

interface ReportOptions {
  readonly json: boolean;
  readonly debug: boolean;
  readonly redactor: Redactor;
}

/** Wraps anything but a CliError as `unexpected`. */
export function asCliError(thrown: unknown): CliError {
  if (thrown instanceof CliError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new CliError('unexpected', `svc met a problem that it did not expect: ${message}`, {
    hint: 'the same command with --debug, and report what it prints',
    cause: thrown,
  });
}

/** Writes an error to stderr, for people or as one line of JSON. Redacts before escaping or folding changes a secret. */
export async function reportError(io: Io, error: CliError, { json, debug, redactor }: ReportOptions): Promise<void> {
  const { redact } = redactor;
  if (debug) await io.err.write(safeText(maskText(redact(traceOf(error)))));
  if (json) {
    const text = formatJson(JSON.stringify(hideIn(toErrorObject(error), redact)), { indent: false });
    await io.err.write(`${text.trimEnd()}\n`);
    return;
  }
  await io.err.write(humanError(error, io, (text) => safeLine(maskText(redact(text)))));
}

function humanError(error: CliError, { err }: Io, shown: (text: string) => string): string {
  const { lines = [], hint, requestId, isAlert } = error.details;
  const title = isAlert ? 'Alert:' : 'Error:';
  const columns = err.realColumns;
  const text = [
    ...fold(`${title} ${shown(error.message)}`, columns),
    ...lines.flatMap((line) => fold(shown(line), columns, '  ')),
    // A command must stay on one line to be copied.
    ...(hint === undefined ? [] : fold(`Try: ${shown(hint)}`, hint.startsWith('svc ') ? 0 : columns)),
    ...(requestId === undefined ? [] : [`Request: ${shown(requestId)}`]),
  ].join('\n');
  return `${colored(title, err.colorLevel)}${text.slice(title.length)}\n`;
}

/** Wraps a line at its spaces; 0 columns stand for a pipe, which needs no wrapping. */
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

function colored(title: string, level: 0 | 1 | 2 | 3): string {
  if (level === 0) return title;
  return `\u001B[31m${title}\u001B[39m`;
}

function traceOf(error: Error): string {
  const cause = error.cause instanceof Error ? `caused by ${traceOf(error.cause)}` : '';
  return `${error.stack ?? error.message}\n${cause}`;
}
