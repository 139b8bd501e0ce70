/** Characters of a request's name that are kept. */
const LONGEST_ID = 200;

/** The service's name for the request, in whichever header it came. */
export function requestIdOf(headers: Readonly<Record<string, string>>): string | undefined {
  const id = headers['x-request-id'] ?? headers['request-id'] ?? headers['x-correlation-id'];
  if (id === undefined || id === '') return undefined;
  return id.length > LONGEST_ID ? `${id.slice(0, LONGEST_ID)}…` : id;
}
