import type { Context } from '../../command/context.ts';
import { parseHeaders } from '../../command/parse/header.ts';
import { usageError } from '../../errors.ts';
import type { Call } from '../../http/call.ts';
import { operationFor } from './documented.ts';
import { readContent } from './request-body.ts';
import { parseTarget } from './target.ts';

/** The methods that a request may have. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;

/** What the command line says about a request. */
export interface RequestOptions {
  /** Path below the base address, or a full URL below it. */
  readonly path: string;
  readonly method?: (typeof METHODS)[number];
  /** `key=value` and `key:=json`. */
  readonly field?: readonly string[];
  /** A file, or `-` for stdin. */
  readonly input?: string;
  /** `Name: value`. */
  readonly header?: readonly string[];
  readonly paginate?: boolean;
}

/** The call that a command line describes. Throws a usage error for whatever could not be sent as it is meant. */
export async function buildCall(context: Context, options: RequestOptions): Promise<Call> {
  const { field = [], input } = options;
  const target = parseTarget(options.path, context.settings.apiUrl().value);
  const headers = parseHeaders(options.header ?? [], '--header');
  const hasContent = field.length > 0 || input !== undefined;
  const method = options.method ?? (hasContent && options.paginate !== true ? 'POST' : 'GET');
  if (options.paginate === true && method !== 'GET') throw usageError('--paginate is for GET requests.');
  const hasContentType = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  const content = await readContent(context, method, { field, input, hasContentType });
  return {
    operation: operationFor(method, target.path, headers),
    path: placeholderValues(context, target.path),
    query: [...target.query, ...content.query],
    body: content.body,
    headers,
    accept: 'anything',
  };
}

/** Values for the `{name}` segments of a path. Throws a usage error for a name that svc does not know. */
function placeholderValues(context: Context, path: string): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    if (name === 'service') values[name] = context.service(undefined);
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
