import { once } from 'node:events';
import type { LookupFunction, Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import { MAX_TIMER_MS, onAbort, systemClock } from '../clock.ts';
import { getHostname, getPort, isLocalName } from './address.ts';
import {
  createCodedError,
  type HttpRequest,
  TransportError,
  type TransportStage,
  toTransportError,
} from './send.ts';

/** Node's default would drop distant addresses. */
const ADDRESS_TIMEOUT_MS = 1_000;

/**
 * Opens TCP for http, TLS with a verified certificate for https, through a tunnel if there is a
 * proxy.
 * @throws TransportError
 */
export async function openConnection(
  url: URL,
  attempt: Attempt,
  proxy: URL | undefined,
): Promise<Socket> {
  if (proxy === undefined) return connect(url, attempt, url.host);

  const proxyName = `the proxy ${proxy.host}`;
  const socket = await connect(proxy, attempt, proxyName);

  const name = `${url.host} through ${proxyName}`;
  attempt.connecting(name);
  const asking = { socket, attempt, stage: 'connect', name: proxyName } as const;
  await takeStep(asking, () => askForTunnel(socket, proxy, url));
  if (url.protocol !== 'https:') return socket;
  return takeStep({ socket, attempt, stage: 'tls', name }, () => encrypt(socket, url));
}

async function connect(url: URL, attempt: Attempt, name: string): Promise<Socket> {
  attempt.connecting(name);
  const tls = url.protocol === 'https:' ? await import('node:tls') : undefined;
  const socket = await openTcp(url);
  await takeStep({ socket, attempt, stage: 'connect', name }, () => {
    // Nothing else can run while the certificates are read, which takes seconds where the system's
    // store is slow. Do it while the name is looked up: once an address is tried, its time would
    // run out, although it answers.
    if (tls !== undefined) getSecureContext(tls);
    return once(socket, 'connect');
  });
  if (tls === undefined) return socket;
  return takeStep({ socket, attempt, stage: 'tls', name }, () => encrypt(socket, url));
}

interface Step {
  readonly socket: Socket;
  readonly attempt: Attempt;
  readonly stage: TransportStage;
  /** The name of who does not answer, for the error. */
  readonly name: string;
}

/**
 * Does one step of opening a connection. The socket is destroyed if it fails or is aborted; the error
 * says that `name` does not answer.
 */
async function takeStep<T>(
  { socket, attempt, stage, name }: Step,
  work: () => Promise<T>,
): Promise<T> {
  const { signal } = attempt;
  const stop = () => socket.destroy(new Error('stopped'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    return await work();
  } catch (error) {
    socket.destroy();
    throw toTransportError(error, stage, name);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function openTcp(url: URL): Promise<Socket> {
  const net = await import('node:net');
  const socket = net.connect({
    host: getHostname(url),
    port: getPort(url),
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_TIMEOUT_MS,
    ...(isLocalName(url.hostname) && { lookup: lookUpThisMachine }),
  });
  // An error event without a listener would end the process; the code that awaits the socket
  // reports the error.
  return socket.on('error', () => {});
}

const THIS_MACHINE = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Answers for `localhost` and the names below it without a resolver, which could lead elsewhere. */
const lookUpThisMachine: LookupFunction = (_name, { all }, answer) => {
  if (all === true) setImmediate(answer, null, THIS_MACHINE);
  else setImmediate(answer, null, '127.0.0.1', 4);
};

async function encrypt(tcp: Socket, url: URL): Promise<Socket> {
  const [tls, { isIP }] = await Promise.all([import('node:tls'), import('node:net')]);
  const host = getHostname(url);
  const socket = tls.connect({
    socket: tcp,
    secureContext: getSecureContext(tls),
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

let sharedContext: SecureContext | undefined;
function getSecureContext({ createSecureContext }: typeof import('node:tls')): SecureContext {
  sharedContext ??= createSecureContext();
  return sharedContext;
}

/** The proxy does not reach the platform now: nothing was sent, so a repeat is safe. */
const BUSY_STATUSES = [502, 503, 504];

/** Asks the proxy behind the socket for a connection to the URL's host (RFC 9110, CONNECT). */
async function askForTunnel(socket: Socket, proxy: URL, url: URL): Promise<void> {
  const authority = `${url.hostname}:${getPort(url)}`;
  const head = [`CONNECT ${authority} HTTP/1.1`, `host: ${authority}`];
  if (proxy.username !== '' || proxy.password !== '') {
    const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
    head.push(`proxy-authorization: Basic ${Buffer.from(pair).toString('base64')}`);
  }
  socket.write(`${head.join('\r\n')}\r\n\r\n`);

  const { status, headers } = await readHead(socket);
  if (status <= 299) return;
  const code = `PROXY_${status}`;
  if (!BUSY_STATUSES.includes(status)) {
    throw new TransportError(
      'proxy',
      code,
      `The proxy ${proxy.host} refused the tunnel (${status}).`,
    );
  }
  throw new TransportError(
    'not_sent',
    code,
    `The proxy ${proxy.host} could not open the tunnel to ${url.host} (${status}).`,
    { headers },
  );
}

/** The most bytes of the head of an answer. */
export const MAX_HEAD_BYTES = 16 * 1024;
/** The end of a head. */
export const HEAD_END = '\r\n\r\n';
const STATUS_LINE = /^HTTP\/1\.[01] ([1-9]\d\d)[ \r]/;

/**
 * Reads the head of an answer, behind interim ones (1xx). Nothing may follow it: whoever is behind
 * the tunnel speaks second.
 */
async function readHead(socket: Socket) {
  let text = '';
  for await (const piece of socket.iterator({ destroyOnReturn: false })) {
    text += piece.toString('latin1');
    if (!text.startsWith('HTTP/1.'.slice(0, text.length))) throw createCodedError('NOT_HTTP');

    for (let end = text.indexOf(HEAD_END); end >= 0; end = text.indexOf(HEAD_END)) {
      const status = Number(STATUS_LINE.exec(text)?.[1]);
      if (Number.isNaN(status) || status === 101) throw createCodedError('NOT_HTTP');
      if (status >= 200) return { status, headers: readHeaders(text.slice(0, end)) };
      text = text.slice(end + HEAD_END.length);
    }
    if (text.length > MAX_HEAD_BYTES) throw createCodedError('HEAD_TOO_LARGE');
  }
  throw createCodedError('ECONNRESET');
}

function readHeaders(head: string): Record<string, string> {
  const lines = head.split('\r\n').slice(1);
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':');
      return [name.toLowerCase(), value.join(':').trim()];
    }),
  );
}

/** One request under way, with its limits. */
export type Attempt = ReturnType<typeof startAttempt>;

/** Ends one request at its time limits or when the user interrupts. Throws if that has happened. */
export function startAttempt({ connectTimeoutMs, timeoutMs, signal, url: { host } }: HttpRequest) {
  signal.throwIfAborted();
  const startedAt = systemClock.monotonic();
  const controller = new AbortController();
  const leave = onAbort(signal, () => controller.abort(signal.reason));
  const limit = (ms: number, error: () => TransportError) =>
    setTimeout(() => controller.abort(error()), Math.min(ms, MAX_TIMER_MS));

  let peer = host;
  let stage: TransportStage = 'exchange';
  const notOpen = () => toTransportError({ code: 'CONNECT_TIMEOUT' }, 'connect', peer);
  let timer = limit(Math.min(connectTimeoutMs, timeoutMs), notOpen);

  const stop = () => {
    clearTimeout(timer);
    leave();
  };
  const fail = (error: unknown): unknown => {
    stop();
    const { aborted, reason } = controller.signal;
    return aborted ? reason : toTransportError(error, stage, host);
  };

  return {
    /** Aborted in both cases; the socket is then destroyed. */
    signal: controller.signal,
    /** Must be called before each connection: names what does not answer in time. */
    connecting(name: string): void {
      peer = name;
    },
    /** Must be called once it is open: from then on the platform may have received the request. */
    connected(): void {
      clearTimeout(timer);
      const leftMs = timeoutMs - (systemClock.monotonic() - startedAt);
      const words = `${host} did not answer within ${Math.ceil(timeoutMs / 1000)} s (ETIMEDOUT)`;
      timer = limit(Math.max(0, leftMs), () => new TransportError('timeout', 'ETIMEDOUT', words));
    },
    /** Must be called once a byte of the answer has arrived. */
    answering(): void {
      stage = 'answer';
    },
    fail,
    /** Yields the body under the limits; then tells `release` whether it was read to its end. */
    async *guard(
      body: AsyncIterable<Uint8Array>,
      release: (isWhole: boolean) => void,
    ): AsyncGenerator<Uint8Array> {
      stage = 'answer';
      let isWhole = false;
      try {
        yield* body;
        isWhole = true;
      } catch (error) {
        throw fail(error);
      } finally {
        stop();
        release(isWhole);
      }
    },
  };
}
