import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { Attempt } from './attempt.ts';
import { TransportError, type TransportStage, toTransportError } from './transport-error.ts';

/** Node's default would drop distant addresses. */
const ADDRESS_TIMEOUT_MS = 1_000;

/**
 * Opens a connection to a host, through a tunnel if there is a proxy: TCP for http, and TLS with a verified certificate for
 * https. It is destroyed if the attempt ends before.
 * @throws TransportError
 */
export async function openConnection(url: URL, attempt: Attempt, proxy: URL | undefined): Promise<Socket> {
  if (proxy === undefined) return connect(url, attempt, url.host);
  const { askForTunnel } = await import('./tunnel.ts');
  const name = `the proxy ${proxy.host}`;
  const socket = await connect(proxy, attempt, name);
  attempt.connecting(url.host);
  await untilEnd(socket, attempt, async () => {
    try {
      await askForTunnel(socket, proxy, url);
    } catch (error) {
      throw error instanceof TransportError ? error : toTransportError(error, 'connect', name);
    }
  });
  return connect(url, attempt, url.host, socket);
}

/**
 * @param name names the host in errors
 * @param tunnel an open connection to the host that lacks only its TLS
 */
async function connect(url: URL, attempt: Attempt, name: string, tunnel?: Socket): Promise<Socket> {
  let stage: TransportStage = tunnel === undefined ? 'connect' : 'tls';
  attempt.connecting(name);
  const tcp = tunnel ?? open(await import('node:net'), url);
  return untilEnd(tcp, attempt, async () => {
    try {
      // Creating the context takes as long as a round trip, so do it while TCP connects.
      const context = url.protocol === 'https:' ? secureContext() : undefined;
      if (tunnel === undefined) await once(tcp, 'connect');
      if (context === undefined) return tcp;
      stage = 'tls';
      return await encrypt(tcp, url, await context);
    } catch (error) {
      throw toTransportError(error, stage, name);
    }
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
  // An error event without a listener would end the process; the code that awaits the socket reports the error.
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
    // Overrides NODE_TLS_REJECT_UNAUTHORIZED=0, which would send the token to any server.
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

/** Destroys the socket if the attempt ends or the work fails. */
async function untilEnd<T>(socket: Socket, { signal }: Attempt, work: () => Promise<T>): Promise<T> {
  const stop = () => socket.destroy(new Error('stopped'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    return await work();
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
