import { fstatSync, writeFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { CliError, codeOf } from '../errors.ts';

/** The reader of an output is gone. Not an error of the command: it ends quietly. */
export class OutputClosed extends Error {
  constructor(cause?: unknown) {
    super('nobody reads this output any more', { cause });
    this.name = 'OutputClosed';
  }
}

/** An output of the process. */
export interface Sink {
  readonly isTty: boolean;
  /** Columns to lay text out in: 80 off a terminal and where a terminal does not say. */
  readonly columns: number;
  /** Columns as the terminal says; 0 where unknown. */
  readonly realColumns: number;
  /** Lines as the terminal says; 0 where unknown. */
  readonly rows: number;
  readonly colorLevel: 0 | 1 | 2 | 3;
  /** Whether the reader has gone. */
  readonly closed: boolean;
  /**
   * Resolves when the system has taken the bytes, so that a slow reader slows the writer.
   * @throws OutputClosed when the reader has gone; CliError `unexpected` when the output cannot be written (full disk).
   */
  write(chunk: string | Uint8Array): Promise<void>;
}

/** What a sink needs of `process.stdout` or `process.stderr`. */
export type OutputStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  readonly fd?: number;
};

/** Columns of text that is not read on a terminal. */
const PIPE_COLUMNS = 80;

/** What a stream says when nobody reads it any more; EIO is a terminal that was closed. */
const CLOSED_CODES = new Set(['EPIPE', 'ECONNRESET', 'EIO', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

/** What the system says when there is no room: disk, quota, or the size that a file may have. */
const FULL_CODES = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** A sink over a stream. From here on an error of the stream never ends the process by itself. */
export function createSink(stream: OutputStream, name: string, colorLevel: () => 0 | 1 | 2 | 3): Sink {
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
      return this.realColumns > 0 ? this.realColumns : PIPE_COLUMNS;
    },
    get colorLevel() {
      return colorLevel();
    },
    get closed() {
      return failure instanceof OutputClosed;
    },
    write(chunk) {
      if (failure !== undefined) return Promise.reject(failure);
      file ??= fileOf(stream);
      return (file === false ? writeStream(stream, chunk) : writeFile(file, chunk)).catch((error) => {
        throw fail(error);
      });
    },
  };
}

function writeStream(stream: OutputStream, chunk: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(chunk, (error) => (error ? reject(error) : resolve()));
  });
}

/** Node's own stream for files takes a write that a full disk has cut short for a whole one. */
async function writeFile(file: number, chunk: string | Uint8Array): Promise<void> {
  writeFileSync(file, chunk);
}

/** The number of the file that a stream writes to; `false` where it is no file. */
function fileOf({ fd, isTTY }: OutputStream): number | false {
  if (fd === undefined || isTTY === true) return false;
  const stats = fstatSync(fd);
  // Node's own stream for a folder takes everything, and it is gone.
  return stats.isFile() || stats.isDirectory() ? fd : false;
}

function toFailure(error: unknown, name: string): Error {
  const code = codeOf(error) || 'write error';
  if (CLOSED_CODES.has(code)) return new OutputClosed(error);
  const reason = FULL_CODES.has(code) ? `no space is left (${code})` : code;
  return new CliError('unexpected', `Cannot write to ${name}: ${reason}`, { cause: error });
}

const hidden = new WeakSet<OutputStream>();

/** Hides the cursor of a terminal. */
export function hideCursor(stream: OutputStream): void {
  noteHiddenCursor(stream);
  stream.write('\u001b[?25l');
}

/** Remembers that somebody else hides the cursor of a terminal. */
export function noteHiddenCursor(stream: OutputStream): void {
  hidden.add(stream);
}

/** Shows the cursor of a terminal again, where it was hidden. */
export function restoreCursor(stream: OutputStream): void {
  if (hidden.delete(stream)) stream.write('\u001b[?25h');
}
