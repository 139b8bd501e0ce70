import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import {
  Client,
  deserializeMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { onTestFinished } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { builtProgram } from './program.ts';
import { svc, temporaryFolder } from './svc.ts';
import { until } from './until.ts';

/** The protocol with `initialize`, and the one without. */
export const ERAS = ['2025-11-25', '2026-07-28'] as const;

/** What a person may allow. */
export const ALLOWED = ['--allow', 'restart,wp,domains,buy'];

export type Env = Readonly<Record<string, string | undefined>>;

export interface Question {
  readonly message: string;
  readonly requestedSchema: unknown;
}

interface ClientOptions {
  readonly era?: (typeof ERAS)[number];
  readonly args?: readonly string[];
  readonly env: Env;
  /** How the person answers; without it the client cannot ask. */
  readonly answer?: (question: Question) => object;
  /** Starts svc as a process of its own; otherwise it runs in this one. */
  readonly asProcess?: boolean;
}

/** Connects the official client to svc; both end with the running test. */
export async function connect({
  era = ERAS[1],
  args = [],
  env,
  answer,
  asProcess = false,
}: ClientOptions) {
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
  const { transport, stderr } = asProcess ? await processOf(args, env) : serveHere(args, env);
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    questions,
    /** What was not a message of the protocol. */
    strays,
    stderr,
    async call(name: string, args: Record<string, unknown> = {}) {
      const {
        isError = false,
        content,
        structuredContent,
      } = await client.callTool({ name, arguments: args });
      const [text = '', ...notes] = content.map((block) =>
        block.type === 'text' ? block.text : '',
      );
      return { isError, text, notes, data: structuredContent as Record<string, unknown> };
    },
  };
}

async function processOf(args: readonly string[], env: Env) {
  const [command, script] = (await builtProgram()).command;
  const words = [script, 'mcp', ...args];
  const transport = new StdioClientTransport({
    command,
    args: words,
    env: clean(env),
    stderr: 'pipe',
  });
  return { transport, stderr: textOf(transport.stderr) };
}

function textOf(stream: NodeJS.EventEmitter | null) {
  let text = '';
  stream?.on('data', (chunk) => {
    text += chunk;
  });
  return () => text;
}

/** Runs `svc mcp` in this process until its stdin ends. */
function serveHere(args: readonly string[], env: Env) {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = () => '';
  const ended = svc(['mcp', ...args], {
    env,
    stdin: input,
    onStdout: (chunk) => void output.write(chunk),
    onStart: (_send, soFar) => (shown = soFar),
  });
  const transport: Transport = {
    async start() {
      createInterface({ input: output }).on('line', (line) =>
        transport.onmessage?.(deserializeMessage(line)),
      );
    },
    async send(message) {
      input.write(serializeMessage(message));
    },
    async close() {
      input.end();
      await ended;
      transport.onclose?.();
    },
  };
  return { transport, input, output, stderr: () => shown() };
}

export function startBare(args: readonly string[], env: Env) {
  const { transport, input, output } = serveHere(args, env);
  onTestFinished(() => transport.close());
  return talk(input, output);
}

/** Starts the server without a client as a process of its own. */
export async function startProcess(args: readonly string[], env: Env) {
  const [command, script] = (await builtProgram()).command;
  const server = spawn(command, [script, 'mcp', ...args], { env: clean(env), stdio: 'pipe' });
  onTestFinished(() => void server.kill('SIGKILL'));
  const exited = once(server, 'exit');
  return {
    ...talk(server.stdin, server.stdout),
    stderr: textOf(server.stderr),
    async end(): Promise<number | null> {
      server.stdin.end();
      return (await exited)[0];
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

interface Request {
  readonly id: number | string;
  readonly method: string;
  readonly params?: object;
}

function talk(input: Writable, output: Readable) {
  const lines: string[] = [];
  createInterface({ input: output }).on('line', (line) => lines.push(line));
  const messages = () => lines.map((line): Record<string, unknown> => JSON.parse(line));
  const send = (message: Request) =>
    void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  return {
    lines,
    write: (text: string | Uint8Array) => void input.write(text),
    send,
    /** Sends a message, and resolves with the one that answers it. */
    async ask(message: Request) {
      send(message);
      return (await until(() => messages().find(({ id }) => id === message.id))) ?? {};
    },
    says: (text: string) => until(() => lines.some((line) => line.includes(text))),
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
export async function sandboxWith(more: Env = {}) {
  const sandbox = await startSandbox({ port: 0, intervalSeconds: 1 });
  onTestFinished(() => sandbox.close());
  const { url, token, services } = sandbox.listing;
  const env: Env = {
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

/** Connects to a server for the sandbox; an environment may lead elsewhere. */
export async function inSandbox(
  args: readonly string[] = ALLOWED,
  more: Env = {},
  options: Partial<ClientOptions> = {},
) {
  const { env, sandbox } = await sandboxWith(more);
  return { ...(await connect({ env, args, ...options })), sandbox, env };
}

export async function wireEnv(url: string, token = 'svc_x') {
  return {
    SVC_API_URL: url,
    SVC_TOKEN: token,
    SVC_CONFIG_DIR: await temporaryFolder(),
    PATH: process.env['PATH'],
  };
}

export function clean(env: Env): Record<string, string> {
  const given = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(given);
}
