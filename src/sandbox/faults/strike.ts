import type { ServerResponse } from 'node:http';
import type { Reply } from '../route.ts';
import { jsonHeaders } from '../web/answer.ts';
import type { Fault } from './rule.ts';

/** The answer of a status fault; `undefined` for faults of another kind. */
export function statusReply({ effect }: Fault): Reply | undefined {
  if (effect.kind !== 'status') return undefined;
  const { status, error, retryAfterSeconds } = effect;
  return {
    status,
    body: { error: error ?? `This ${status} is a fault that was asked for.` },
    headers: retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) },
  };
}

/** Whether the fault keeps the request from being worked on. */
export function comesBeforeWork({ effect }: Fault): boolean {
  return (effect.kind === 'status' || effect.kind === 'drop') && !effect.afterWork;
}

/** Breaks the connection without an answer. */
export function drop(outgoing: ServerResponse): void {
  outgoing.socket?.destroy();
}

/** Sends the head of an answer as it should be, half of the body, and then breaks the connection. */
export function sendCut(outgoing: ServerResponse, reply: Reply, now: number): void {
  const bytes = Buffer.from(JSON.stringify(reply.body));
  outgoing.writeHead(reply.status, { ...jsonHeaders(reply, now), 'Content-Length': bytes.length });
  outgoing.write(bytes.subarray(0, bytes.length >> 1), () => drop(outgoing));
}

/** The same answer with a body that is not JSON. */
export function damaged(response: Response): Response {
  return new Response('{"this is": not JSON\u0000', { status: response.status, headers: response.headers });
}
