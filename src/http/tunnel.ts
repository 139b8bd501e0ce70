import type { Socket } from 'node:net';
import { proxyError } from './transport-error.ts';

const START = 'HTTP/1.';
const MAX_HEAD_BYTES = 16 * 1024;

/**
 * Asks the proxy behind the socket for a connection to the URL's host (RFC 9110, CONNECT).
 * @throws TransportError `proxy` if it does not answer 2xx; the socket's error if it closes.
 */
export async function askForTunnel(socket: Socket, proxy: URL, url: URL): Promise<void> {
  const authority = `${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`;
  const head = [`CONNECT ${authority} HTTP/1.1`, `host: ${authority}`, ...authorization(proxy)];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const status = await readStatus(socket);
  if (status < 200 || status > 299) throw proxyError(proxy.host, status);
}

/** Reads up to the end of the head. Nothing may follow it: whoever is behind the tunnel speaks second. */
function readStatus(socket: Socket): Promise<number> {
  return new Promise((resolve, reject) => {
    let held = '';
    const stop = (): void => {
      socket.off('data', take).off('error', fail).off('close', closed);
      socket.pause();
    };
    const fail = (error: unknown): void => {
      stop();
      reject(error);
    };
    const closed = (): void => fail(codedError('ECONNRESET'));
    const take = (piece: Buffer): void => {
      held += piece.toString('latin1');
      const status = finalStatus(held);
      if (status === undefined) return;
      stop();
      if (status instanceof Error) reject(status);
      else resolve(status);
    };
    socket.on('data', take).on('error', fail).on('close', closed);
  });
}

/** Skips interim answers (1xx). Returns undefined if the final head is not complete yet. */
function finalStatus(text: string): number | Error | undefined {
  if (!text.startsWith(START.slice(0, text.length))) return codedError('NOT_HTTP');
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return text.length > MAX_HEAD_BYTES ? codedError('HEAD_TOO_LARGE') : undefined;
  const status = Number(/^HTTP\/1\.[01] ([1-9]\d\d)[ \r]/.exec(text)?.[1]);
  if (Number.isNaN(status) || status === 101) return codedError('NOT_HTTP');
  return status < 200 ? finalStatus(text.slice(end + 4)) : status;
}

function codedError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

function authorization(proxy: URL): string[] {
  if (proxy.username === '' && proxy.password === '') return [];
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return [`proxy-authorization: Basic ${Buffer.from(pair).toString('base64')}`];
}
