import type { Api } from '../command/context.ts';
import type { Globals } from '../command/globals.ts';
import type { Settings } from '../command/settings.ts';
import type { Setting } from '../command/target.ts';
import { explainMissing, explainUnauthenticated } from '../command/unauthenticated.ts';
import { readProxies } from '../http/proxy.ts';
import type { Send } from '../http/send.ts';
import { createSingleSend } from '../http/single.ts';
import { tokenWarning } from '../login/token.ts';
import { once } from '../once.ts';
import type { Client } from '../service/call.ts';
import { type ClientOptions, createClient } from '../service/client.ts';
import type { Redactor } from '../service/redact.ts';
import type { Io } from '../terminal/io.ts';
import { maskText } from '../terminal/mask-text.ts';
import type { World } from '../world.ts';

/** What the clients of a run are made of. */
export interface ClientParts {
  readonly world: World;
  readonly io: Io;
  readonly globals: Globals;
  readonly settings: Settings;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
}

/** The ways of a command to the service; each is made at its first use. */
export interface Clients extends Pick<Api, 'client' | 'patientClient' | 'clientFor' | 'send' | 'userAgent'> {
  /** Whether the sign-in of the settings was asked for. */
  areUsed(): boolean;
  close(): Promise<void>;
}

/** Makes the clients of a run. */
export function createClients(parts: ClientParts): Clients {
  const { world, settings } = parts;
  const closers: Array<() => Promise<void>> = [];
  let areUsed = false;
  const undici = async (reset: boolean): Promise<Send> => {
    const { createPooledSend } = await import('../http/pooled.ts');
    const engine = createPooledSend({ proxyFor: readProxies(world.env), reset });
    closers.push(engine.close);
    return engine.send;
  };
  const singleSend = createSingleSend({ proxyFor: readProxies(world.env) });
  const client = once(() => makeClient(parts, singleSend));
  const patientClient = once(async () => makeClient(parts, await undici(false), { deadlinePerCall: true }));
  const begin = once(() => {
    areUsed = true;
    return warnOfSignIn(parts);
  });
  return {
    async client() {
      await begin();
      return client();
    },
    async patientClient() {
      await begin();
      return patientClient();
    },
    async clientFor(credential, address: Setting = settings.apiUrl()) {
      // A login may be for a profile that does not exist yet, so nothing is looked up that is given here.
      const own: Settings = {
        ...settings,
        credential: () => credential,
        apiUrl: () => address,
        findApiUrl: () => address,
        org: () => undefined,
      };
      return makeClient({ ...parts, settings: own }, singleSend);
    },
    send: once(() => undici(true)),
    userAgent: userAgentOf(world),
    areUsed: () => areUsed,
    async close() {
      await Promise.allSettled(closers.map((close) => close()));
    },
  };
}

function makeClient(parts: ClientParts, send: Send, more: Pick<ClientOptions, 'deadlinePerCall'> = {}): Client {
  const { world, io, globals, settings, redactor, signal } = parts;
  const credential = settings.credential();
  redactor.add(credential?.token);
  return createClient({
    baseUrl: settings.apiUrl().value,
    send,
    credential,
    org: settings.org()?.value,
    userAgent: userAgentOf(world),
    clock: world.clock,
    random: world.random,
    ...more,
    retry: globals.retry,
    deadlineMs: globals.timeoutSeconds * 1000,
    allowHttp: settings.allowHttp,
    signal,
    redactor,
    debug: globals.debug ? (line: string) => void io.err.write(`${redactor.redact(maskText(line))}\n`) : undefined,
    explain401: () => explainUnauthenticated(settings, world.clock.now()),
    explainMissing: () => explainMissing(settings),
  });
}

/** A sign-in of the environment that may not be the one that was meant. */
async function warnOfSignIn({ io, globals, settings }: ClientParts): Promise<void> {
  const credential = settings.credential();
  if (credential === undefined || credential.record !== undefined) return;
  const odd = credential.kind === 'bearer' ? tokenWarning(credential.token, credential.source) : undefined;
  if (odd !== undefined) await io.warn(odd);
  // --profile was given, but the token of the environment takes precedence.
  if (globals.profile === undefined) return;
  await io.warn(`${credential.source} is set and is used instead of the token of profile ${globals.profile}.`);
}

function userAgentOf({ version, nodeVersion, machine }: World): string {
  return `svc/${version} node/${nodeVersion} ${machine.platform}`;
}
