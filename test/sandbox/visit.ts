import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { type SandboxOptions, startSandbox } from '../../sandbox/server.ts';
import { fakeClock } from '../support/clock.ts';

interface Visited {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape, and fail where something is missing
  readonly json: any;
}

interface Visit {
  readonly method?: string;
  /** Sent as they are. Without a `Host`, the sandbox's own is sent. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A value is sent as JSON, with its type; text as it is. */
  readonly body?: unknown;
}

/** Sends exactly one request, with exactly these headers. Rejects when the connection breaks. */
export function visit(
  url: string,
  path: string,
  { method = 'GET', headers = {}, body }: Visit = {},
): Promise<Visited> {
  const { hostname, port, host } = new URL(url);
  const isText = body === undefined || typeof body === 'string';
  const bytes = isText ? body : JSON.stringify(body);
  const sent: Record<string, string> = { Host: host, Connection: 'close' };
  if (!isText) sent['Content-Type'] = 'application/json';
  if (bytes !== undefined) sent['Content-Length'] = String(Buffer.byteLength(bytes));
  const all = { ...sent, ...headers };
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { hostname, port, method, path, headers: all, setHost: false },
      async (incoming) => {
        const whole = await text(incoming).catch(reject);
        if (whole === undefined) return;
        const { statusCode = 0, headers } = incoming;
        resolve({ status: statusCode, headers, text: whole, json: parsed(whole) });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

export type Visitor = Awaited<ReturnType<typeof visitSandbox>>;

/**
 * Starts a sandbox that ends with the test, and whose clock loginState still until the test moves it.
 */
export async function visitSandbox(options: SandboxOptions = {}) {
  const clock = fakeClock();
  const lines: string[] = [];
  const sandbox = await startSandbox({
    port: 0,
    clock,
    log: (line) => lines.push(line),
    ...options,
  });
  onTestFinished(() => sandbox.close());
  const open = (method: string, path: string, body?: unknown, headers: Visit['headers'] = {}) =>
    visit(sandbox.url, path, { method, body, headers });
  const own = { Authorization: `Bearer ${sandbox.token}` };
  return {
    sandbox,
    clock,
    /** The sandbox's log. */
    lines,
    /** A request without credentials. */
    open,
    /** A request with the sandbox's own token. */
    signedIn: (method: string, path: string, body?: unknown, headers: Visit['headers'] = {}) =>
      open(method, path, body, { ...own, ...headers }),
  };
}
