import { OPERATIONS, type Operation } from '../../spec/operations.ts';

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
