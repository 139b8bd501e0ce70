import { resolve } from 'node:path';
import { isUsableToken, MAX_TOKEN_LENGTH } from '../api/request.ts';
import { SESSION_COOKIE, TOKEN_LIFETIME_MS, TOKEN_PREFIX } from '../contract/operations.ts';
import type { DeviceToken } from '../contract/types.ts';
import { type Env, SIGN_IN_VARIABLES, signInVariablesIn } from '../environment.ts';
import { CliError, quoted, usageError } from '../errors.ts';
import { asObject, asText } from '../json/values.ts';
import { unsetVariable } from '../shell-line.ts';
import { readPlainFile } from '../store/files.ts';
import { isPipe, readPipe } from '../store/pipe.ts';
import { explain } from '../store/problem.ts';
import { expiryReason, readExpiry } from './expiry.ts';

/**
 * Returns a token without surrounding white space.
 * @throws CliError `unauthenticated`, which names the source and not the token.
 */
export function parseToken(text: string, source: string): string {
  const token = text.trim();
  const hint = { say: 'Sign in, or create a token in Settings > API tokens.', run: ['svc login'] };
  const refuse = (reason: string) =>
    new CliError('unauthenticated', `${source} ${reason}`, { hint });
  if (token === '') throw refuse('is blank.');
  if (token.length > MAX_TOKEN_LENGTH)
    throw refuse(`is longer than ${MAX_TOKEN_LENGTH} characters.`);
  const mistake = findMistake(token);
  if (mistake !== undefined) throw refuse(mistake);
  if (!isUsableToken(token)) throw refuse('holds spaces or characters that no token has.');
  return token;
}

const QUOTES = '"\'`\u201c\u201d\u2018\u2019\u00ab\u00bb';
/** `SVC_TOKEN=svc_…`, `export TOKEN=…`, `token: svc_…`, `Bearer svc_…`. */
const NAMED = /^(?:(?:export|set) )?[\w.-]{1,40}[=: ] ?/i;

/** Says what was copied along with a token: the quotes or the name of an assignment. */
function findMistake(token: string): string | undefined {
  const isQuoted = [token.at(0), token.at(-1)].some((end) => QUOTES.includes(end ?? ' '));
  if (isQuoted) return 'is in quotes. Leave them out; some files and panels keep them.';
  const [name] = NAMED.exec(token) ?? [];
  if (name === undefined) return undefined;
  const isVariable = SIGN_IN_VARIABLES.some((variable) => name.toUpperCase().includes(variable));
  const isToken = token.slice(name.length).replace(/^["']/, '').startsWith(TOKEN_PREFIX);
  if (!isVariable && !isToken) return undefined;
  return `begins with ${quoted(name.trim())}. Set it to the token alone.`;
}

/** Undefined for a token with the usual prefix. */
export function tokenWarning(token: string, source: string): string | undefined {
  if (token.startsWith(TOKEN_PREFIX)) return undefined;
  return `${source} does not start with ${TOKEN_PREFIX}; is it an API token?`;
}

/** Of an unusual prefix, and an end that is past. */
export function tokenWarnings(
  token: string,
  expiresAt: string | undefined,
  nowMs: number,
): readonly string[] {
  const expired = expiryReason(expiresAt, nowMs);
  return [tokenWarning(token, 'The token'), expired].filter((warning) => warning !== undefined);
}

/** Of a variable, or of the file that it names. */
export type EnvironmentToken = NonNullable<ReturnType<typeof readEnvironmentToken>>;

/**
 * The variable with the highest precedence counts, even if it is invalid.
 * @param cwd the base of a relative `SVC_TOKEN_FILE`
 * @throws CliError `unauthenticated` for an unusable token or file; `usage` if the variables
 * contradict each other.
 */
export function readEnvironmentToken(env: Env, cwd: string | undefined) {
  const [source, second] = signInVariablesIn(env);
  if (source === undefined) return undefined;
  if (source === 'SVC_TOKEN' && second === 'SVC_TOKEN_FILE') {
    const run = [unsetVariable('SVC_TOKEN'), unsetVariable('SVC_TOKEN_FILE')];
    throw usageError('SVC_TOKEN and SVC_TOKEN_FILE are both set.', {
      say: 'Unset one of the two.',
      run,
    });
  }
  const value = env[source] ?? '';
  if (source === 'SVC_SESSION_TOKEN')
    return {
      kind: 'session',
      token: parseToken(withoutCookieName(value), source),
      source,
    } as const;
  const token =
    source === 'SVC_TOKEN_FILE'
      ? parseToken(readTokenFile(value, cwd), 'The file of SVC_TOKEN_FILE')
      : parseToken(value, source);
  return { kind: 'bearer', token, source } as const;
}

/** Browsers show a cookie with its name. */
function withoutCookieName(value: string): string {
  const text = value.trim();
  const name = `${SESSION_COOKIE}=`;
  return text.startsWith(name) ? text.slice(name.length) : text;
}

/** A pipe, as in `<(pass show svc)`, has at most this many bytes. */
const MAX_PIPE_BYTES = 64 * 1024;
const PIPE_PATIENCE_MS = 10_000;

function readTokenFile(value: string, cwd: string | undefined): string {
  const name = value.replace(/\r$/, '');
  if (name.trim() === '') throw unreadable('it is blank.');
  const path = cwd === undefined ? name : resolve(cwd, name);
  try {
    if (isPipe(path)) return readPipe(path, MAX_PIPE_BYTES, PIPE_PATIENCE_MS);
    const text = readPlainFile(path);
    if (text !== undefined) return text;
  } catch (error) {
    throw unreadable(`${path} cannot be read: ${explain(error)}.`, error);
  }
  throw unreadable(`there is no file ${path}.`);
}

function unreadable(reason: string, cause?: unknown): CliError {
  const say = 'Set SVC_TOKEN_FILE to a file with a token, or sign in without it:';
  const hint = { say, run: [`${unsetVariable('SVC_TOKEN_FILE')}; svc login`] };
  return new CliError('unauthenticated', `SVC_TOKEN_FILE is set, but ${reason}`, { hint, cause });
}

/** The API sends it only once. */
export type IssuedToken = NonNullable<ReturnType<typeof readIssuedToken>>;

/**
 * For an answer without a token where the API document has it: the only text that looks like one
 * and has the name of one, with the other fields of its object; or a text that is nothing else.
 */
export function findIssuedToken(answer: unknown, nowMs: number): IssuedToken | undefined {
  if (typeof answer === 'string' && isLikeToken(answer.trim()))
    return readIssuedToken({ token: answer }, nowMs);
  const found = new Map<string, DeviceToken>();
  for (const left = [answer]; left.length > 0; ) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, child] of Object.entries(value)) {
      if (/(?:token|key)$/i.test(name) && isLikeToken(child))
        found.set(child, { ...value, token: child });
      else left.push(child);
    }
  }
  const [holder, another] = found.values();
  return holder === undefined || another !== undefined ? undefined : readIssuedToken(holder, nowMs);
}

/** Of a token without a documented place; ids with the same prefix are shorter. */
function isLikeToken(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith(TOKEN_PREFIX) && value.length >= 24;
}

/** Undefined without a usable token; no other field is required. */
export function readIssuedToken(answer: DeviceToken, nowMs: number) {
  const token = typeof answer.token === 'string' ? answer.token.trim() : '';
  if (!isUsableToken(token)) return undefined;
  const expiresAt = readExpiry(answer.expiresAt);
  const user = asObject(answer.user);
  return {
    token,
    tokenId: field(answer.tokenId),
    expiresAt: expiresAt ?? new Date(nowMs + TOKEN_LIFETIME_MS).toISOString(),
    /** Whether the platform did not say when it expires. */
    expiresAtEstimated: expiresAt === undefined,
    organizationId: field(answer.organizationId),
    email: field(user.email),
    warnings: tokenWarnings(token, expiresAt, nowMs),
  };
}

function field(value: unknown): string | undefined {
  // Real ones are far shorter.
  return asText(value)?.slice(0, 512);
}
