import { type IncomingHttpHeaders, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../sandbox/server.ts';
import { type FakeClock, fakeClock } from '../support/clock.ts';

/** An answer of the sandbox; `json` is `undefined` if the body is not JSON. */
export interface Visited {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // The tests look into answers of any shape, and fail where something is not there.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly json: any;
}

export interface Visit {
  readonly method?: string;
  /** Sent as they are. Without a `Host`, the sandbox's own is sent. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A value is sent as JSON, with its type; text and bytes as they are. */
  readonly body?: unknown;
}

/** Sends exactly one request, with exactly these headers. Rejects when the connection breaks. */
export function visit(url: string, path: string, { method = 'GET', headers = {}, body }: Visit = {}): Promise<Visited> {
  const { hostname, port, host } = new URL(url);
  const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
  const bytes = isRaw ? body : JSON.stringify(body);
  const sent: Record<string, string> = { Host: host, Connection: 'close' };
  if (!isRaw) sent['Content-Type'] = 'application/json';
  if (bytes !== undefined) sent['Content-Length'] = String(Buffer.byteLength(bytes as string | Buffer));
  const all = { ...sent, ...headers };
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, method, path, headers: all, setHost: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, json: parsed(text) });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(bytes);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A sandbox on a free port that ends with the test, and short ways to ask it. */
export interface Visitor {
  readonly sandbox: Sandbox;
  readonly clock: FakeClock;
  /** Lines of the sandbox's log. */
  readonly lines: string[];
  /** A request without credentials. */
  open(method: string, path: string, body?: unknown, headers?: Visit['headers']): Promise<Visited>;
  /** A request with the sandbox's own token. */
  signedIn(method: string, path: string, body?: unknown, headers?: Visit['headers']): Promise<Visited>;
}

/** Starts a sandbox whose clock stands still until the test moves it. */
export async function visitSandbox(options: SandboxOptions = {}): Promise<Visitor> {
  const clock = fakeClock();
  const lines: string[] = [];
  const sandbox = await startSandbox({ port: 0, clock, log: (line) => lines.push(line), ...options });
  onTestFinished(() => sandbox.close());
  const open: Visitor['open'] = (method, path, body, headers) =>
    visit(sandbox.url, path, { method, body, ...(headers && { headers }) });
  return {
    sandbox,
    clock,
    lines,
    open,
    signedIn: (method, path, body, headers) =>
      open(method, path, body, { Authorization: `Bearer ${sandbox.token}`, ...headers }),
  };
}
