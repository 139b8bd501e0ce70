import { once } from 'node:events';
import { createServer } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

interface ProxyOptions {
  /** The port of this machine to which all tunnels lead. */
  readonly to?: number;
  /** `'hang'` gives no answer. */
  readonly answer?: number | 'hang';
  readonly interim?: string;
  /** How often it gives that answer, before all is well. */
  readonly times?: number;
  readonly retryAfter?: string;
}

/** Starts a proxy on loopback that opens tunnels (CONNECT); it ends with the running test. */
export async function testProxy({
  to = 0,
  answer = 200,
  interim = '',
  times = Number.POSITIVE_INFINITY,
  retryAfter,
}: ProxyOptions) {
  /** Each `host:port` that a tunnel was asked for, with the credentials that came along. */
  const asked: Array<{ target: string | undefined; authorization: string | undefined }> = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const server = createServer((_request, response) => response.writeHead(400).end('only tunnels'));
  server.on('connection', keep);
  server.on('connect', ({ url, headers }, client: Socket) => {
    asked.push({ target: url, authorization: headers['proxy-authorization'] });
    if (answer === 'hang') return;
    client.write(interim);
    const later = retryAfter === undefined ? '' : `retry-after: ${retryAfter}\r\n`;
    if (answer !== 200 && asked.length <= times)
      return void client.end(`HTTP/1.1 ${answer} No\r\n${later}content-length: 0\r\n\r\n`);
    const onward = keep(net.connect(to, '127.0.0.1'));
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    client.pipe(onward).pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, asked };
}
