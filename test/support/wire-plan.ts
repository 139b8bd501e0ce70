import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { WireRecord } from './wire-record.ts';

/** Lower-case names; a list sends the header several times. */
export type WireHeaders = Readonly<Record<string, string | string[]>>;
/** What is done to a request. */
export type Act = (exchange: Exchange) => void | Promise<void>;

/** A request with the means to answer it. */
export interface Exchange {
  readonly request: WireRecord;
  readonly response: ServerResponse;
  readonly socket: Socket;
}

/** One exchange that is to happen. */
export interface Planned {
  readonly method: string;
  readonly path: string;
  readonly act: Act;
  readonly repeats: boolean;
  used: boolean;
}

/**
 * What happens to the next matching requests: each call plans one more exchange, used in the order
 * planned. A body that is not text or bytes is sent as JSON.
 */
export class WirePlan {
  readonly #method: string;
  readonly #path: string;
  readonly #planned: Planned[];

  constructor(method: string, path: string, planned: Planned[]) {
    this.#method = method;
    this.#path = path;
    this.#planned = planned;
  }

  /** Anything; `repeats` does it to every further request, of which one must come unless `used`. */
  act(act: Act, repeats = false, used = false): this {
    this.#planned.push({ method: this.#method, path: this.#path, act, repeats, used });
    return this;
  }

  reply(status: number, body?: unknown, headers?: WireHeaders): this {
    return this.act(({ response }) => send(response, status, body, headers));
  }

  /** Answers every further request alike; at least one must come. */
  always(status: number, body?: unknown, headers?: WireHeaders): this {
    return this.act(({ response }) => send(response, status, body, headers), true);
  }

  /** Answers every further request alike, if any comes. */
  maybe(status: number, body?: unknown, headers?: WireHeaders): this {
    return this.act(({ response }) => send(response, status, body, headers), true, true);
  }

  /** The connection is reset before any byte of an answer. */
  reset(): this {
    return this.act(({ socket }) => resetConnection(socket));
  }

  /** The connection is closed in good order before any byte of an answer. */
  hangUp(): this {
    return this.act(({ socket }) => void socket.end());
  }

  /** A head that promises the whole body, `keep` bytes of it, then the end of the connection. */
  cut(
    status: number,
    body: unknown,
    keep: number,
    options: { chunked?: boolean; headers?: WireHeaders } = {},
  ): this {
    return this.act(({ response, socket }) => {
      const bytes = bytesOf(body);
      const headers = { 'content-type': 'application/json', ...options.headers };
      response.writeHead(
        status,
        options.chunked ? headers : { ...headers, 'content-length': String(bytes.length) },
      );
      response.flushHeaders();
      // An end rather than a reset: a reset may overtake the bytes that were sent before it.
      response.write(bytes.subarray(0, keep), () => socket.end());
    });
  }

  /** Exactly these bytes, then the end of the connection. */
  raw(bytes: string | Uint8Array): this {
    return this.act(({ socket }) => void socket.end(Buffer.from(bytes)));
  }

  /** No answer; the connection stays open. */
  hang(): this {
    return this.act(() => {});
  }

  /** A whole head, then one byte of the body every `everyMs`. */
  drip(status: number, body: unknown, everyMs: number): this {
    return this.act(({ response }) => {
      const bytes = bytesOf(body);
      response.writeHead(status, {
        'content-type': 'application/json',
        'content-length': String(bytes.length),
      });
      let sent = 0;
      const timer = setInterval(() => {
        if (sent === bytes.length) return void response.end();
        response.write(bytes.subarray(sent, sent + 1));
        sent += 1;
      }, everyMs);
      response.on('close', () => clearInterval(timer));
    });
  }
}

/** Sends a whole answer. */
export function send(
  response: ServerResponse,
  status: number,
  body?: unknown,
  headers: WireHeaders = {},
): void {
  if (body === undefined) return void response.writeHead(status, { ...headers }).end();
  const bytes = bytesOf(body);
  const plain = { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  response.writeHead(status, { ...plain, ...headers }).end(bytes);
}

function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Breaks the connection with a TCP reset; under TLS, that of the connection below. */
export function resetConnection(socket: Socket): void {
  const below = (socket as Socket & { _parent?: Socket })._parent ?? socket;
  below.resetAndDestroy();
}
