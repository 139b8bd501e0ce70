import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { connectTimeoutFault, type Stage, toFault } from './faults.ts';
import { type ConnectLimits, withinLimits } from './limits.ts';

/** How long one address of a name may take before Node drops it for the next; less would drop distant ones. */
const ADDRESS_TIMEOUT_MS = 1_000;

/** What makes a connection other than the ordinary one. */
export interface ConnectOptions {
  /** An open connection that ends at the host already and lacks only its TLS. */
  readonly tunnel?: Socket;
  /** What errors call the host. */
  readonly name?: string;
}

/**
 * A connection to the URL's host that is ready for HTTP: TCP for http, TLS with a verified certificate for https.
 * @throws Fault; the signal's reason when aborted.
 */
export async function connect(
  url: URL,
  limits: ConnectLimits,
  { tunnel, name = url.host }: ConnectOptions = {},
): Promise<Socket> {
  let stage: Stage = tunnel === undefined ? 'connect' : 'tls';
  const tcp = tunnel ?? open(await import('node:net'), url);
  const errors = {
    timedOut: () => connectTimeoutFault(name),
    failed: (error: unknown) => toFault(error, stage, name),
  };
  return withinLimits(tcp, limits, errors, async () => {
    // It takes as long as a round trip, so it is made while the connection is on its way.
    const context = url.protocol === 'https:' ? secureContext() : undefined;
    if (tunnel === undefined) await once(tcp, 'connect');
    if (context === undefined) return tcp;
    stage = 'tls';
    return encrypt(tcp, url, await context);
  });
}

function open(net: typeof import('node:net'), url: URL): Socket {
  const tcp = net.connect({
    host: hostOf(url),
    port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
  });
  // Whoever waits for the socket hears of the error; without a listener it would end the process in between.
  return tcp.on('error', () => {});
}

async function encrypt(tcp: Socket, url: URL, secureContext: SecureContext): Promise<Socket> {
  const [tls, { isIP }] = await Promise.all([import('node:tls'), import('node:net')]);
  const host = hostOf(url);
  const socket = tls.connect({
    socket: tcp,
    secureContext,
    host,
    servername: isIP(host) === 0 ? host : '',
    ALPNProtocols: ['http/1.1'],
    // Said outright, so that NODE_TLS_REJECT_UNAUTHORIZED=0 does not hand the token to anyone who asks for it.
    rejectUnauthorized: true,
  });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  return socket;
}

let context: SecureContext | undefined;
async function secureContext(): Promise<SecureContext> {
  const { createSecureContext } = await import('node:tls');
  context ??= createSecureContext();
  return context;
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}
