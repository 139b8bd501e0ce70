import type { IncomingMessage } from 'node:http';

/** One request as it arrived, whole. */
export interface WireRecord {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  readonly path: string;
  readonly query: ReadonlyArray<readonly [string, string]>;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  /** The body as text. */
  readonly body: string;
  /** The body as JSON; `undefined` if it is missing or not JSON. */
  readonly json: unknown;
}

/** Reads a request to its end; `undefined` where it is broken off. */
export async function readRequest(incoming: IncomingMessage): Promise<WireRecord | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk);
  } catch {
    return undefined;
  }
  const bytes = Buffer.concat(chunks);
  const target = incoming.url ?? '';
  const [path = '', search = ''] = target.split(/\?(.*)/s);
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
  return {
    method: incoming.method ?? '',
    target,
    path,
    query: [...new URLSearchParams(search)],
    headers,
    bytes,
    body: bytes.toString(),
    json: parsed(bytes.toString()),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
