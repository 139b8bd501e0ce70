import { createOtherIdError, findOtherId } from '../../api/read-answer.ts';
import type { KnownNames } from '../../cli/define/name-notes.ts';
import { parseIdentifier } from '../../cli/values/names.ts';
import { required } from '../../cli/values/parameters.ts';
import { DATABASE, DATABASE_LOOKUP, REFERENCE } from '../../contract/fields/operations.ts';
import type { DatabaseLookup } from '../../contract/operations.ts';
import { CliError } from '../../errors.ts';
import {
  asObject,
  asText,
  asYesOrNo,
  createFieldReaders,
  findField,
  objectOrNothing,
  unreadFields,
  unreadParts,
} from '../../json/values.ts';
import { MASK, maskSecrets } from '../../terminal/mask.ts';
import { dim, type Screen, state } from '../../terminal/screen.ts';
import { describeNamed } from '../shared/names.ts';
import { decodePart, encodePart, splitConnectionUrl } from './connection-url.ts';

/** The database of a command; Tab offers those seen before. */
export const DATABASE_ARGUMENT = required('id of the database', {
  read: (text) => parseIdentifier(text, 'The database id'),
  offer: 'databases',
});

/** Returns the names in an answer, to be remembered. */
export function toKnownDatabase({ database, service }: DatabaseLookup): KnownNames {
  const readNames = (value: unknown) => {
    const id = asText(findField(value, 'id'));
    return id === undefined ? [] : [{ name: id, about: asText(findField(value, 'name')) }];
  };
  return { databases: readNames(database), services: readNames(service) };
}

/** The URL as the platform gave it, and its parts, unmasked. Missing ones are empty. */
export type Connection = ReturnType<typeof readConnection>;

/**
 * Finds the credentials. The API document names the three fields and not where they stand: beside
 * the database, in it, or in an object of their own.
 */
function findCredentials(answer: DatabaseLookup) {
  const listInner = (object: unknown) =>
    ['database', 'credentials', 'connection'].map((name) => findField(object, name));
  const inner = listInner(answer);
  const places = [answer, ...inner, ...inner.flatMap(listInner)];
  // In an object `connection`, its name says what the URL is.
  const connections = places.map((place) => findField(place, 'connection'));
  return {
    connectionUrl:
      findText(places, /^connection_?url$/i) ??
      findText(places, /^connection_?string$/i) ??
      findText(connections, /^url$/),
    username: findText(places, /^user_?name$/i),
    password: findText(places, /^password$/),
  };
}

function findText(objects: readonly unknown[], name: RegExp) {
  return objects
    .flatMap((object) => Object.entries(asObject(object)))
    .map(([field, value]) => (name.test(field) ? asText(value) : undefined))
    .find(Boolean);
}

/**
 * Reads the connection; the fields `username` and `password` win over those of the URL.
 * @throws CliError `forbidden` if the answer has no credentials, `unexpected` if they cannot be
 * understood.
 */
export function readConnection(answer: DatabaseLookup, id: string) {
  const otherId = findOtherId(asObject(answer.database), 'database', id);
  if (otherId !== undefined) throw createOtherIdError(id, otherId);

  const credentials = findCredentials(answer);
  const url = credentials.connectionUrl;
  if (url === undefined) throw createNoUrlError(answer, id);

  const parts = splitConnectionUrl(url, credentials.password);
  if (parts !== undefined) {
    const { username = parts.username, password = parts.password } = credentials;
    const texts = [url, username, password, parts.database];
    if (!texts.some(isBroken)) return { ...parts, url, username, password };
  }

  // The message leaves out the URL, which contains the password.
  const message = `svc does not understand the connection URL of ${id}.`;
  throw new CliError('unexpected', message, { hint: `svc db inspect ${id} --reveal` });
}

function createNoUrlError(answer: DatabaseLookup, id: string) {
  const { username, password } = findCredentials(answer);
  const isIncluded = asYesOrNo(answer.credentialsIncluded);
  if (isIncluded || (username ?? password) !== undefined) {
    const hint = `svc db inspect ${id} --reveal`;
    return new CliError('unexpected', `The answer about ${id} has no connection URL.`, { hint });
  }
  const why = isIncluded === false ? ': only owners and admins get them' : '';
  return new CliError('forbidden', `The platform did not send the credentials of ${id}${why}.`, {
    hint: {
      say: 'Check your role in each organization; use another one with --org.',
      run: ['svc orgs'],
    },
  });
}

/** Says whether a text has U+0000 or half a surrogate pair, which no program can be given. */
function isBroken(text: string) {
  return /[\0\ud800-\udfff]/u.test(text);
}

/** Shorter passwords would mask ordinary words in other values. */
const MIN_SOUGHT = 4;

/** Masks secrets, and the password inside other values too. */
export function maskDatabase(answer: DatabaseLookup): DatabaseLookup {
  const passwords = listPasswords(answer);
  const mask = (_name: string, value: unknown) =>
    typeof value === 'string'
      ? passwords.reduce((text, password) => text.replaceAll(password, MASK), value)
      : value;
  return asObject(maskSecrets(JSON.parse(JSON.stringify(answer), mask)));
}

/** Lists the spellings of the password, the longest first, so that none leaves a part unmasked. */
function listPasswords(answer: DatabaseLookup) {
  const { password, connectionUrl = '' } = findCredentials(answer);
  const [, inUrl] = /^[a-z][a-z0-9+.-]*:\/\/[^:]*:(.*)@/i.exec(connectionUrl) ?? [];
  const [, inParameter] = /[?&]password=([^&#]*)/i.exec(connectionUrl) ?? [];
  const spellings = [password, inUrl, inParameter]
    .filter((text) => text !== undefined)
    .flatMap((text) => [text, decodePart(text), encodePart(text)]);
  return [...new Set(spellings)]
    .filter((text) => text.length >= MIN_SOUGHT)
    .sort((a, b) => b.length - a.length);
}

/** Shows a database, its credentials and what svc does not know. */
export function showDatabase(
  screen: Screen,
  answer: DatabaseLookup,
  id: string,
  isMasked: boolean,
): void {
  const database = asObject(answer.database);
  const status = asText(database.status);
  const engine = [database.engine, database.version].map(asText).filter(Boolean).join(' ');
  screen.heading(`Database ${asText(database.name) ?? asText(database.id) ?? id}`);
  screen.fields([
    ['Id', asText(database.id)],
    ['Status', status && state(status)],
    ['Engine', engine || undefined],
    ['Plan', describeNamed(answer.plan)],
    ['Service', describeNamed(answer.service)],
  ]);

  showCredentials(screen, answer, id, isMasked);
  showUnknownFields(screen, answer);
}

function showCredentials(screen: Screen, answer: DatabaseLookup, id: string, isMasked: boolean) {
  const { connectionUrl, username, password } = findCredentials(answer);
  screen.line();
  if ((connectionUrl ?? username ?? password) === undefined) {
    const isForOthers = asYesOrNo(answer.credentialsIncluded) === false;
    const who = 'Credentials are for owners and admins only.';
    screen.line(dim(isForOthers ? who : 'The answer has no credentials.'));
    if (isForOthers) screen.next([['svc orgs', 'your role in each organization']]);
    return;
  }

  screen.fields([
    ['Connection', connectionUrl],
    ['Username', username],
    ['Password', password],
  ]);
  const commands: string[] = [];
  const hasMask = password === MASK || connectionUrl?.includes(MASK);
  if (isMasked && hasMask) commands.push(`svc db inspect ${id} --reveal`);
  if (connectionUrl !== undefined) commands.push(`svc db connect ${id}`);
  screen.next(commands);
}

const NAMED = createFieldReaders(REFERENCE);

const readNamed = (value: unknown) => asText(value) ?? objectOrNothing(value);

function showUnknownFields(screen: Screen, answer: DatabaseLookup) {
  screen.unknownFields(unreadFields(answer.database, createFieldReaders(DATABASE)));
  screen.unknownFields({
    ...unreadParts({
      plan: unreadFields(answer.plan, NAMED),
      service: unreadFields(answer.service, NAMED),
    }),
    ...unreadFields(answer, {
      ...createFieldReaders(DATABASE_LOOKUP),
      plan: readNamed,
      service: readNamed,
    }),
  });
}
