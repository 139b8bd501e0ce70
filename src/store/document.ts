import type { Clock } from '../clock.ts';
import { type CliError, usageError } from '../errors.ts';
import { isObject, type JsonObject, parseJson } from '../json/values.ts';
import { type PrivateFile, readPlainFile, readPrivateFile } from './files.ts';
import { checkTrusted, type Machine } from './machine.ts';
import { checkFormat, describeSystemError } from './problem.ts';

/** A document is a private file with one JSON object. */
export interface DocumentKind<T> {
  /** Raise it if an older svc would misread the file. */
  readonly format: number;
  readonly empty: T;
  /** Returns undefined, or throws an error of its own, for damaged fields. */
  parse(fields: JsonObject, path: string): T | undefined;
  /** The error of a damaged file; undefined if such a file counts as absent. */
  readonly damaged?: ((path: string) => CliError) | undefined;
  /** Whether conf writes it. */
  readonly isConf?: boolean;
  /** The name of a file without secrets: others may read it, and a blank one counts as absent. */
  readonly sharedAs?: string;
}

/** A document whose lock this process holds. */
export interface LockedDocument<T> {
  readonly content: T;
  /** The new path of the damaged file; undefined if it was none. */
  readonly asidePath: string | undefined;
  /**
   * Puts these fields on disk, removes those that are undefined, and keeps all others, such as
   * those of a newer svc. Throws the system's error; the old file is then untouched.
   */
  write(fields: JsonObject): void;
  /** Milliseconds, to compare with the times of files. */
  fileTime(): number;
}

/**
 * Reads a document without its lock.
 * @throws CliError `usage` for a file that cannot be read, is not the user's, or is of a newer svc;
 * for a damaged one the error of its kind.
 */
export function readDocument<T>(path: string, kind: DocumentKind<T>, machine: Machine) {
  const file = readFile(path, kind, machine);
  const document = parseDocument(file?.text, path, kind);
  if (document === undefined && kind.damaged !== undefined) throw kind.damaged(path);
  return { content: document?.content ?? kind.empty, openness: file?.openness ?? 'closed' };
}

/**
 * Changes a document under its lock, and makes its folder if it is missing. `change` runs again if
 * the lock was lost.
 * @param options.movesAside renames a damaged file instead of throwing; its text may still matter
 * @throws CliError as {@link readDocument}, or `usage` if the lock stays taken; system errors of
 * the writing.
 */
export async function changeDocument<T, R>(
  { path, machine, clock }: Readonly<{ path: string; machine: Machine; clock: Clock }>,
  kind: DocumentKind<T>,
  change: (document: LockedDocument<T>) => R,
  { movesAside = false } = {},
): Promise<R> {
  // Most commands only read.
  const { withLockedFile } = await import('./write.ts');
  const viaConf = kind.isConf ? await (await import('./conf.ts')).loadConf() : undefined;
  // Kept for the next try: what was moved aside is not there then.
  let asidePath: string | undefined;
  return await withLockedFile(path, machine, clock, (file) => {
    const document = parseDocument(readFile(path, kind, machine)?.text, path, kind);
    if (document === undefined && kind.damaged !== undefined) {
      if (!movesAside) throw kind.damaged(path);
      asidePath = file.moveAside();
    }

    return change({
      content: document?.content ?? kind.empty,
      asidePath,
      write(changed) {
        const all = { ...document?.fields, version: kind.format, ...changed };
        if (viaConf === undefined) file.write(`${JSON.stringify(all, undefined, 2)}\n`);
        else viaConf(path, all, file.write);
      },
      fileTime: file.fileTime,
    });
  });
}

function readFile<T>(
  path: string,
  { sharedAs }: DocumentKind<T>,
  machine: Machine,
): PrivateFile | undefined {
  if (sharedAs === undefined) return readPrivateFile(path, machine);
  checkTrusted(path, sharedAs, machine);
  try {
    const text = readPlainFile(path);
    return text === undefined || text.trim() === '' ? undefined : { text, openness: 'closed' };
  } catch (error) {
    const hint = 'Fix or remove the file, then run the command again.';
    throw usageError(`${sharedAs} ${path} cannot be read: ${describeSystemError(error)}.`, hint);
  }
}

/** Returns undefined for a damaged document. */
function parseDocument<T>(text: string | undefined, path: string, kind: DocumentKind<T>) {
  if (text === undefined) return { content: kind.empty, fields: {} };
  const fields = parseJson(text);
  if (!isObject(fields)) return undefined;
  const { version = kind.format } = fields;
  checkFormat(version, kind.format, path, 'set SVC_CONFIG_DIR to another folder');
  const content = typeof version === 'number' ? kind.parse(fields, path) : undefined;
  return content === undefined ? undefined : { content, fields };
}
