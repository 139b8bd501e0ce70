import { asCliError } from '../../command/report.ts';
import { CliError } from '../../errors.ts';
import { toJsonText } from '../../json/raw-json.ts';
import { asObject, asText, parseJson } from '../../json/values.ts';
import { shellWord } from '../../shell-line.ts';
import { IDEMPOTENCY_HEADER, OPERATIONS, type Operation } from '../../spec/operations.ts';
import { newKey } from '../../vault/purchases/record.ts';

/**
 * Finds the documented operation that a request may reach, however its path is spelled: escaped (even twice), in other
 * letters, with dots or empty parts, or behind a base address that ends in a part of it.
 * @param pathname includes the path of the base address
 */
export function documentedOperation(method: string, pathname: string): Operation | undefined {
  const spellings = readingsOf(pathname);
  return Object.values<Operation>(OPERATIONS).find((operation) => {
    return operation.method === method && spellings.some((path) => endsLike(path, operation.path));
  });
}

/** Compares the end of a path with a documented one, whose `{parameters}` match anything. */
function endsLike(path: string, documented: string): boolean {
  const pieces = documented.split(/\{\w+\}/);
  let end = path.length + 1;
  for (const [index, piece] of [...pieces.entries()].reverse()) {
    const isLast = index === pieces.length - 1;
    const start = isLast ? path.length - piece.length : path.lastIndexOf(piece, end - piece.length - 1);
    if (start < 0 || !path.startsWith(piece, start)) return false;
    end = start;
  }
  return true;
}

/** Reads a path as lenient servers do: once with `..` as a plain name, and once resolved. */
function readingsOf(pathname: string): readonly string[] {
  const parts = decoded(pathname)
    .normalize('NFKC')
    .toLowerCase()
    .split(/[/\\]/)
    .map((part) => part.replace(/[;?#].*$/s, '').replace(/[^\x21-\x7e\u00a1-\uffff]/g, ''))
    .map((part) => (/^\.+$/.test(part) ? part : part.replace(/(?<!\.)\.+$/, '')))
    .filter((part) => part !== '' && part !== '.');
  const resolved: string[] = [];
  for (const part of parts) {
    if (part === '..') resolved.pop();
    else resolved.push(part);
  }
  return [parts, resolved].map((path) => `/${path.join('/')}`);
}

/** Removes percent escapes until none are left. */
function decoded(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  const unescaped = bytes.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  const next = Buffer.from(unescaped, 'latin1').toString('utf8');
  return next === text ? text : decoded(next);
}

/** Takes the credentials of the documented operation, and its retry rule if repeating is safe. */
export function operationFor(method: Operation['method'], path: string, known: Operation | undefined): Operation {
  const retry = method === 'GET' || method === 'HEAD' ? 'read' : 'write';
  const isRepeatable = known?.retry === 'scan' || known?.retry === 'keyed';
  return {
    name: 'api',
    method,
    path,
    credentials: known?.credentials ?? 'token_or_session',
    retry: isRepeatable ? known.retry : retry,
  };
}

/** Returns the question that an operation must be confirmed with, if any. */
export function questionFor(known: Operation | undefined): string | undefined {
  if (known === OPERATIONS.createOrder) return 'This creates an order, which may cost money. Send it?';
  return known === OPERATIONS.stageDomain ? "This stages records for a domain's DNS. Send it?" : undefined;
}

/** The idempotency key of an order. */
export interface OrderKey {
  readonly key: string;
  /** False for a key that svc made. */
  readonly isGiven: boolean;
}

/** Finds the key of an order in its headers or body, or makes one. */
export function keyOf(headers: Readonly<Record<string, string>>, body: unknown): OrderKey {
  const name = Object.keys(headers).find((header) => header.toLowerCase() === IDEMPOTENCY_HEADER.toLowerCase());
  const text = Buffer.isBuffer(body) ? body.toString('utf8') : toJsonText(body);
  const given = name === undefined ? asText(asObject(parseJson(text))['idempotencyKey']) : headers[name];
  return { key: given ?? newKey(), isGiven: given !== undefined };
}

/** Adds the key to the error of an order. If the order may exist, tells how to repeat it without ordering twice. */
export function orderError(thrown: unknown, { key, isGiven }: OrderKey): CliError {
  const error = thrown instanceof CliError ? thrown : inDoubt(asCliError(thrown));
  if (error.details.outcome !== 'unknown') return error.with({ idempotencyKey: key });
  const header = shellWord(`${IDEMPOTENCY_HEADER}: ${key}`);
  const hint = isGiven ? 'Repeat the command: it carries the key.' : `Repeat the command with -H ${header}`;
  return error
    .withLines('The order may exist. If the service honours this key, repeating it does not order twice:', key)
    .with({ idempotencyKey: key, hint });
}

/** An error that svc did not expect may have happened after the order was sent. */
function inDoubt({ message, details }: CliError): CliError {
  return new CliError('unavailable', message, { ...details, outcome: 'unknown' });
}
