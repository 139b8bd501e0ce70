import type { Socket } from 'node:net';
import { arriving } from './arriving.ts';
import { connect } from './connect.ts';
import { connectTimeoutFault, proxyFault, toFault } from './faults.ts';
import { type ConnectLimits, withinLimits } from './limits.ts';
import { readHead } from './message.ts';
import { Fault } from './send.ts';

/**
 * Asks the proxy for a connection to the URL's host (RFC 9110, CONNECT).
 * @throws Fault `proxy` when it answers anything else than 2xx.
 */
export async function openTunnel(proxy: URL, url: URL, limits: ConnectLimits): Promise<Socket> {
  const name = `the proxy ${proxy.host}`;
  const socket = await connect(proxy, limits, { name });
  const errors = {
    timedOut: () => connectTimeoutFault(url.host),
    failed: (error: unknown) => (error instanceof Fault ? error : toFault(error, 'connect', name)),
  };
  return withinLimits(socket, limits, errors, async () => {
    const status = await askForTunnel(socket, proxy, url);
    if (status < 200 || status > 299) throw proxyFault(proxy.host, status);
    return socket;
  });
}

async function askForTunnel(socket: Socket, proxy: URL, url: URL): Promise<number> {
  const authority = `${url.hostname}:${url.port || (url.protocol === 'https:' ? 443 : 80)}`;
  const head = [`CONNECT ${authority} HTTP/1.1`, `host: ${authority}`, ...authorization(proxy)];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  const bytes = arriving(socket);
  const { status } = await readHead(bytes);
  bytes.leave();
  return status;
}

function authorization(proxy: URL): string[] {
  if (proxy.username === '' && proxy.password === '') return [];
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return [`proxy-authorization: Basic ${Buffer.from(pair).toString('base64')}`];
}
