import { randomUUID } from 'node:crypto';
import type { Answer, Call } from '../../api/call.ts';
import { judgeChange } from '../../api/change.ts';
import { buildUrl } from '../../api/request.ts';
import { type Judgement, toVerdictError } from '../../api/verdict.ts';
import type { Context, Needs } from '../../cli/define/context.ts';
import type { Result } from '../../cli/define/result.ts';
import type { Settings } from '../../cli/settings/settings.ts';
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
import {
  changesSomething,
  IDEMPOTENCY_HEADER,
  OPERATIONS,
  type Operation,
  ORG_HEADER,
} from '../../contract/operations.ts';
import { CliError, inDoubt, usageError } from '../../errors.ts';
import { readUserJson } from '../../json/user-json.ts';
import { asText, isObject, parseJson, RawJson, toJsonText } from '../../json/values.ts';
import { parseOrderKey } from '../../orders/entry.ts';
import { placeOrder } from '../../orders/place.ts';
import { commandLine } from '../../shell-line.ts';
import { maskJson, maskText } from '../../terminal/mask.ts';
import { createBuyerLookup } from '../shared/membership.ts';
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
type RequestOptions = Values<typeof API_OPTIONS>;

/** The request of an `svc api` line, and the documented operation that it reaches. */
type Request = Awaited<ReturnType<typeof buildRequest>>;

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
    large: 'Ask for less, such as fewer fields.',
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

/** Sends a request that is no order. */
export async function sendRequest(
  { call, known }: Request,
  include: boolean,
  context: Needs<'api' | 'assume' | 'io' | 'globals'>,
): Promise<Result<ReturnType<typeof toShownAnswer>>> {
  const { method, path } = call.operation;
  if (known === OPERATIONS.stageDomain) {
    await context.io.confirmOrStop("This stages records for a domain's DNS. Send it?");
  }

  const client = await context.api.client();
  const answer = await client.call(call);
  if (context.globals.json) checkIsJson(answer, call);

  const isChange = changesSomething(call.operation);
  const value = toShownAnswer(answer, include || method === 'HEAD');
  return {
    value,
    json: answer.text || undefined,
    doneSentence: isChange ? `${method} ${path} was answered with ${answer.status}.` : undefined,
    failure: isChange ? findFailure(judgeChange(answer, known, context.assume)) : undefined,
    async onDelivered() {
      if (!context.globals.json && value.text !== answer.text) {
        await context.io.note('Secrets are masked. Show them with --json.');
      }
    },
  };
}

/** Makes an answer as people see it: with its secrets masked. */
function toShownAnswer(answer: Answer, showsHead: boolean) {
  const text = answer.value === undefined ? maskText(answer.text) : maskJson(answer.text);
  return { answer, text, showsHead };
}

function findFailure(judgement: Judgement) {
  const failed = 'The API answered that this failed';
  // Of an operation that svc does not know, what the answer leaves open is the caller's to read.
  if (judgement.thing === 'change') return toVerdictError(judgement, { failed });
  return toVerdictError(judgement, { failed, doubtful: 'The answer contradicts itself' });
}

/** @throws CliError if the answer is not JSON; after a change, its outcome is then unknown. */
function checkIsJson(
  { text, value, status, requestId, headers }: Answer,
  { operation, settling }: Call,
) {
  if (text === '' || value !== undefined) return;

  const type = headers['content-type'] ?? 'no content type';
  const message = `The API answered ${status}, with something that is not JSON (${type}).`;
  const hint = 'Repeat the command without --json.';
  const error = new CliError('unexpected', message, { status, requestId });
  throw changesSomething(operation) ? inDoubt(error, settling) : error.with({ hint });
}

/** @throws CliError `usage` for a body that is no JSON object, and for a key that cannot be sent. */
export function readOrder({ accept: _accept, ...call }: Call) {
  const { body, headers = {} } = call;
  const text = body instanceof Uint8Array ? Buffer.from(body).toString() : toJsonText(body);
  const fields = parseJson(text);
  if (!isObject(fields)) {
    throw usageError(
      'An order is a JSON object.',
      `For example: --field 'items:=[{"planId":"…"}]'`,
    );
  }
  const {
    [IDEMPOTENCY_HEADER.toLowerCase()]: givenKey = asText(fields['idempotencyKey']),
    ...otherHeaders
  } = headers;
  const key = givenKey === undefined ? undefined : parseOrderKey(givenKey, 'The idempotency key');
  const callWith = (bytes: Uint8Array, sentKey: string): Call => ({
    ...call,
    body: bytes,
    // The order says how to settle it, with its key.
    settling: { lines: [] },
    headers: { ...otherHeaders, [IDEMPOTENCY_HEADER]: sentKey },
  });
  return {
    body: text,
    key,
    org: headers[ORG_HEADER.toLowerCase()],
    callWith,
    /** The request as `--dry-run` shows it. */
    preview: callWith(Buffer.from(text), key ?? randomUUID()),
  };
}

/** Places an order as `svc buy` does. */
export async function placeApiOrder(
  order: ReturnType<typeof readOrder>,
  { include, newOrder }: RequestOptions,
  context: Context,
) {
  const org = order.org ?? context.settings.org()?.value;
  const lookUpBuyer = createBuyerLookup(org, context);
  const placed = await placeOrder({ ...order, org, newOrder, lookUpBuyer }, context);
  return { ...placed, value: toShownAnswer(placed.value.answer, include) };
}
