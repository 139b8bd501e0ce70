import { resolve } from 'node:path';
import { unwrap } from '../api/own-level.ts';
import { isUsableToken, MAX_TOKEN_LENGTH } from '../api/request.ts';
import { splitWords } from '../api/status-words.ts';
import {
  OPERATIONS,
  SESSION_COOKIE,
  TOKEN_LIFETIME_MS,
  TOKEN_PREFIX,
} from '../contract/operations.ts';
import type { DeviceToken } from '../contract/types.ts';
import { type Env, SIGN_IN_VARIABLES, signInVariablesIn } from '../environment.ts';
import { CliError, listed, quoted, usageError } from '../errors.ts';
import { asObject, asText } from '../json/values.ts';
import { unsetVariable } from '../shell-line.ts';
import { readPlainFile } from '../store/files.ts';
import { isPipe, readPipe } from '../store/pipe.ts';
import { describeSystemError } from '../store/problem.ts';
import { describePastExpiry, readExpiry } from './expiry.ts';

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
  if (token.length > MAX_TOKEN_LENGTH) {
    throw refuse(`is longer than ${MAX_TOKEN_LENGTH} characters.`);
  }
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
export function describeOddPrefix(token: string, source: string): string | undefined {
  if (token.startsWith(TOKEN_PREFIX)) return undefined;
  return `${source} does not start with ${TOKEN_PREFIX}; is it an API token?`;
}

/** Of an unusual prefix, and an end that is past. */
export function listTokenWarnings(
  token: string,
  expiresAt: string | undefined,
  nowMs: number,
): readonly string[] {
  const expired = describePastExpiry(expiresAt, nowMs);
  return [describeOddPrefix(token, 'The token'), expired].filter(
    (warning) => warning !== undefined,
  );
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
  if (source === 'SVC_SESSION_TOKEN') {
    return {
      kind: 'session',
      token: parseToken(withoutCookieName(value), source),
      source,
    } as const;
  }
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
    throw unreadable(`${path} cannot be read: ${describeSystemError(error)}.`, error);
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

/** A text of an answer that looks like a token, and where it stands. */
interface TokenText {
  readonly path: string;
  readonly token: string;
  /** The object that has it. */
  readonly holder: object;
  /** Whether a word of the path says what it is. */
  readonly isNamed: boolean;
  /** Whether it is there to get another token. */
  readonly isRefresh: boolean;
}

const TOKEN_WORDS = ['token', 'access', 'bearer', 'secret', 'key'];

/**
 * Reads the token of an answer: `token` of its own level, or else the best text with the prefix of
 * tokens, wherever it stands. The API sends it only once, so the places of the others are named.
 */
export function findIssuedToken(answer: unknown, nowMs: number): IssuedToken | undefined {
  if (typeof answer === 'string') return findIssuedToken({ token: parsePrefixed(answer) }, nowMs);
  const own = asObject(unwrap(answer, OPERATIONS.pollDeviceLogin).value);
  const { token } = own;
  const documented = typeof token === 'string' ? withoutBearer(token) : token;
  const issued = readIssuedToken({ ...own, token: documented }, nowMs);
  if (issued !== undefined) return issued;

  const texts = listTokenTexts(answer);
  const [best, ...others] = [
    ...texts.filter(({ isRefresh }) => !isRefresh).sort(compareTokenTexts),
    ...texts.filter(({ isRefresh }) => isRefresh),
  ];
  if (best === undefined || best.isRefresh) return undefined;
  const found = readIssuedToken({ ...own, ...best.holder, token: best.token }, nowMs);
  if (found === undefined || others.length === 0) return found;
  const places = listed(others.map(({ path }) => path));
  const warning = `The answer has more than one text like a token. svc keeps that of ${best.path}, not ${places}.`;
  return { ...found, warnings: [...found.warnings, warning] };
}

/** Puts a text whose name says that it is a token first, then the longest. */
function compareTokenTexts(one: TokenText, other: TokenText): number {
  const byName = Number(other.isNamed) - Number(one.isNamed);
  return byName === 0 ? other.token.length - one.token.length : byName;
}

/** Lists the texts of an answer that look like tokens. Ids may have the same prefix. */
function listTokenTexts(answer: unknown): readonly TokenText[] {
  const texts = new Map<string, TokenText>();
  for (const { value, path, holder } of listValues(answer)) {
    const token = typeof value === 'string' ? parsePrefixed(value) : undefined;
    const words = splitWords(path);
    if (token === undefined || isNoPlace(words) || texts.has(token)) continue;

    const isNamed = TOKEN_WORDS.some((word) => words.includes(word));
    texts.set(token, { path, token, holder, isNamed, isRefresh: words.includes('refresh') });
  }
  return [...texts.values()];
}

/** Whether a path leads to an id, or into an error, which names a token at most. */
function isNoPlace(words: readonly string[]): boolean {
  return words.at(-1) === 'id' || words.includes('error') || words.includes('errors');
}

interface PlacedValue {
  readonly value: unknown;
  readonly path: string;
  /** The object or list that has it. */
  readonly holder: object;
}

/** Lists every value in an answer, however deep, the outer ones first. */
function listValues(answer: unknown): readonly PlacedValue[] {
  const values: PlacedValue[] = [];
  const addChildren = (parent: unknown, path: string) => {
    if (typeof parent !== 'object' || parent === null) return;
    for (const [name, value] of Object.entries(parent))
      values.push({ value, path: path === '' ? name : `${path}.${name}`, holder: parent });
  };
  addChildren(answer, '');
  for (const { value, path } of values) addChildren(value, path);
  return values;
}

/** Fewer characters behind the prefix are an id. */
const MIN_TOKEN_LENGTH = TOKEN_PREFIX.length + 16;

function parsePrefixed(text: string): string | undefined {
  const token = withoutBearer(text);
  const isToken =
    token.startsWith(TOKEN_PREFIX) && token.length >= MIN_TOKEN_LENGTH && isUsableToken(token);
  return isToken ? token : undefined;
}

/** Removes the scheme of the header that a token goes into. */
function withoutBearer(text: string): string {
  return text.trim().replace(/^Bearer\s+/i, '');
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
    warnings: listTokenWarnings(token, expiresAt, nowMs),
  };
}

function field(value: unknown): string | undefined {
  // Real ones are far shorter.
  return asText(value)?.slice(0, 512);
}
