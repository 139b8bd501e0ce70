import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Parts } from '../parts.ts';
import { jsonHeaders, refusalReply } from './answer.ts';
import type { SandboxApp } from './hono.ts';
import { Refusal } from './refusal.ts';

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

/**
 * What speaks against a request before it is looked at: an address that is not this sandbox's own (a DNS name that
 * points here), or a page of another site that made a browser send it.
 */
function refusalOf(incoming: IncomingMessage, port: number): Refusal | undefined {
  const hosts = ownHosts(port);
  const host = incoming.headers.host?.toLowerCase() ?? '';
  if (!incoming.url?.startsWith('/')) return new Refusal(421, 'The request target must be a path.');
  if (!hosts.includes(host) || countOf(incoming, 'host') !== 1) {
    return new Refusal(421, `This is ${hosts[0]}; the request was for another host.`);
  }
  const { origin } = incoming.headers;
  if (origin !== undefined && !hosts.some((own) => origin === `http://${own}`)) {
    return new Refusal(403, 'Requests from pages of other origins are refused.');
  }
  const site = incoming.headers['sec-fetch-site'] ?? 'none';
  if (site !== 'none' && site !== 'same-origin') {
    return new Refusal(403, 'Requests from other sites are refused. Open the address yourself.');
  }
  return undefined;
}

function ownHosts(port: number): readonly string[] {
  const names = ['127.0.0.1', 'localhost', '[::1]'];
  return port === 80 ? [...names, ...names.map((name) => `${name}:80`)] : names.map((name) => `${name}:${port}`);
}

/** How often a header came. Node keeps only the first `Host`; two of them are an attempt to confuse. */
function countOf(incoming: IncomingMessage, name: string): number {
  return incoming.rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}
