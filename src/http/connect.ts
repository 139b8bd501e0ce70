import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { systemClock } from '../clock.ts';
import type { HttpRequest } from './send.ts';
import { connectTimeoutError, type Stage, toTransportError } from './transport-error.ts';

/** How long one address of a name may take before Node drops it for the next; less would drop distant ones. */
const ADDRESS_TIMEOUT_MS = 1_000;

/** Limits on the way to an open connection. */
export interface ConnectLimits {
  /** When name lookup, TCP, tunnel and TLS must be done, in milliseconds of the machine's clock. */
  readonly until: number;
  readonly signal: AbortSignal;
}

/** A connection to the request's host that is ready for HTTP, through the proxy where there is one for it. */
export async function openConnection(
  request: HttpRequest,
  signal: AbortSignal,
  proxy: URL | undefined,
): Promise<Socket> {
  const limits = { until: systemClock.monotonic() + request.connectTimeoutMs, signal };
  if (proxy === undefined) return connect(request.url, limits);
  const { openTunnel } = await import('./tunnel.ts');
  const tunnel = await openTunnel(proxy, request.url, limits);
  return connect(request.url, limits, { tunnel });
}

/** What makes a connection other than the ordinary one. */
export interface ConnectOptions {
  /** An open connection that ends at the host already and lacks only its TLS. */
  readonly tunnel?: Socket;
  /** What errors call the host. */
  readonly name?: string;
}

/**
 * A connection to the URL's host that is ready for HTTP: TCP for http, TLS with a verified certificate for https.
 * @throws TransportError; the signal's reason when aborted.
 */
export async function connect(
  url: URL,
  limits: ConnectLimits,
  { tunnel, name = url.host }: ConnectOptions = {},
): Promise<Socket> {
  let stage: Stage = tunnel === undefined ? 'connect' : 'tls';
  const tcp = tunnel ?? open(await import('node:net'), url);
  const errors = {
    timedOut: () => connectTimeoutError(name),
    failed: (error: unknown) => toTransportError(error, stage, name),
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

/** The errors of a piece of work on a socket. */
export interface WorkErrors {
  /** Made when the time is over. */
  timedOut(): Error;
  /** What an error of the work itself means. */
  failed(error: unknown): Error;
}

/**
 * Does a piece of work on a socket, which is destroyed when the time is over, the signal aborts or the work fails.
 * Throws the reason of whatever came first.
 */
export async function withinLimits<T>(
  socket: Socket,
  limits: ConnectLimits,
  errors: WorkErrors,
  work: () => Promise<T>,
): Promise<T> {
  let stopped: { readonly reason: unknown } | undefined;
  const stop = (reason: unknown) => {
    stopped ??= { reason };
    socket.destroy(new Error('stopped'));
  };
  const interrupt = () => stop(limits.signal.reason);
  const timer = setTimeout(() => stop(errors.timedOut()), Math.max(0, limits.until - systemClock.monotonic()));
  limits.signal.addEventListener('abort', interrupt, { once: true });
  try {
    return await work();
  } catch (error) {
    socket.destroy();
    throw stopped === undefined ? errors.failed(error) : stopped.reason;
  } finally {
    clearTimeout(timer);
    limits.signal.removeEventListener('abort', interrupt);
  }
}
