import { shellWord } from '../../command/next.ts';
import { asCliError } from '../../command/report.ts';
import { CliError } from '../../errors.ts';
import { toJsonText } from '../../json/raw-json.ts';
import { asObject, asText, parseJson } from '../../json/values.ts';
import { IDEMPOTENCY_HEADER, OPERATIONS, type Operation } from '../../spec/operations.ts';
import { newKey } from '../../vault/purchases/record.ts';

/**
 * The documented operation that a request may reach, however its path is spelled: escaped (even twice), in other letters,
 * with dots or empty parts, or behind a base address that ends in a part of it.
 * @param pathname the whole path of the request, base address included
 */
export function documentedOperation(method: string, pathname: string): Operation | undefined {
  const spellings = readingsOf(pathname);
  return Object.values<Operation>(OPERATIONS).find((operation) => {
    return operation.method === method && spellings.some((path) => endsLike(path, operation.path));
  });
}

/** Whether a path ends as a documented one does, with anything in place of its `{parameters}`. */
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

/** An operation as `svc api` sends it: with the sign-in of the documented one, and repeated only where that is safe. */
export function operationFor(method: Operation['method'], path: string, known: Operation | undefined): Operation {
  const retry = method === 'GET' || method === 'HEAD' ? 'read' : 'write';
  const isSafe = known?.retry === 'scan' || known?.retry === 'keyed';
  return {
    name: 'api',
    method,
    path,
    credentials: known?.credentials ?? 'token_or_session',
    retry: isSafe ? known.retry : retry,
  };
}

/** What a request is about to do that needs a confirmation; `undefined` for every other one. */
export function questionFor(known: Operation | undefined): string | undefined {
  if (known === OPERATIONS.createOrder) return 'This creates an order, which may cost money. Send it?';
  return known === OPERATIONS.stageDomain ? "This stages records for a domain's DNS. Send it?" : undefined;
}

/** The path as a lenient server reads it: once with `..` as the name of a part, and once resolved. */
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

/** The text without percent escapes, and without those that appear when they are gone. */
function decoded(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  const unescaped = bytes.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  const next = Buffer.from(unescaped, 'latin1').toString('utf8');
  return next === text ? text : decoded(next);
}

/** The idempotency key of an order that is sent by `svc api`. */
export interface OrderKey {
  readonly key: string;
  /** Whether the command line has it already, in a header or in the body. */
  readonly isGiven: boolean;
}

/** The key that an order carries, and a new one if it carries none. */
export function keyOf(headers: Readonly<Record<string, string>>, body: unknown): OrderKey {
  const name = Object.keys(headers).find((header) => header.toLowerCase() === IDEMPOTENCY_HEADER.toLowerCase());
  const given = name === undefined ? keyIn(body) : headers[name];
  return { key: given ?? newKey(), isGiven: given !== undefined };
}

function keyIn(body: unknown): string | undefined {
  const text = Buffer.isBuffer(body) ? body.toString('utf8') : toJsonText(body);
  return asText(asObject(parseJson(text))['idempotencyKey']);
}

/** The error of an order with its key; if the order may exist, it says how to send it again without ordering twice. */
export function orderError(thrown: unknown, { key, isGiven }: OrderKey): CliError {
  const error = thrown instanceof CliError ? thrown : inDoubt(asCliError(thrown));
  const { outcome, lines = [] } = error.details;
  if (outcome !== 'unknown') return error.with({ idempotencyKey: key });
  const header = shellWord(`${IDEMPOTENCY_HEADER}: ${key}`);
  return error.with({
    idempotencyKey: key,
    lines: [...lines, 'The order may exist. If the service honours this key, repeating it does not order twice:', key],
    hint: isGiven ? 'the same command again: it carries the key' : `the same command with -H ${header}`,
  });
}

/** What svc did not expect may have happened after the order was sent. */
function inDoubt({ message, details }: CliError): CliError {
  return new CliError('unavailable', message, { ...details, outcome: 'unknown' });
}
