import { OPERATIONS, type Operation } from '../../contract/operations.ts';
import { unicodePattern } from '../../once.ts';

/**
 * Finds the documented operation that a request may reach, however its path is spelled.
 * @param pathname includes the path of the base address
 */
export function documentedOperation(method: string, pathname: string): Operation | undefined {
  const spellings = readingsOf(pathname);
  return Object.values<Operation>(OPERATIONS).find((operation) => {
    return operation.method === method && spellings.some((path) => endsLike(path, operation.path));
  });
}

/** `{parameters}` match anything. */
function endsLike(path: string, documented: string): boolean {
  const pieces = documented.split(/\{\w+\}/);
  let end = path.length + 1;
  for (const [index, piece] of [...pieces.entries()].reverse()) {
    const isLast = index === pieces.length - 1;
    const start = isLast
      ? path.length - piece.length
      : path.lastIndexOf(piece, end - piece.length - 1);
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
    .map((part) => withoutInvisible(part.replace(/[;?#].*$/s, '')))
    .map((part) =>
      /^\.+$/.test(part) ? part : part.replace(/\.[a-z]{1,5}$/, '').replace(/(?<!\.)\.+$/, ''),
    )
    .filter((part) => part !== '' && part !== '.');
  const resolved: string[] = [];
  for (const part of parts) {
    if (part === '..') resolved.pop();
    else resolved.push(part);
  }
  return [parts, resolved].map((path) => `/${path.join('/')}`);
}

const invisible = unicodePattern(
  '[^\\x21-\\x7e\\u00a1-\\uffff]|\\p{Default_Ignorable_Code_Point}',
  'gu',
);

/**
 * Removes what a server may overlook in a path: controls, spaces, and characters that have no
 * picture.
 */
function withoutInvisible(text: string): string {
  return text.replace(invisible(), '');
}

function decoded(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  const unescaped = bytes.replace(/%[0-9a-f]{2}/gi, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
  const next = Buffer.from(unescaped, 'latin1').toString('utf8');
  return next === text ? text : decoded(next);
}

/**
 * Takes the name and the credentials of the documented operation, and its retry rule if repeating
 * is safe.
 */
export function operationFor(
  method: Operation['method'],
  path: string,
  known: Operation | undefined,
): Operation {
  const retry = method === 'GET' || method === 'HEAD' ? 'read' : 'write';
  const isRepeatable = known?.retry === 'scan' || known?.retry === 'keyed';
  return {
    name: known?.name ?? 'api',
    method,
    path,
    credentials: known?.credentials ?? 'token_or_session',
    retry: isRepeatable ? known.retry : retry,
  };
}
