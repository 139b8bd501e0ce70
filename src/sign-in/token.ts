import { resolve } from 'node:path';
import { splitWords, unwrap } from '../api/read-answer.ts';
import { isUsableToken, MAX_TOKEN_LENGTH } from '../api/request.ts';
import {
  type DeviceToken,
  OPERATIONS,
  SESSION_COOKIE,
  TOKEN_LIFETIME_MS,
  TOKEN_PREFIX,
} from '../contract/operations.ts';
import { type Env, listSignInVariables, SIGN_IN_VARIABLES } from '../environment.ts';
import { CliError, listNames, quote, usageError } from '../errors.ts';
import { asObject, asText } from '../json/values.ts';
import { unsetVariable } from '../shell-line.ts';
import { readPlainFile } from '../store/files.ts';
import { isPipe, readPipe } from '../store/pipe.ts';
import { describeSystemError } from '../store/problem.ts';
import { describePastExpiry, readExpiry } from './expiry.ts';

/**
 * Returns a token without surrounding white space.
 * @param variable the variable that has it, if any: it would win over a new sign-in
 * @throws CliError `unauthenticated`, which names the source and not the token.
 */
export function parseToken(text: string, source: string, variable?: string): string {
  const token = text.trim();
  const mistake = findMistake(token);
  if (mistake === undefined) return token;
  const signIn = variable === undefined ? 'svc login' : `${unsetVariable(variable)}; svc login`;
  throw new CliError('unauthenticated', `${source} ${mistake}`, {
    hint: { say: 'Sign in, or create a token in Settings > API tokens.', run: [signIn] },
  });
}

const QUOTED =
  /^["'`\u201c\u201d\u2018\u2019\u00ab\u00bb]|["'`\u201c\u201d\u2018\u2019\u00ab\u00bb]$/;
/** `SVC_TOKEN=svc_…`, `export TOKEN=…`, `token: svc_…`, `Bearer svc_…`. */
const NAMED = /^(?:(?:export|set) )?[\w.-]{1,40}[=: ] ?/i;

/** Says what is wrong with a token, such as the quotes or the name that were copied with it. */
function findMistake(token: string): string | undefined {
  if (token === '') return 'is blank.';
  if (token.length > MAX_TOKEN_LENGTH) return `is longer than ${MAX_TOKEN_LENGTH} characters.`;
  if (QUOTED.test(token)) return 'is in quotes. Leave them out; some files and panels keep them.';
  const [name = ''] = NAMED.exec(token) ?? [];
  const isVariable = SIGN_IN_VARIABLES.some((variable) => name.toUpperCase().includes(variable));
  const isToken = token.slice(name.length).replace(/^["']/, '').startsWith(TOKEN_PREFIX);
  if (isVariable || (name !== '' && isToken)) {
    return `begins with ${quote(name.replace(/[=:]? ?$/, ''))}. Set it to the token alone.`;
  }
  return isUsableToken(token) ? undefined : 'holds spaces or characters that no token has.';
}

/** Says that a token has an unusual prefix. */
export function describeOddPrefix(token: string, source: string): string | undefined {
  if (token.startsWith(TOKEN_PREFIX)) return undefined;
  return `${source} does not start with ${TOKEN_PREFIX}; is it an API token?`;
}

/** Lists what is odd about a token: an unusual prefix, and an end that is past. */
export function listTokenWarnings(
  token: string,
  expiresAt: string | undefined,
  nowMs: number,
): readonly string[] {
  return [describeOddPrefix(token, 'The token'), describePastExpiry(expiresAt, nowMs)].filter(
    (warning) => warning !== undefined,
  );
}

/** The token of a variable, or of the file that it names. */
export type EnvironmentToken = NonNullable<ReturnType<typeof readEnvironmentToken>>;

/**
 * Reads the token of the variable with the highest precedence, even if it is invalid.
 * @param cwd the base of a relative `SVC_TOKEN_FILE`
 * @throws CliError `unauthenticated` for an unusable token or file; `usage` if the variables
 * contradict each other.
 */
export function readEnvironmentToken(env: Env, cwd: string | undefined) {
  const [source, second] = listSignInVariables(env);
  if (source === undefined) return undefined;
  if (source === 'SVC_TOKEN' && second === 'SVC_TOKEN_FILE') {
    throw usageError('SVC_TOKEN and SVC_TOKEN_FILE are both set.', {
      say: 'Unset one of the two.',
      run: [source, second].map((name) => unsetVariable(name)),
    });
  }
  const value = env[source] ?? '';
  if (source === 'SVC_SESSION_TOKEN') {
    const token = parseToken(removeCookieName(value), source, source);
    return { kind: 'session', token, source } as const;
  }
  const token =
    source === 'SVC_TOKEN'
      ? parseToken(value, source, source)
      : parseToken(readTokenFile(value, cwd), 'The file of SVC_TOKEN_FILE', source);
  return { kind: 'bearer', token, source } as const;
}

/** Removes the name of a cookie, which browsers show with it. */
function removeCookieName(value: string): string {
  const text = value.trim();
  const name = `${SESSION_COOKIE}=`;
  return text.startsWith(name) ? text.slice(name.length) : text;
}

/** The most bytes of a pipe, as in `<(pass show svc)`. */
const MAX_PIPE_BYTES = 64 * 1024;
const PIPE_PATIENCE_MS = 10_000;

function readTokenFile(value: string, cwd: string | undefined): string {
  const name = value.replace(/\r$/, '');
  if (name.trim() === '') throw unreadableFileError('it is blank.');
  const path = cwd === undefined ? name : resolve(cwd, name);
  try {
    if (isPipe(path)) return readPipe(path, MAX_PIPE_BYTES, PIPE_PATIENCE_MS);
    const text = readPlainFile(path);
    if (text !== undefined) return text;
  } catch (error) {
    throw unreadableFileError(`${path} cannot be read: ${describeSystemError(error)}.`, error);
  }
  throw unreadableFileError(`there is no file ${path}.`);
}

function unreadableFileError(reason: string, cause?: unknown): CliError {
  return new CliError('unauthenticated', `SVC_TOKEN_FILE is set, but ${reason}`, {
    hint: {
      say: 'Set SVC_TOKEN_FILE to a file with a token, or sign in without it:',
      run: [`${unsetVariable('SVC_TOKEN_FILE')}; svc login`],
    },
    cause,
  });
}

/** A token of the API, which sends it only once. */
export type IssuedToken = NonNullable<ReturnType<typeof readIssuedToken>>;

/**
 * The rank of a text whose path says that it is a token, of another one, and of a refresh token.
 */
const RANKS = { named: 0, other: 1, refresh: 2 };

const TOKEN_WORDS = ['token', 'access', 'bearer', 'secret', 'key'];

/**
 * Reads the token of an answer: `token` of its own level, or else the best text with the prefix of
 * tokens, wherever it stands. The API sends it only once, so the places of the others are named.
 */
export function findIssuedToken(answer: unknown, nowMs: number): IssuedToken | undefined {
  if (typeof answer === 'string') return readIssuedToken({ token: parsePrefixed(answer) }, nowMs);
  const fields = asObject(unwrap(answer, OPERATIONS.pollDeviceLogin).value);
  const documented = readIssuedToken(fields, nowMs);
  if (documented !== undefined) return documented;

  // The lowest rank comes first, and of one rank the longest.
  const [best, ...others] = listTokenTexts(answer).sort(
    (one, other) => one.rank - other.rank || other.token.length - one.token.length,
  );
  if (best === undefined || best.rank === RANKS.refresh) return undefined;
  const issued = readIssuedToken({ ...fields, ...best.holder, token: best.token }, nowMs);
  if (issued === undefined || others.length === 0) return issued;
  const places = listNames(others.map(({ path }) => path));
  return {
    ...issued,
    warnings: [
      ...issued.warnings,
      `The answer has more than one text like a token. svc keeps that of ${best.path}, not ${places}.`,
    ],
  };
}

/**
 * Lists the texts of an answer that look like tokens, each once, with the object that has it. Ids
 * may have the same prefix.
 */
function listTokenTexts(answer: unknown) {
  const texts = listValues(answer).flatMap(({ value, path, holder }) => {
    const token = typeof value === 'string' ? parsePrefixed(value) : undefined;
    const words = splitWords(path);
    // An id, or in an error, which names a token at most.
    const isNoToken = words.at(-1) === 'id' || words.includes('error') || words.includes('errors');
    if (token === undefined || isNoToken) return [];

    const isNamed = TOKEN_WORDS.some((word) => words.includes(word));
    const rank = isNamed ? RANKS.named : RANKS.other;
    return [{ path, token, holder, rank: words.includes('refresh') ? RANKS.refresh : rank }];
  });
  const tokens = texts.map(({ token }) => token);
  return texts.filter(({ token }, index) => tokens.indexOf(token) === index);
}

/** Lists every value in an answer with its holder, however deep, the outer ones first. */
function listValues(answer: unknown) {
  const values = [{ value: answer, path: '', holder: {} }];
  for (const { value: holder, path } of values) {
    if (typeof holder !== 'object' || holder === null) continue;
    for (const [name, value] of Object.entries(holder)) {
      values.push({ value, path: path === '' ? name : `${path}.${name}`, holder });
    }
  }
  return values;
}

/** Fewer characters behind the prefix are an id. */
const MIN_TOKEN_LENGTH = TOKEN_PREFIX.length + 16;

function parsePrefixed(text: string): string | undefined {
  const token = removeBearer(text);
  const isToken =
    token.startsWith(TOKEN_PREFIX) && token.length >= MIN_TOKEN_LENGTH && isUsableToken(token);
  return isToken ? token : undefined;
}

/** Removes the scheme of the header that a token goes into. */
function removeBearer(text: string): string {
  return text.trim().replace(/^Bearer\s+/i, '');
}

/** Reads the fields of a token. Returns undefined without a usable one; no other is required. */
export function readIssuedToken(answer: DeviceToken, nowMs: number) {
  const token = typeof answer.token === 'string' ? removeBearer(answer.token) : '';
  if (!isUsableToken(token)) return undefined;
  const expiresAt = readExpiry(answer.expiresAt);
  const user = asObject(answer.user);
  return {
    token,
    tokenId: readField(answer.tokenId),
    expiresAt: expiresAt ?? new Date(nowMs + TOKEN_LIFETIME_MS).toISOString(),
    /** True if the platform did not say when it expires. */
    expiresAtEstimated: expiresAt === undefined,
    organizationId: readField(answer.organizationId),
    email: readField(user.email),
    warnings: listTokenWarnings(token, expiresAt, nowMs),
  };
}

function readField(value: unknown): string | undefined {
  // Real ones are far shorter.
  return asText(value)?.slice(0, 512);
}
