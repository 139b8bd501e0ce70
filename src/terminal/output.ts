import { fstatSync, writeFileSync } from 'node:fs';
import { type Env, isOn } from '../environment.ts';
import { CliError, getErrorCode } from '../errors.ts';
import type { ColorLevel, OutputStream } from './terminal.ts';

/** The reader of an output has gone. Commands then end quietly. */
export class OutputClosed extends Error {
  constructor(cause?: unknown) {
    super('nobody reads this output any more', { cause });
    this.name = 'OutputClosed';
  }
}

const DEFAULT_COLUMNS = 80;

/** The errors of an output without a reader; EIO means a closed terminal. */
const CLOSED_CODES = new Set([
  'EPIPE',
  'ECONNRESET',
  'EIO',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);

const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** The kind of what is written: text for people and spreadsheets, JSON, or data for another program. */
type Form = 'text' | 'json' | 'raw';

/** A stream for output. */
export interface Output {
  readonly isTty: boolean;
  /** The columns for a layout: 80 if unknown. */
  readonly columns: number;
  /** The columns that the terminal reports, like `rows`; 0 if unknown. */
  readonly realColumns: number;
  readonly rows: number;
  readonly colorLevel: ColorLevel;
  readonly closed: boolean;
  /**
   * Resolves when the system has taken the bytes.
   * @param form how a CI runner is kept from finding a command in it
   * @throws OutputClosed if the reader has gone; CliError `unexpected` for any other write error,
   * such as a full disk.
   */
  write(chunk: string | Uint8Array, form?: Form): Promise<void>;
}

/**
 * Wraps a stream, whose errors then no longer crash the process. `guard` changes what a CI runner
 * would take for a command.
 */
export function createOutput(
  stream: OutputStream,
  name: string,
  colorLevel: () => ColorLevel,
  guard?: (text: string, form: Form) => string,
): Output {
  let failure: Error | undefined;
  let file: number | false | undefined;
  const fail = (error: unknown): Error => {
    failure ??= toFailure(error, name);
    return failure;
  };
  stream.on('error', fail);

  return {
    get isTty() {
      return stream.isTTY === true;
    },
    get realColumns() {
      return stream.isTTY === true ? (stream.columns ?? 0) : 0;
    },
    get rows() {
      return stream.isTTY === true ? (stream.rows ?? 0) : 0;
    },
    get columns() {
      return this.realColumns || DEFAULT_COLUMNS;
    },
    get colorLevel() {
      return colorLevel();
    },
    get closed() {
      return failure instanceof OutputClosed;
    },
    async write(given, form = 'text') {
      if (failure !== undefined) throw failure;
      const chunk = guard === undefined ? given : guarded(given, (text) => guard(text, form));
      try {
        file ??= findFile(stream);
        // Node's file stream reports success if a full disk cuts a write short.
        if (file !== false) return writeFileSync(file, chunk);
        await new Promise<void>((resolve, reject) => {
          stream.write(chunk, (error) => (error ? reject(error) : resolve()));
        });
      } catch (error) {
        throw fail(error);
      }
    },
  };
}

/**
 * Latin-1 keeps one character per byte, wherever a chunk was cut; what runners look for is ASCII.
 */
function guarded(chunk: string | Uint8Array, guard: (text: string) => string): string | Uint8Array {
  if (typeof chunk === 'string') return guard(chunk);
  return Buffer.from(guard(Buffer.from(chunk).toString('latin1')), 'latin1');
}

/** Returns the descriptor of a file, or `false` if the stream writes to something else. */
function findFile({ fd, isTTY }: OutputStream): number | false {
  if (fd === undefined || isTTY === true) return false;
  const stats = fstatSync(fd);
  // Node's stream for a folder silently drops all writes.
  return stats.isFile() || stats.isDirectory() ? fd : false;
}

function toFailure(error: unknown, name: string): Error {
  const code = getErrorCode(error) || 'write error';
  if (CLOSED_CODES.has(code)) return new OutputClosed(error);
  const reason = FULL_CODES.has(code) ? `no space is left (${code})` : code;
  return new CliError('unexpected', `Cannot write to ${name}: ${reason}`, { cause: error });
}

/**
 * The stream for packages that divide by its columns: a terminal that says 0, as some do while they
 * are resized, has 80 for them.
 */
export function withUsableColumns<Stream extends OutputStream>(stream: Stream): Stream {
  return new Proxy(stream, {
    get(target, name, receiver) {
      if (name !== 'columns') return Reflect.get(target, name, receiver);
      return target.columns || DEFAULT_COLUMNS;
    },
  });
}

const hidden = new WeakSet<OutputStream>();

/** Hides the cursor until {@link restoreCursor}. */
export function hideCursor(stream: OutputStream): void {
  hidden.add(stream);
  stream.write('\u001b[?25l');
}

/** Shows the cursor again if it was hidden. */
export function restoreCursor(stream: OutputStream): void {
  if (hidden.delete(stream)) stream.write('\u001b[?25h');
}

/**
 * The variables of runners that carry out commands which they find in what a step prints: GitHub
 * Actions, Azure Pipelines, TeamCity.
 */
const RUNNERS = ['GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION'];

/** Characters that comparisons of .NET do not see. */
const UNSEEN = /[\ufe0e\ufe0f]/g;
/** Text that may be `##[`, `##vso[` or `##teamcity[`, anywhere in a line. */
const WITHIN = /#[\ufe0e\ufe0f]*#[^[#\n\r]*\[/g;
const COMMAND = /^##(?:vso|teamcity)?\[$/i;
/** Text that may be `::` at the start of a line, after white space as .NET trims it. */
const AT_START = /^([^:\n\r\u2028\u2029]*):(?=[\ufe0e\ufe0f]*:)/gm;
const BEFORE_TEXT = /\u001b\[[\d;]*m|[\ufe0e\ufe0f\u0085]/g;

/** Escapes a character of what would be a command. */
function breakCommands(text: string): string {
  return text
    .replace(WITHIN, (found) =>
      COMMAND.test(found.replace(UNSEEN, '')) ? `\\u{23}${found.slice(1)}` : found,
    )
    .replace(AT_START, (found, before) =>
      before.replace(BEFORE_TEXT, '').trim() === '' ? `${before}\\u{3a}` : found,
    );
}

const BREAK: Readonly<Record<Form, (text: string) => string>> = {
  text: breakCommands,
  // The same value. In JSON these stand inside strings only, apart from single colons; a chunk may
  // end anywhere.
  json: (text) => text.replaceAll('#', '\\u0023').replaceAll('::', '\\u003a\\u003a'),
  raw: (text) => text,
};

/** Keeps a runner from taking text of the platform for a command; undefined outside of one. */
export function createGuard(env: Env): ((text: string, form: Form) => string) | undefined {
  return RUNNERS.some((name) => isOn(env[name])) ? (text, form) => BREAK[form](text) : undefined;
}

/** The line with which GitHub Actions shows a safe text beside the step; undefined elsewhere. */
export function createAnnotation(
  env: Env,
  level: 'error' | 'warning',
  code: string,
  text: string,
): string | undefined {
  if (!isOn(env['GITHUB_ACTIONS'])) return undefined;
  const data = breakCommands(text)
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
  return `::${level} title=svc%3A ${code}::${data}\n`;
}
