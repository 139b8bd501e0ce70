import type { Call } from '../../api/call.ts';
import { buildUrl } from '../../api/request.ts';
import type { Needs } from '../../cli/define/context.ts';
import { parseChoice } from '../../cli/values/choice.ts';
import { parseHeaders } from '../../cli/values/header.ts';
import { parseFields } from '../../cli/values/key-value.ts';
import {
  fileOption,
  flag,
  list,
  option,
  optionalValue,
  type Values,
} from '../../cli/values/parameters.ts';
import { OPERATIONS, type Operation } from '../../contract/operations.ts';
import { usageError } from '../../errors.ts';
import { RawJson } from '../../json/raw-json.ts';
import { readUserJson } from '../../json/user-json.ts';
import { unicodePattern } from '../../once.ts';
import { commandLine } from '../../shell-line.ts';
import { documentedOperation, operationFor } from './operation.ts';

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

/** `path` is below the base address, or a full URL. */
type RequestOptions = Pick<Values<typeof API_OPTIONS>, 'method' | 'field' | 'input' | 'header'> & {
  readonly path: string;
};

/** The request of an `svc api` line. */
export interface Request {
  readonly call: Call;
  /** The documented operation that it reaches. */
  readonly known: Operation | undefined;
}

/** Throws a usage error if the request could not be sent as written. */
export async function buildRequest(
  context: Needs<'io' | 'globals' | 'settings'>,
  options: RequestOptions,
): Promise<Request> {
  const { field, input } = options;
  const baseUrl = context.settings.apiUrl().value;
  const target = parseTarget(options.path, baseUrl);
  const headers = parseHeaders(options.header, '--header');
  const hasContent = field.length > 0 || input !== undefined;
  const method = options.method ?? (hasContent ? 'POST' : 'GET');
  const path = placeholderValues(context, target.path);
  const { pathname } = buildUrl(baseUrl, {
    operation: operationFor(method, target.path, undefined),
    path,
  });
  const known = documentedOperation(method, pathname);
  if (known?.credentials === 'none') {
    throw usageError(
      'svc api does not send the requests of a login: their answers contain a token that is returned only once.',
      'svc login',
    );
  }
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const { query = [], body } = await readContent(context, method, options, hasType);
  const call: Call = {
    operation: operationFor(method, target.path, known),
    path,
    query: [...target.query, ...query],
    body,
    headers,
    accept: 'anything',
    large: 'Ask for less, such as fewer fields.',
    settling: { hint: lookCommand(context, known, pathname.slice(basePathOf(baseUrl).length)) },
  };
  return { call, known };
}

/** Without a slash at its end. */
function basePathOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '');
}

/** The command that shows whether a change was made; undefined if only the dashboard does. */
function lookCommand(
  { globals }: Needs<'globals'>,
  known: Operation | undefined,
  path: string,
): string | undefined {
  if (known === undefined) return commandLine(['api', path], {}, globals);
  const service =
    known === OPERATIONS.restartService ? /\/services\/([^/]+)\//.exec(path)?.[1] : undefined;
  return service === undefined
    ? undefined
    : commandLine(['metrics', decodeURIComponent(service)], {}, globals);
}

/** For the `{name}` segments. Throws a usage error for an unknown name. */
function placeholderValues(
  { settings }: Needs<'settings'>,
  path: string,
): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    if (name !== 'service' && name !== 'org') {
      throw usageError(
        `{${name}} in the path is not known.`,
        'Write {service}, {org}, or the value itself.',
      );
    }
    if (name === 'service' && settings.service() === undefined) {
      throw usageError(
        'No service is set for {service}.',
        'Write its id instead, or link one: svc link <id>',
      );
    }
    const value = name === 'service' ? settings.serviceId(undefined) : settings.org()?.value;
    if (value === undefined) {
      throw usageError('No organization is set for {org}.', 'Name one with --org <id|slug>.');
    }
    values[name] = value;
  }
  return values;
}

/** The path and query of an `svc api` line. */
interface Target {
  /** Below the base address, percent-encoded, with `{name}` placeholders. */
  readonly path: string;
  readonly query: ReadonlyArray<readonly [name: string, value: string]>;
}

/** Characters that a path cannot contain unescaped (RFC 3986, section 3.3). */
const NOT_IN_A_PATH = /[^\w\-.~!$&'()*+,;=:@/%]|%(?![0-9a-f]{2})/i;

const hidden = unicodePattern('[\\p{C}\\p{Z}]');

/**
 * Reads a path, or a full URL below the base address, each with an optional query.
 * @throws CliError `usage` for another host, and for a path that would not arrive as written.
 */
function parseTarget(text: string, baseUrl: string): Target {
  const refuse = (why: string, hint = 'svc api /v1/user') =>
    usageError(`The path ${JSON.stringify(text)} ${why}.`, hint);
  const isUrl = /^[a-z][a-z0-9+.-]*:/i.test(text);
  if (isUrl && !text.startsWith(`${baseUrl}/`)) {
    throw usageError(
      `svc sends requests to ${baseUrl} only.`,
      'Use the path alone, or another address with --api-url.',
    );
  }
  const [beforeQuery = '', query = ''] = (isUrl ? text.slice(baseUrl.length) : text).split(
    /\?(.*)/s,
  );
  if (text.includes('#')) {
    throw refuse('has a fragment (#…), which is never sent', 'Write %23 for #.');
  }
  if (!beforeQuery.startsWith('/')) throw refuse('does not start with /');
  // Letters beyond ASCII are encoded; controls and spaces are refused.
  const path = beforeQuery.replace(/[^\x21-\x7e]+/g, (odd) =>
    hidden().test(odd) ? odd : encodeURIComponent(odd),
  );
  if (NOT_IN_A_PATH.test(path.replace(/\{\w+\}/g, ''))) {
    throw refuse(
      'holds a character that must be percent-encoded',
      'Write %20 for a space and %5C for \\.',
    );
  }
  const [, ...segments] = path.split('/');
  if (segments.some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) {
    throw refuse('has a "." or ".." in it');
  }
  if (segments.slice(0, -1).includes('')) throw refuse('has an empty part (//)');
  return { path, query: [...new URLSearchParams(query)] };
}

const MAX_INPUT_BYTES = 32 * 1024 * 1024;

/** The body, or the query of a method without one. Without a content type, a file must be JSON. */
async function readContent(
  { io }: Needs<'io'>,
  method: string,
  { field, input }: Pick<RequestOptions, 'field' | 'input'>,
  hasType: boolean,
): Promise<{ readonly query?: Target['query']; readonly body?: unknown }> {
  if (input !== undefined && field.length > 0) {
    throw usageError(
      '--input is the whole body, so it cannot be used with --field.',
      'Use one of the two.',
    );
  }
  if (method === 'GET' || method === 'HEAD') {
    if (input !== undefined) {
      throw usageError(
        `A ${method} request has no body for --input.`,
        'Choose another method with -X.',
      );
    }
    const fields = Object.entries(parseFields(field, '--field', { raw: true }));
    return {
      query: fields.map(([name, value]) => [
        name,
        value instanceof RawJson ? value.text : String(value),
      ]),
    };
  }
  if (input === undefined) {
    return field.length === 0
      ? {}
      : { body: parseFields(field, '--field', { nested: true, raw: true }) };
  }
  if (hasType) return { body: await io.readFile(input, '--input', MAX_INPUT_BYTES) };
  const text = await io.readText(input, '--input', MAX_INPUT_BYTES);
  const hint = "If it is not JSON, say what it is with -H 'Content-Type: …'.";
  readUserJson(text, input === '-' ? 'Standard input' : input, { isRaw: true, hint });
  return { body: Buffer.from(text) };
}
