import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { systemClock } from '../clock.ts';
import type { HttpRequest } from './send.ts';
import { connectTimeoutError, TransportError, type TransportStage, toTransportError } from './transport-error.ts';

/** Node's default would drop distant addresses. */
const ADDRESS_TIMEOUT_MS = 1_000;

/** Limits for opening a connection. */
interface ConnectLimits {
  /** Time on the monotonic clock at which name lookup, TCP, tunnel and TLS must be done, in milliseconds. */
  readonly until: number;
  readonly signal: AbortSignal;
}

/** Opens a connection to the request's host, through a tunnel if there is a proxy. */
export async function openConnection(
  request: HttpRequest,
  signal: AbortSignal,
  proxy: URL | undefined,
): Promise<Socket> {
  const limits = { until: systemClock.monotonic() + request.connectTimeoutMs, signal };
  if (proxy === undefined) return connect(request.url, limits);
  const { askForTunnel } = await import('./tunnel.ts');
  const name = `the proxy ${proxy.host}`;
  const socket = await connect(proxy, limits, { name });
  const errors = {
    timedOut: () => connectTimeoutError(request.url.host),
    failed: (error: unknown) => (error instanceof TransportError ? error : toTransportError(error, 'connect', name)),
  };
  await withinLimits(socket, limits, errors, () => askForTunnel(socket, proxy, request.url));
  return connect(request.url, limits, { tunnel: socket });
}

interface ConnectOptions {
  /** An open connection to the host that lacks only its TLS. */
  readonly tunnel?: Socket;
  /** Names the host in errors. */
  readonly name?: string;
}

/**
 * Opens TCP for http, and TLS with a verified certificate for https.
 * @throws TransportError; the signal's reason when aborted.
 */
async function connect(
  url: URL,
  limits: ConnectLimits,
  { tunnel, name = url.host }: ConnectOptions = {},
): Promise<Socket> {
  let stage: TransportStage = tunnel === undefined ? 'connect' : 'tls';
  const tcp = tunnel ?? open(await import('node:net'), url);
  const errors = {
    timedOut: () => connectTimeoutError(name),
    failed: (error: unknown) => toTransportError(error, stage, name),
  };
  return withinLimits(tcp, limits, errors, async () => {
    // Creating the context takes as long as a round trip, so do it while TCP connects.
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

/** Destroys the socket if the time is over, the signal aborts or the work fails, and throws the error of the first. */
async function withinLimits<T>(
  socket: Socket,
  limits: ConnectLimits,
  errors: { timedOut(): Error; failed(error: unknown): Error },
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
