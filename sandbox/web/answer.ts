import type { Reply } from '../route.ts';
import { newId } from '../secrets.ts';
import { Refusal } from './refusal.ts';

/** The headers of every answer: it must not be cached, sniffed, framed or read by another site. */
export function commonHeaders(now: number): Record<string, string> {
  return {
    'Cache-Control': 'no-store',
    'Cross-Origin-Resource-Policy': 'same-origin',
    Date: new Date(now).toUTCString(),
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'X-Request-Id': newId('req'),
  };
}

/** Returns the headers of a reply. `now` is in milliseconds since the epoch. */
export function jsonHeaders(reply: Reply, now: number): Record<string, string> {
  return { ...commonHeaders(now), 'Content-Type': 'application/json', ...reply.headers };
}

/** Makes the HTTP response of a reply. `now` is in milliseconds since the epoch. */
export function jsonResponse(reply: Reply, now: number): Response {
  return new Response(JSON.stringify(reply.body), {
    status: reply.status,
    headers: jsonHeaders(reply, now),
  });
}

/** Turns a refusal into its answer and any other error into a 500, which only the log explains. */
export function errorReply(error: unknown, log: (line: string) => void): Reply {
  if (error instanceof Refusal) return refusalReply(error);
  const reason = error instanceof Error ? error.message : String(error);
  log(`failed: ${reason}`);
  return { status: 500, body: { error: 'The sandbox failed; the reason is in its log.' } };
}

/** Returns the reply of a refusal. */
export function refusalReply({ status, error, headers }: Refusal): Reply {
  return { status, body: { error }, headers };
}
