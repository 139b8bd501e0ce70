import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { stateless } from '../support/mcp.ts';

const BUY = ['buy', { plan: 'plan_wp_pro', network: 'mtn', phone: '+237670000042' }] as const;

/** The suite calls tools by names of its own; these calls of svc do what it expects of them. */
const CALLS: Readonly<Record<string, readonly [name: string, args: object]>> = {
  test_simple_text: ['whoami', {}],
  test_error_handling: ['db_inspect', { database: 'db_unknown' }],
  test_tool_with_progress: ['wp_run', { action: 'cache.flush', wait: true }],
  test_elicitation: BUY,
  test_input_required_result_elicitation: BUY,
  test_input_required_result_request_state: BUY,
  test_input_required_result_tampered_state: BUY,
};

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly name?: string };
  readonly error?: { readonly code: number };
}

/** A connection to one svc, whose messages leave as the body of the request that they belong to. */
function connection(command: readonly string[], env: NodeJS.ProcessEnv) {
  const [file = '', ...words] = command;
  const server = spawn(file, words, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void server.stdin.end());
  const write = (message: object) => void server.stdin.write(`${JSON.stringify(message)}\n`);
  const open = new Map<number, { readonly id: Message['id']; readonly response: ServerResponse }>();
  let last = 0;
  createInterface({ input: server.stdout }).on('line', (line) => {
    const message: Message = JSON.parse(line);
    const asked =
      message.method === undefined ? open.get(Number(message.id)) : [...open.values()].at(-1);
    if (asked === undefined) return;
    const { id, response } = asked;
    const own = JSON.stringify(message.method === undefined ? { ...message, id } : message);
    if (message.method === undefined) open.delete(Number(message.id));
    if (message.error !== undefined && !response.headersSent) {
      response
        .writeHead(message.error.code === -32601 ? 404 : 400, {
          'content-type': 'application/json',
        })
        .end(own);
      return;
    }
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`event: message\ndata: ${own}\n\n`);
    if (message.method === undefined) response.end();
  });
  return {
    write,
    pass(message: Message, response: ServerResponse): void {
      if (message.method === undefined || message.id === undefined) {
        write(message);
        response.writeHead(202).end();
        return;
      }
      const own = ++last;
      open.set(own, { id: message.id, response });
      response.once('close', () => {
        if (open.delete(own))
          write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: own } });
      });
      const [name, args] = CALLS[message.params?.name ?? ''] ?? [];
      write({
        ...message,
        id: own,
        ...(name && { params: { ...message.params, name, arguments: args } }),
      });
    },
  };
}

/**
 * Serves an MCP server on stdin and stdout over HTTP: one process for each session, and one for all
 * without.
 */
export async function startBridge(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const sessions = new Map<string, ReturnType<typeof connection>>();
  const withoutSession = connection(command, env);
  // The first message decides on the protocol of a connection.
  withoutSession.write({ jsonrpc: '2.0', id: 'first', method: 'tools/list', params: stateless() });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = String(request.headers['mcp-session-id'] ?? '');
    if (request.method === 'DELETE')
      return void response.writeHead(sessions.delete(id) ? 200 : 404).end();
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const message: Message = JSON.parse(await text(request));
    if (request.headers['mcp-protocol-version'] === '2026-07-28')
      return withoutSession.pass(message, response);
    if (message.method === 'initialize') {
      const session = connection(command, env);
      const name = randomUUID();
      sessions.set(name, session);
      response.setHeader('mcp-session-id', name);
      return session.pass(message, response);
    }
    const session = sessions.get(id);
    if (session === undefined) return void response.writeHead(404).end();
    session.pass(message, response);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(400).end());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}
