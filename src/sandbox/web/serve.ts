import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Parts } from '../parts.ts';
import { jsonHeaders, refusalReply } from './answer.ts';
import { refusalOf } from './guard.ts';
import type { SandboxApp } from './hono.ts';
import type { Refusal } from './refusal.ts';

/** Guards every request of the server, and hands those that pass to the app. */
export function serve(server: Server, port: number, app: SandboxApp, parts: Parts): void {
  const answer = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    errorHandler: () => new Response(null, { status: 400 }),
  });
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const refusal = refusalOf(incoming, port);
    if (refusal === undefined) void answer(incoming, outgoing);
    else refuse(outgoing, refusal, parts);
  });
}

function refuse(outgoing: ServerResponse, refusal: Refusal, { clock, log }: Parts): void {
  const reply = refusalReply(refusal);
  log(`refused with ${reply.status}: ${refusal.message}`);
  outgoing.writeHead(reply.status, jsonHeaders(reply, clock.now())).end(JSON.stringify(reply.body));
}
