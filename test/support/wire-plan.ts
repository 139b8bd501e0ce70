import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { WireRecord } from './wire-record.ts';

/** A body that is not text or bytes is sent as JSON. */
export type WireBody = unknown;
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

/** What happens to the next matching requests: each call plans one more exchange, used in the order planned. */
export interface WirePlan {
  reply(status: number, body?: WireBody, headers?: WireHeaders): WirePlan;
  /** Answers every further request alike; at least one must come. */
  always(status: number, body?: WireBody, headers?: WireHeaders): WirePlan;
  /** Answers every further request alike, if any comes. */
  maybe(status: number, body?: WireBody, headers?: WireHeaders): WirePlan;
  /** Decides when the request is there. */
  answer(decide: (request: WireRecord) => { status: number; body?: WireBody; headers?: WireHeaders }): WirePlan;
  /** The connection is reset before any byte of an answer. */
  reset(): WirePlan;
  /** The connection is closed in good order before any byte of an answer. */
  hangUp(): WirePlan;
  /** A head that promises the whole body, `keep` bytes of it, then the end of the connection; `chunked` makes it a chunked body. */
  cut(status: number, body: WireBody, keep: number, options?: { chunked?: boolean; headers?: WireHeaders }): WirePlan;
  /** Exactly these bytes, then the end of the connection. */
  raw(bytes: string | Uint8Array): WirePlan;
  /** No answer; the connection stays open. */
  hang(): WirePlan;
  /** A whole head, then one byte of the body every `everyMs`. */
  drip(status: number, body: WireBody, everyMs: number): WirePlan;
  /** Anything else, on the response or its socket; `repeats` does it to every further request. */
  act(act: (exchange: Exchange) => void | Promise<void>, repeats?: boolean): WirePlan;
}

/** One exchange that is to happen. */
export interface Planned {
  readonly method: string;
  readonly path: string;
  readonly act: Act;
  readonly repeats: boolean;
  used: boolean;
}

/** The plan for a method and a path; what it plans is added to the list. */
export function planFor(method: string, path: string, planned: Planned[]): WirePlan {
  const add = (act: Act, repeats = false, used = false): WirePlan => {
    planned.push({ method, path, act, repeats, used });
    return plan;
  };
  const plan: WirePlan = {
    reply: (status, body, headers) => add(({ response }) => send(response, status, body, headers)),
    always: (status, body, headers) => add(({ response }) => send(response, status, body, headers), true),
    maybe: (status, body, headers) => add(({ response }) => send(response, status, body, headers), true, true),
    answer: (decide) =>
      add(({ request, response }) => {
        const { status, body, headers } = decide(request);
        send(response, status, body, headers);
      }),
    reset: () => add(({ socket }) => resetConnection(socket)),
    hangUp: () => add(({ socket }) => void socket.end()),
    cut: (status, body, keep, options = {}) =>
      add(({ response, socket }) => {
        const bytes = bytesOf(body);
        const headers = { 'content-type': 'application/json', ...options.headers };
        response.writeHead(status, options.chunked ? headers : { ...headers, 'content-length': String(bytes.length) });
        response.flushHeaders();
        // An end rather than a reset: a reset may overtake the bytes that were sent before it.
        response.write(bytes.subarray(0, keep), () => socket.end());
      }),
    raw: (bytes) => add(({ socket }) => void socket.end(Buffer.from(bytes))),
    hang: () => add(() => {}),
    drip: (status, body, everyMs) => add(({ response }) => drip(response, status, bytesOf(body), everyMs)),
    act: add,
  };
  return plan;
}

/** Sends a whole answer. */
export function send(response: ServerResponse, status: number, body?: WireBody, headers: WireHeaders = {}): void {
  if (body === undefined) {
    response.writeHead(status, { ...headers }).end();
    return;
  }
  const bytes = bytesOf(body);
  const plain = { 'content-type': 'application/json', 'content-length': String(bytes.length) };
  response.writeHead(status, { ...plain, ...headers }).end(bytes);
}

function drip(response: ServerResponse, status: number, bytes: Buffer, everyMs: number): void {
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': String(bytes.length) });
  let sent = 0;
  const timer = setInterval(() => {
    if (sent < bytes.length) response.write(bytes.subarray(sent, sent + 1));
    else response.end();
    sent += 1;
    if (sent > bytes.length) clearInterval(timer);
  }, everyMs);
  response.on('close', () => clearInterval(timer));
}

function bytesOf(body: WireBody): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Breaks the connection with a TCP reset; under TLS, that of the connection below. */
export function resetConnection(socket: Socket): void {
  const below = (socket as Socket & { _parent?: Socket })._parent ?? socket;
  below.resetAndDestroy();
}
