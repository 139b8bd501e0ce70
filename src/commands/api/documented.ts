import { IDEMPOTENCY_HEADER, OPERATIONS, type Operation } from '../../spec/operations.ts';

/** The documented operation that a method and a path stand for, if any. */
function documentedOperation(method: string, path: string): Operation | undefined {
  return Object.values<Operation>(OPERATIONS).find(
    (operation) => operation.method === method && matches(operation, path),
  );
}

function matches({ path }: Operation, given: string): boolean {
  const pattern = path.split('/');
  const parts = given.replace(/\/$/, '').split('/');
  return (
    pattern.length === parts.length && pattern.every((part, index) => part.startsWith('{') || part === parts[index])
  );
}

/**
 * An operation as `svc api` sends it: the sign-in of the documented one, and a repetition only where nothing can be
 * done twice, which for a purchase depends on its key.
 */
export function operationFor(
  method: Operation['method'],
  path: string,
  headers: Readonly<Record<string, string>>,
): Operation {
  const known = documentedOperation(method, path);
  const hasKey = Object.keys(headers).some((name) => name.toLowerCase() === IDEMPOTENCY_HEADER.toLowerCase());
  return { name: 'api', method, path, credentials: known?.credentials ?? 'token_or_session', retry: retryOf() };

  function retryOf(): Operation['retry'] {
    if (known?.retry === 'scan' || (known?.retry === 'keyed' && hasKey)) return known.retry;
    return method === 'GET' || method === 'HEAD' ? 'read' : 'write';
  }
}

/** What a request is about to do that needs a confirmation; `undefined` for every other one. */
export function questionFor(method: string, path: string): string | undefined {
  const known = documentedOperation(method, path);
  if (known === OPERATIONS.createOrder) return 'This creates an order, which may cost money. Send it?';
  return known === OPERATIONS.stageDomain ? "This stages records for a domain's DNS. Send it?" : undefined;
}
