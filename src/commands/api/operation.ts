import { OPERATIONS, type Operation } from '../../contract/operations.ts';
import { unicodePattern } from '../../once.ts';

/**
 * Finds the documented operation that a request may reach, however its path is spelled.
 * @param pathname includes the path of the base address
 */
export function findDocumentedOperation(method: string, pathname: string): Operation | undefined {
  const spellings = listReadings(pathname);
  return Object.values<Operation>(OPERATIONS).find((operation) => {
    return operation.method === method && spellings.some((path) => endsLike(path, operation.path));
  });
}

/** Says whether a path ends as a documented one; its `{parameters}` match anything. */
function endsLike(path: string, documented: string) {
  const [last = '', ...piecesBefore] = documented.split(/\{\w+\}/).reverse();
  if (!path.endsWith(last)) return false;

  let start = path.length - last.length;
  for (const piece of piecesBefore) {
    start = path.lastIndexOf(piece, start - piece.length - 1);
    if (start < 0) return false;
  }
  return true;
}

/** Reads a path as lenient servers do: once with `..` as a plain name, and once resolved. */
function listReadings(pathname: string) {
  const parts = decode(pathname)
    .normalize('NFKC')
    .toLowerCase()
    .split(/[/\\]/)
    .map(normalizePart)
    .filter((part) => part !== '' && part !== '.');

  const resolved: string[] = [];
  for (const part of parts) {
    if (part === '..') resolved.pop();
    else resolved.push(part);
  }
  return [parts, resolved].map((path) => `/${path.join('/')}`);
}

/** Removes what a server may overlook: parameters, an ending, and what cannot be seen. */
function normalizePart(part: string) {
  const visible = part.replace(/[;?#].*$/s, '').replace(invisible(), '');
  if (/^\.+$/.test(visible)) return visible;
  return visible.replace(/\.[a-z]{1,5}$/, '').replace(/(?<!\.)\.+$/, '');
}

/** Controls, spaces, and characters that have no picture. */
const invisible = unicodePattern(
  '[^\\x21-\\x7e\\u00a1-\\uffff]|\\p{Default_Ignorable_Code_Point}',
  'gu',
);

/** Decodes percent escapes, those inside others too. */
function decode(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  const unescaped = bytes.replace(/%[0-9a-f]{2}/gi, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
  const next = Buffer.from(unescaped, 'latin1').toString('utf8');
  return next === text ? text : decode(next);
}

/** Creates an operation with the name, the credentials and the retry rule of the documented one. */
export function createOperation(
  method: Operation['method'],
  path: string,
  {
    name = 'api',
    credentials = 'token_or_session',
    retry = method === 'GET' || method === 'HEAD' ? 'read' : 'write',
  }: Partial<Operation> = {},
): Operation {
  return { name, method, path, credentials, retry };
}
