import { CliError, getErrorCode, type Hint, usageError } from '../errors.ts';

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file size limit is reached',
  ENOTDIR: 'a part of the path is not a folder',
  ELOOP: 'the path leads through too many links',
  ENAMETOOLONG: 'the path is too long',
  ENOENT: 'no such file or folder',
  EISDIR: 'it is a folder',
  ENXIO: 'nobody is at its other end',
  EBUSY: 'another program uses it',
  EIO: 'the disk reports an error',
};

/** Puts a system error into words, with its code: `the disk is full (ENOSPC)`. */
export function describeSystemError(error: unknown): string {
  if (error instanceof CliError) return error.message;
  const code = getErrorCode(error);
  const words = WORDS[code];
  if (words !== undefined) return `${words} (${code})`;
  return code === '' ? String(error instanceof Error ? error.message : error) : code;
}

/** Says what could not be saved, where and why. */
export function cannotSaveError(
  what: string,
  folder: string,
  error: unknown,
  hint: Hint,
): CliError {
  if (error instanceof CliError) return error;
  return new CliError('usage', `Cannot save ${what} in ${folder}: ${describeSystemError(error)}.`, {
    hint,
    cause: error,
  });
}

/**
 * Throws CliError `usage` for the format of a newer svc; one without a number is the first.
 * @param instead what to do where there is no newer svc
 */
export function checkFormat(format: unknown, known: number, path: string, instead: string): void {
  if (typeof format !== 'number' || format <= known) return;
  throw usageError(`${path} was written by a newer svc. This one leaves it as it is.`, {
    say: `Use the newer svc, or ${instead}.`,
    run: ['svc help upgrading'],
  });
}
