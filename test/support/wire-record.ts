import type { IncomingMessage } from 'node:http';
import { parseJson } from '../../src/json/values.ts';

/** One request as it arrived, whole. */
export type WireRecord = NonNullable<Awaited<ReturnType<typeof readRequest>>>;

/**
 * Reads a request to its end; `undefined` where it is broken off. Headers have lower-case names.
 */
export async function readRequest(incoming: IncomingMessage) {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk);
  } catch {
    return undefined;
  }
  const bytes = Buffer.concat(chunks);
  const { method = '', url: target = '' } = incoming;
  const [path = '', search = ''] = target.split(/\?(.*)/s);
  const headers = Object.entries(incoming.headers).map(([name, value]) => [
    name,
    [value].flat().join(', '),
  ]);
  return {
    method,
    /** Path and query, as sent. */
    target,
    path,
    query: [...new URLSearchParams(search)],
    headers: Object.fromEntries(headers) as Readonly<Record<string, string>>,
    bytes,
    body: bytes.toString(),
    /** `undefined` if the body is missing or not JSON. */
    json: parseJson(bytes.toString()),
  };
}
