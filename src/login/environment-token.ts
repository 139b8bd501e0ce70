import { resolve } from 'node:path';
import { type Env, type SignInVariable, signInVariablesIn } from '../environment.ts';
import { CliError, usageError } from '../errors.ts';
import { explain } from '../store/problem.ts';
import { readPlainFile } from '../store/read.ts';
import { checkToken } from './token.ts';

/** The sign-in that a variable gives, or the file that it names. */
export interface EnvironmentToken {
  readonly kind: 'bearer' | 'session';
  readonly token: string;
  readonly source: SignInVariable;
}

/**
 * The sign-in of the environment; the strongest variable that is set counts, even if it is of no use.
 * @param cwd what a relative `SVC_TOKEN_FILE` starts from
 * @throws CliError `unauthenticated` for a blank or malformed token and a file that cannot be read; `usage` if the
 * variables contradict each other.
 */
export function readEnvironmentToken(env: Env, cwd: string | undefined): EnvironmentToken | undefined {
  const [source, second] = signInVariablesIn(env);
  if (source === undefined) return undefined;
  if (source === 'SVC_TOKEN' && second === 'SVC_TOKEN_FILE') {
    throw usageError('SVC_TOKEN and SVC_TOKEN_FILE are both set.', 'unset SVC_TOKEN, or unset SVC_TOKEN_FILE');
  }
  const value = env[source] ?? '';
  const token =
    source === 'SVC_TOKEN_FILE'
      ? checkToken(textOf(value, cwd), 'The file of SVC_TOKEN_FILE')
      : checkToken(value, source);
  return { kind: source === 'SVC_SESSION_TOKEN' ? 'session' : 'bearer', token, source };
}

function textOf(name: string, cwd: string | undefined): string {
  if (name.trim() === '') throw unreadable('it names no file.');
  const path = cwd === undefined ? name : resolve(cwd, name);
  try {
    const text = readPlainFile(path);
    if (text !== undefined) return text;
  } catch (error) {
    throw unreadable(`${path} cannot be read: ${explain(error)}.`, error);
  }
  throw unreadable(`there is no file ${path}.`);
}

function unreadable(reason: string, cause?: unknown): CliError {
  return new CliError('unauthenticated', `SVC_TOKEN_FILE is set, but ${reason}`, {
    hint: 'SVC_TOKEN_FILE=<a file that holds the token>, or unset it and run svc login',
    cause,
  });
}
