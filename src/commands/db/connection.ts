import { createOtherIdError, findOtherId } from '../../api/identity.ts';
import type { KnownNames } from '../../cli/define/result.ts';
import { parseIdentifier } from '../../cli/values/identifier.ts';
import { required } from '../../cli/values/parameters.ts';
import type { DatabaseLookup } from '../../contract/types.ts';
import { CliError } from '../../errors.ts';
import { asObject, asText, asYesOrNo, findField, isObject } from '../../json/values.ts';
import { MASK, maskSecrets } from '../../terminal/mask.ts';
import { decodePart, encodePart, splitConnectionUrl } from './connection-url.ts';

/** The database of a command; Tab offers those seen before. */
export const DATABASE_ARGUMENT = required('id of the database', {
  read: (text) => parseIdentifier(text, 'The database id'),
  offer: 'databases',
});

/** Names to be remembered. */
export function databaseSeen({ database, service }: DatabaseLookup): KnownNames {
  const named = (value: unknown) => {
    const [id, about] = [findField(value, 'id'), findField(value, 'name')].map(asText);
    return id === undefined ? [] : [{ name: id, about }];
  };
  return { databases: named(database), services: named(service) };
}

/** The URL as the platform gave it, and its parts, unmasked. Missing ones are empty. */
export type Connection = ReturnType<typeof connectionOf>;

/**
 * The API document names the three fields and not where they stand: beside the database, in it, or
 * in an object of their own.
 */
export function credentialsIn(answer: DatabaseLookup) {
  const inside = (object: unknown) =>
    ['database', 'credentials', 'connection'].map((name) => asObject(findField(object, name)));
  const places = [answer, ...inside(answer), ...inside(answer).flatMap(inside)];
  const find = (all: readonly unknown[], ...names: readonly string[]) =>
    all
      .flatMap((place) => names.map((name) => asText(findField(place, name))))
      .find((text) => text !== undefined);
  // In an object `connection`, its name says what the URL is.
  const inConnection = places.map((place) => findField(place, 'connection'));
  return {
    connectionUrl:
      find(places, 'connectionUrl', 'connection_url', 'connectionString', 'connection_string') ??
      find(inConnection, 'url'),
    username: find(places, 'username', 'userName', 'user_name'),
    password: find(places, 'password'),
  };
}

/** Undefined if the answer does not say whether it includes the credentials. */
export function saysIncluded(answer: DatabaseLookup): boolean | undefined {
  return asYesOrNo(answer.credentialsIncluded);
}

/**
 * The fields `username` and `password` take precedence over those of the URL.
 * @throws CliError `forbidden` if the answer has no credentials, `unexpected` if they cannot be
 * understood.
 */
export function connectionOf(answer: DatabaseLookup, id: string) {
  const other = findOtherId(asObject(answer.database), 'database', id);
  if (other !== undefined) throw createOtherIdError(id, other);
  const given = credentialsIn(answer);
  const url = given.connectionUrl;
  if (url === undefined) throw noUrl(answer, id, (given.username ?? given.password) !== undefined);

  const parts = splitConnectionUrl(url, given.password);
  const first = parts?.hosts[0];
  if (parts === undefined || first === undefined) throw notUnderstood(id);

  const username = given.username ?? parts.username;
  const password = given.password ?? parts.password;
  if ([url, username, password, parts.database].some(isBroken)) throw notUnderstood(id);
  return { ...parts, ...first, url, username, password };
}

/** The message leaves out the URL, which contains the password. */
function notUnderstood(id: string): CliError {
  const hint = `svc db inspect ${id} --reveal`;
  return new CliError('unexpected', `svc does not understand the connection URL of ${id}.`, {
    hint,
  });
}

function noUrl(answer: DatabaseLookup, id: string, hasOthers: boolean): CliError {
  const included = saysIncluded(answer);
  if (hasOthers || included === true) {
    const hint = `svc db inspect ${id} --reveal`;
    return new CliError('unexpected', `The answer about ${id} has no connection URL.`, { hint });
  }
  const only = included === false ? ': only owners and admins get them' : '';
  return new CliError('forbidden', `The platform did not send the credentials of ${id}${only}.`, {
    hint: {
      say: 'Check your role in each organization; use another one with --org.',
      run: ['svc orgs'],
    },
  });
}

/** U+0000 and half a surrogate pair cannot be passed to a program. */
function isBroken(text: string): boolean {
  return /[\0\ud800-\udfff]/u.test(text);
}

/** Shorter passwords would mask ordinary words in other values. */
const MIN_SOUGHT = 4;

/** Also inside other values. */
export function maskDatabase(answer: DatabaseLookup): DatabaseLookup {
  return asObject(maskSecrets(without(passwordsOf(answer), answer)));
}

function without(passwords: readonly string[], value: unknown): unknown {
  if (typeof value === 'string') {
    return passwords.reduce((text, word) => text.replaceAll(word, MASK), value);
  }
  if (Array.isArray(value)) return value.map((item) => without(passwords, item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, without(passwords, item)]),
  );
}

/**
 * The spellings of the password, the longest first, so that none leaves a part of another unmasked.
 */
function passwordsOf(answer: DatabaseLookup): readonly string[] {
  const { password, connectionUrl } = credentialsIn(answer);
  const inUrl = connectionUrl?.match(/^[a-z][a-z0-9+.-]*:\/\/[^:]*:(.*)@/i)?.[1];
  const inParameter = splitConnectionUrl(connectionUrl ?? '', password)?.password;
  const plain = [password, inUrl, inParameter].filter((text) => text !== undefined);
  const forms = plain.flatMap((text) => [text, decodePart(text), encodePart(text)]);
  return [...new Set(forms)]
    .filter((text) => text.length >= MIN_SOUGHT)
    .sort((a, b) => b.length - a.length);
}
