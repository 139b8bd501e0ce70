import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net, { type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

const fileOf = (name: string) =>
  join(import.meta.dirname, `tls/${name.replace('.', '.test-only.')}`);
const tlsOf = (key: string, cert: string) => ({
  key: readFileSync(fileOf(key), 'utf8'),
  cert: readFileSync(fileOf(cert), 'utf8'),
});

/** The test-only certificate for `localhost`, in PEM; see tls/README.md. */
export const LOCALHOST_TLS = tlsOf('localhost.key', 'localhost.crt');
/**
 * Files for `NODE_EXTRA_CA_CERTS`: that certificate, and that of the authority behind {@link
 * issuedTls}.
 */
export const LOCALHOST_CERT_FILE = fileOf('localhost.crt');
export const AUTHORITY_FILE = fileOf('authority.crt');

/** The files of {@link issuedTls}, for servers that are programs. */
export const ISSUED_FILES = { key: fileOf('issued.key'), cert: fileOf('issued.crt') };

/**
 * A test-only certificate for `localhost` that an authority has signed; the expired one is of 2020.
 */
export const issuedTls = (name: 'issued' | 'expired') => tlsOf('issued.key', `${name}.crt`);

/** A port on loopback that answers connections as told, until the test ends. */
export async function testTcp(onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

export async function closedPort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * A port whose queue of connections is full, as behind a firewall that drops: connecting to it
 * never ends.
 */
export async function testFullPort(): Promise<number> {
  const script = `require('net').createServer().listen({port: 0, host: '127.0.0.1', backlog: 1}, function () {
    console.log(this.address().port);
  });`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const fillers: Socket[] = [];
  let late = 0;
  onTestFinished(() => {
    for (const filler of fillers) filler.destroy();
    child.kill('SIGKILL');
  });
  const [line] = await once(child.stdout, 'data');
  const port = Number(String(line).trim());
  child.kill('SIGSTOP');
  for (let count = 0; count < 8; count += 1) {
    const filler = net.connect(port, '127.0.0.1');
    fillers.push(filler.on('error', () => {}));
    // One may be late because the machine is busy.
    if ((await Promise.race([once(filler, 'connect'), pause(150, 'late')])) === 'late') late += 1;
    if (late === 2) return port;
  }
  throw new Error('the queue of the port could not be filled');
}
