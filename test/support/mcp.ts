import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { builtProgram } from './program.ts';
import { temporaryFolder } from './svc.ts';

/** The protocol with `initialize`, and the one without. */
export const ERAS = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof ERAS)[number];

export type Env = Readonly<Record<string, string | undefined>>;

export interface Question {
  readonly message: string;
  readonly requestedSchema: unknown;
}

interface ClientOptions {
  readonly era?: Era;
  /** Words after `svc mcp`. */
  readonly args?: readonly string[];
  readonly env: Env;
  /** How the person answers; without it the client cannot ask. */
  readonly answer?: (question: Question) => object;
}

/** Connects the official client to svc as a process of its own; both end with the running test. */
export async function connect({ era = ERAS[1], args = [], env, answer }: ClientOptions) {
  const [command, script] = (await builtProgram()).command;
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      capabilities: answer === undefined ? {} : { elicitation: {} },
      versionNegotiation: { mode: era === ERAS[0] ? 'legacy' : 'auto' },
    },
  );
  const questions: Question[] = [];
  if (answer !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const question = params as unknown as Question;
      questions.push(question);
      return answer(question) as { action: 'accept' };
    });
  }
  const strays: Error[] = [];
  client.onerror = (error) => void strays.push(error);
  const transport = new StdioClientTransport({
    command,
    args: [script, 'mcp', ...args],
    env: clean(env),
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    questions,
    /** What was not a message of the protocol. */
    strays,
    stderr: () => stderr,
    async call(name: string, args: Record<string, unknown> = {}) {
      const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: args });
      const [first] = content;
      const text = first?.type === 'text' ? first.text : '';
      return { isError, text, data: structuredContent as Record<string, unknown> };
    },
  };
}

/** Starts the server without a client: what is written to it, and the lines that come back. */
export async function startBare(args: readonly string[], env: Env) {
  const [command, script] = (await builtProgram()).command;
  const server = spawn(command, [script, 'mcp', ...args], { env: clean(env), stdio: 'pipe' });
  onTestFinished(() => void server.kill('SIGKILL'));
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: server.stdout }).on('line', (line) => {
    lines.push(line);
    for (const look of waiting) look();
  });
  let stderr = '';
  server.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const exited = once(server, 'exit');
  return {
    lines,
    stderr: () => stderr,
    write: (text: string | Uint8Array) => void server.stdin.write(text),
    /** Sends a message, and resolves with the one that answers it. */
    ask(message: { readonly id: number | string; readonly method: string; readonly params?: object }) {
      server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
      return new Promise<Record<string, unknown>>((resolve) => {
        const look = () => {
          const found = lines.map((line) => JSON.parse(line)).find(({ id }) => id === message.id);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      });
    },
    /** Resolves when a line contains the text. */
    says(text: string) {
      return new Promise<void>((resolve) => {
        const look = () => {
          if (!lines.some((line) => line.includes(text))) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      });
    },
    async end(): Promise<number | null> {
      server.stdin.end();
      const [code] = await exited;
      return code;
    },
    signal: (name: NodeJS.Signals) => void server.kill(name),
    /** Closes both pipes, as the end of a client does. */
    vanish() {
      server.stdout.destroy();
      server.stdin.destroy();
    },
    exited,
  };
}

/** The parameters of a request without a handshake. */
export function stateless(params: object = {}, capabilities: object = { elicitation: {} }) {
  const prefix = 'io.modelcontextprotocol';
  const meta = {
    [`${prefix}/protocolVersion`]: ERAS[1],
    [`${prefix}/clientInfo`]: { name: 'test', version: '1.0.0' },
    [`${prefix}/clientCapabilities`]: capabilities,
  };
  return { ...params, _meta: meta };
}

/** Starts a sandbox that ends with the running test, and the environment that leads to it. */
export async function sandboxWith(more: Env = {}): Promise<{ readonly sandbox: Sandbox; readonly env: Env }> {
  const sandbox = await startSandbox({ port: 0, intervalSeconds: 1 });
  onTestFinished(() => sandbox.close());
  const { url, token, services } = sandbox.listing;
  const env = {
    SVC_API_URL: url,
    SVC_TOKEN: token,
    SVC_SERVICE: services.find(({ kind }) => kind === 'wordpress')?.id,
    SVC_DNS_SERVER: sandbox.dnsServer,
    SVC_CONFIG_DIR: await temporaryFolder(),
    LANG: 'C.UTF-8',
    PATH: process.env['PATH'],
    ...more,
  };
  return { sandbox, env };
}

function clean(env: Env): Record<string, string> {
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(given);
}
