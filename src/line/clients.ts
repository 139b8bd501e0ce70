import { readProxies } from '../http/proxy.ts';
import type { Send } from '../http/send.ts';
import { createSingleSend } from '../http/single.ts';
import type { Api } from '../kit/context.ts';
import type { Globals } from '../kit/globals.ts';
import type { ChosenCredential, Setting, Settings } from '../kit/setting.ts';
import { explainMissing, explainUnauthenticated } from '../kit/unauthenticated.ts';
import { once } from '../once.ts';
import type { Call, Client } from '../service/call.ts';
import { type ClientOptions, createClient, type ShownCall } from '../service/client.ts';
import type { Redactor } from '../service/redact.ts';
import type { Credentials } from '../sign-in/record.ts';
import { TOKEN_PREFIX } from '../spec/operations.ts';
import type { Io } from '../terminal/io.ts';
import { maskText } from '../terminal/mask-text.ts';
import type { World } from '../world.ts';
import { checkSignIn } from './check-sign-in.ts';

interface ClientParts {
  readonly world: World;
  readonly io: Io;
  readonly globals: Globals;
  readonly settings: Settings;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  /** The stored sign-ins. May throw. */
  readonly stored: () => Credentials;
  /** The configuration folder. May throw. */
  readonly folder: () => string;
}

/** The clients of one run. */
export interface Clients extends Omit<Api, 'assume'> {
  close(): Promise<void>;
}

/** A token that lasts longer is not looked at more closely: that takes time. */
const MANY_DAYS_MS = 15 * 86_400_000;

/** Returns the clients of a run, each made at its first use. */
export function createClients(parts: ClientParts): Clients {
  const { world, settings } = parts;
  const proxyFor = readProxies(world.env);
  const singleSend = createSingleSend({ proxyFor });
  const client = once(() => makeClient(parts, singleSend));
  let pool: { close(): Promise<void> } | undefined;
  const pooled = once(async (): Promise<Send> => {
    const { createPooledSend } = await import('../http/pooled.ts');
    const { send, close } = createPooledSend(singleSend, proxyFor);
    pool = { close };
    return send;
  });
  const pollingClient = once(async () => makeClient(parts, await pooled(), { deadlinePerCall: true }));
  const check = (credential: ChosenCredential | undefined, address: Setting) =>
    checkSignIn(credential, address, { settings, stored: parts.stored, argv: world.argv });
  const begin = once(async () => {
    await check(settings.credential(), settings.apiUrl());
    const { record, token } = settings.credential() ?? {};
    const isUsual = record
      ? Date.parse(record.expiresAt ?? '') - world.clock.now() > MANY_DAYS_MS
      : token?.startsWith(TOKEN_PREFIX);
    if (isUsual) return;
    const { warnOfToken } = await import('./sign-in-trouble.ts');
    await warnOfToken(parts);
  });
  return {
    async client() {
      await begin();
      return client();
    },
    async pollingClient() {
      await begin();
      return pollingClient();
    },
    async gatedClients(options) {
      await begin();
      return gatedClients(parts, await pooled(), options);
    },
    async clientFor(credential, address: Setting = settings.apiUrl(), deadlineMs) {
      await check(credential, address);
      const own = { ...parts, settings: settingsFor(settings, credential, address) };
      return makeClient(own, singleSend, deadlineMs === undefined ? {} : { deadlineMs });
    },
    send: singleSend,
    userAgent: userAgent(world),
    close: async () => void (await pool?.close().catch(() => undefined)),
  };
}

/** A login may be for a profile that does not exist yet, so nothing that was given is looked up. */
function settingsFor(settings: Settings, credential: ChosenCredential, address: Setting): Settings {
  const fixed = { credential: () => credential, apiUrl: () => address, findApiUrl: () => address };
  return { ...settings, ...fixed, org: () => undefined };
}

function gatedClients(
  parts: ClientParts,
  send: Send,
  { signal, org = parts.settings.org(), atOnce }: Parameters<Api['gatedClients']>[0],
): Awaited<ReturnType<Api['gatedClients']>> {
  const common = clientOptions({ ...parts, settings: { ...parts.settings, org: () => org }, signal }, send);
  const memory = { ...parts.world.runtime, answers: atOnce };
  return (own) => createClient({ ...common, ...own, memory, show: undefined });
}

function makeClient(
  parts: ClientParts,
  send: Send,
  own: Pick<ClientOptions, 'deadlinePerCall' | 'deadlineMs'> = {},
): Client {
  return createClient({ ...clientOptions(parts, send), ...own });
}

function clientOptions(parts: ClientParts, send: Send): ClientOptions {
  const { world, io, globals, settings, redactor, signal } = parts;
  const credential = settings.credential();
  redactor.add(credential?.token);
  return {
    baseUrl: settings.apiUrl().value,
    send,
    credential,
    org: settings.org()?.value,
    userAgent: userAgent(world),
    clock: world.clock,
    random: world.random,
    deadlineMs: globals.timeoutSeconds * 1000,
    retry: globals.retry,
    allowHttp: settings.allowHttp,
    signal,
    redactor,
    memory: { ...world.runtime, answers: 1 },
    runtime: world.runtime,
    debug: globals.debug ? (line: string) => void io.err.write(`${redactor.redact(maskText(line))}\n`) : undefined,
    show: (call) => showCall(io, call, settings.apiUrl().value),
    explain401: () => explainUnauthenticated(settings, world.clock.now()),
    explainMissing: () => explainMissing(settings),
  };
}

/** Shows every request of every command, so that no wait is silent. */
function showCall(io: Io, { doing }: Call, baseUrl: string): ShownCall {
  const byDefault = doing === undefined;
  const progress = io.progress(byDefault ? `Asking ${new URL(baseUrl).host}` : doing, { byDefault });
  return {
    retry(text) {
      progress.update(text);
      if (io.accessible && io.err.isTty) void io.note(text());
    },
    stop: progress.stop,
  };
}

function userAgent({ version, runtime, machine }: World): string {
  return `svc/${version} ${runtime.name}/${runtime.version} ${machine.platform}`;
}
