import type { Context } from '../../command/context.ts';
import { flag, list, option, type Values } from '../../command/parameters.ts';
import { parseChoice } from '../../command/parse/choice.ts';
import { parseHeaders } from '../../command/parse/header.ts';
import { usageError } from '../../errors.ts';
import type { Call } from '../../http/call.ts';
import { buildUrl } from '../../http/request.ts';
import { IDEMPOTENCY_HEADER, OPERATIONS, type Operation } from '../../spec/operations.ts';
import { documentedOperation, operationFor } from './documented.ts';
import { keyOf, type OrderKey } from './order.ts';
import { readContent } from './request-body.ts';
import { parseTarget } from './target.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

/** The options of `svc api`. */
export const OPTIONS = {
  method: option(
    'method',
    'HTTP method (default: GET, or POST with a body)',
    (text, field) => parseChoice(text.toUpperCase(), field, METHODS),
    { short: 'X', choices: METHODS },
  ),
  field: list('key=value', 'field of the body, or of the query for GET; key:=json for anything but text'),
  input: option('file', 'send this file as the body; - is standard input', undefined, { offer: 'files' }),
  header: list('header', "a header, as in 'Name: value'; may be repeated", { short: 'H' }),
  include: flag('show the status and the headers of the answer first'),
  paginate: flag('follow the pages (Link header, next, nextCursor): the first page, its list extended by the others'),
  dryRun: flag('show the request without sending it'),
};

/** What the command line says about a request. */
type RequestOptions = Pick<Values<typeof OPTIONS>, 'method' | 'field' | 'input' | 'header' | 'paginate'> & {
  /** Path below the base address, or a full URL below it. */
  readonly path: string;
};

/** What a command line asks for. */
export interface Request {
  readonly call: Call;
  /** The documented operation that it reaches, if any. */
  readonly known: Operation | undefined;
  /** The key that it carries if it is an order. */
  readonly orderKey: OrderKey | undefined;
}

/** The request that a command line describes. Throws a usage error for whatever could not be sent as it is meant. */
export async function buildRequest(context: Context, options: RequestOptions): Promise<Request> {
  const { field, input, paginate } = options;
  const baseUrl = context.settings.apiUrl().value;
  const target = parseTarget(options.path, baseUrl);
  const given = parseHeaders(options.header, '--header');
  const hasContent = field.length > 0 || input !== undefined;
  const method = options.method ?? (hasContent && !paginate ? 'POST' : 'GET');
  if (paginate && method !== 'GET') throw usageError('--paginate is for GET requests.');
  const path = placeholderValues(context, target.path);
  const known = reached(baseUrl, method, target.path, path);
  const hasContentType = Object.keys(given).some((name) => name.toLowerCase() === 'content-type');
  const content = await readContent(context, method, { field, input, hasContentType });
  const orderKey = known === OPERATIONS.createOrder ? keyOf(given, content.body) : undefined;
  const call: Call = {
    operation: operationFor(method, target.path, known),
    path,
    query: [...target.query, ...content.query],
    body: content.body,
    headers: orderKey?.isGiven === false ? { ...given, [IDEMPOTENCY_HEADER]: orderKey.key } : given,
    accept: 'anything',
  };
  return { call, known, orderKey };
}

/** The documented operation behind a path. Throws a usage error for the device login, whose answers are secrets. */
function reached(baseUrl: string, method: Operation['method'], path: string, values: NonNullable<Call['path']>) {
  const { pathname } = buildUrl(baseUrl, { operation: operationFor(method, path, undefined), path: values });
  const known = documentedOperation(method, pathname);
  if (known?.credentials !== 'none') return known;
  throw usageError(
    'svc api does not send the requests of a login: their answers hold a device code, and a token that is returned only once.',
    'svc login',
  );
}

/** Values for the `{name}` segments of a path. Throws a usage error for a name that svc does not know. */
function placeholderValues(context: Context, path: string): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    if (name === 'service') values[name] = context.settings.serviceId(undefined);
    else if (name === 'org') values[name] = organization(context);
    else throw usageError(`{${name}} in the path stands for nothing.`, '{service}, {org}, or the value itself');
  }
  return values;
}

function organization({ settings }: Context): string {
  const org = settings.org()?.value;
  if (org === undefined) throw usageError('No organization is named for {org}.', '--org <id|slug>');
  return org;
}
