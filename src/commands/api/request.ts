import type { Call } from '../../api/call.ts';
import { buildUrl, RESERVED_HEADERS } from '../../api/request.ts';
import type { Needs } from '../../cli/define/context.ts';
import type { Settings } from '../../cli/settings/settings.ts';
import { parseFields } from '../../cli/values/key-value.ts';
import {
  fileOption,
  flag,
  list,
  option,
  optionalValue,
  type Values,
} from '../../cli/values/parameters.ts';
import { example, parseChoice } from '../../cli/values/text.ts';
import type { Operation } from '../../contract/operations.ts';
import { quote, usageError } from '../../errors.ts';
import { readUserJson } from '../../json/user-json.ts';
import { RawJson } from '../../json/values.ts';
import { commandLine } from '../../shell-line.ts';
import { createOperation, findDocumentedOperation } from './operation.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

/** The options of `svc api`. */
export const API_OPTIONS = {
  method: option(
    'method',
    'HTTP method (default: GET, or POST with a body)',
    (text, field) => parseChoice(text.toUpperCase(), field, METHODS),
    { short: 'X', choices: METHODS },
  ),
  field: list(
    'key=value',
    'field of the body, or of the query for GET; key:=value for numbers, booleans and JSON',
  ),
  input: fileOption('file', 'send this file as the body; - is standard input'),
  header: list('header', "a header, as in 'Name: value'; may be repeated", { short: 'H' }),
  include: flag('show the status and the headers of the answer first'),
  dryRun: flag('show the request without sending it'),
  newOrder: optionalValue(
    'key',
    'an order: place it once more, or go on beside the one in doubt with this key',
  ),
};

/** The options of an `svc api` line. */
export type RequestOptions = Values<typeof API_OPTIONS>;

/** The request of an `svc api` line, and the documented operation that it reaches. */
export type Request = Awaited<ReturnType<typeof buildRequest>>;

/**
 * Builds a request whose path is below the base address, or a full URL.
 * @throws CliError `usage` if the request could not be sent as written.
 */
export async function buildRequest(
  context: Needs<'io' | 'globals' | 'settings'>,
  options: RequestOptions & { readonly path: string },
) {
  const { settings, globals } = context;
  const baseUrl = settings.apiUrl().value;
  const target = parseTarget(options.path, baseUrl);
  const path = readPlaceholders(settings, target.path);
  const hasContent = options.field.length > 0 || options.input !== undefined;
  const method = options.method ?? (hasContent ? 'POST' : 'GET');

  const operation = createOperation(method, target.path);
  const { origin, pathname } = buildUrl(baseUrl, { operation, path });
  const known = findDocumentedOperation(method, pathname);
  if (known?.credentials === 'none') {
    throw usageError(
      'svc api does not send the requests of a login: their answers contain a token that is returned only once.',
      'svc login',
    );
  }

  const headers = parseHeaders(options.header, '--header');
  const hasType = headers['content-type'] !== undefined;
  const { query = [], body } = await readContent(context.io, method, options, hasType);
  const look = commandLine(['api', (origin + pathname).slice(baseUrl.length)], {}, globals);
  const call: Call = {
    operation: createOperation(method, target.path, known),
    path,
    query: [...target.query, ...query],
    body,
    headers,
    accept: 'anything',
    largeAnswerHint: 'Ask for less, such as fewer fields.',
    // A documented change has no path that shows it.
    settling: { hint: known ? undefined : look },
  };
  return { call, known };
}

/** Returns the values of the `{name}` segments; others make a path that cannot be sent. */
function readPlaceholders(settings: Settings, path: string) {
  const values: Record<string, string> = {};
  if (path.includes('{service}')) values['service'] = settings.serviceId(undefined);
  if (path.includes('{org}')) {
    const org = settings.org();
    if (!org) {
      throw usageError('No organization is set for {org}.', 'Name one with --org <id|slug>.');
    }
    values['org'] = org.value;
  }
  return values;
}

/**
 * Reads a path, or a full URL below the base address, each with an optional query. Returns the path
 * below the base address, percent-encoded, with `{name}` placeholders. What else cannot be sent as
 * written, `buildUrl` refuses.
 * @throws CliError `usage` for another host, and for a path that a server could take for another.
 */
function parseTarget(text: string, baseUrl: string) {
  const isUrl = /^[a-z][a-z0-9+.-]*:/i.test(text);
  if (isUrl && !text.startsWith(`${baseUrl}/`)) {
    throw usageError(
      `svc sends requests to ${baseUrl} only.`,
      'Use the path alone, or another address with --api-url.',
    );
  }

  const below = isUrl ? text.slice(baseUrl.length) : text;
  const [path = '', query = ''] = below.split(/\?(.*)/s);
  if (!path.startsWith('/') || /\/\/|%(?![0-9a-f]{2})/i.test(path)) {
    throw usageError(
      `The path ${JSON.stringify(text)} must start with one /, and have neither // nor a % alone.`,
      'svc api /v1/user',
    );
  }
  return {
    path: path.replace(/[^\x21-\x7e]+/g, encodeURIComponent),
    query: [...new URLSearchParams(query)],
  };
}

const MAX_INPUT_BYTES = 32 * 1024 * 1024;

/**
 * Reads the body, or the query of a method that has no body. Without a content type, a file must be
 * JSON.
 */
async function readContent(
  io: Needs<'io'>['io'],
  method: Operation['method'],
  { field, input }: RequestOptions,
  hasType: boolean,
) {
  const hasBody = method !== 'GET' && method !== 'HEAD';
  if (input !== undefined && (field.length > 0 || !hasBody)) {
    throw usageError(
      '--input is the whole body of a request.',
      'Use it without --field, and not with GET or HEAD.',
    );
  }
  const fields = parseFields(field, '--field', { nested: hasBody, raw: true });
  if (!hasBody) {
    return {
      query: Object.entries(fields).map(
        ([name, value]) => [name, value instanceof RawJson ? value.text : String(value)] as const,
      ),
    };
  }
  if (field.length > 0) return { body: fields };
  if (input === undefined) return {};

  if (hasType) return { body: await io.readFile(input, '--input', MAX_INPUT_BYTES) };
  const text = await io.readText(input, '--input', MAX_INPUT_BYTES);
  const hint = "If it is not JSON, say what it is with -H 'Content-Type: …'.";
  readUserJson(text, input === '-' ? 'Standard input' : input, { isRaw: true, hint });
  return { body: Buffer.from(text) };
}

const HINTS: Readonly<Record<string, string>> = {
  authorization: 'Set SVC_TOKEN instead, or sign in with svc login.',
  cookie: 'Set SVC_SESSION_TOKEN to use a dashboard session.',
  host: 'Choose the address with --api-url.',
};
const LEAVE_OUT = 'Leave it out: svc sets what the connection needs.';

/**
 * Parses `Name: value` in printable ASCII (RFC 9110, section 5). Throws a usage error, which never repeats
 * a value: it may be a secret.
 */
export function parseHeaders(list: readonly string[], flag: string): Record<string, string> {
  const headers = Object.create(null) as Record<string, string>;
  const seen = new Set<string>();
  const form = example(flag, "'Name: value'");
  for (const text of list) {
    const [, name, given = ''] = /^([^:]*):(.*)$/s.exec(text) ?? [];
    if (name === undefined) {
      throw usageError(`${flag} needs a name and a value with a colon between them.`, form);
    }
    const lowerName = name.toLowerCase();
    const title = `${flag} ${quote(name)}`;
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(lowerName)) {
      throw usageError(`${title} is not the name of a header.`, form);
    }
    if (RESERVED_HEADERS.has(lowerName)) {
      throw usageError(`${flag} cannot set ${name}.`, HINTS[lowerName] ?? LEAVE_OUT);
    }
    const value = given.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '');
    if (value === '') throw usageError(`${title} has no value.`, form);
    if (!/^[\x20-\x7e]+$/.test(value)) {
      throw usageError(`${title} has a value with characters other than printable ASCII.`, form);
    }
    if (seen.has(lowerName)) {
      throw usageError(`${title} is given twice.`, 'Give every header once.');
    }
    seen.add(lowerName);
    headers[lowerName] = value;
  }
  return headers;
}
