import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Answer, DecodedPacket } from 'dns-packet';
import { CliError } from '../src/errors.ts';
import { lazy } from '../src/lazy.ts';
import { once } from '../src/once.ts';
import { findRecords } from './dns-zones.ts';
import type { Parts } from './parts.ts';

const LOOPBACK = '127.0.0.1';
const MAX_CONNECTIONS = 16;
const SILENCE_MS = 5_000;

/**
 * Plays resolver, registry and nameservers in one server, over UDP and TCP on a free port.
 * @throws CliError `usage` if no port can be opened.
 */
export async function startDns(parts: Parts) {
  const { udp, tcp, port } = await openPort();
  udp.on('message', (query, { port: sender, address }) => {
    void respond(parts, query, 'udp').then((reply) => {
      if (reply !== undefined && !parts.closing.aborted) udp.send(reply, sender, address);
    });
  });
  udp.on('error', () => {});
  const open = new Set<Socket>();
  tcp.maxConnections = MAX_CONNECTIONS;
  tcp.on('connection', (socket) => {
    open.add(socket);
    socket.on('error', () => {}).once('close', () => open.delete(socket));
    socket.setTimeout(SILENCE_MS, () => socket.destroy());
    answerOverTcp(parts, socket);
  });
  return {
    address: `${LOOPBACK}:${port}`,
    close: once(async () => {
      for (const socket of open) socket.destroy();
      await Promise.all([
        new Promise<void>((resolve) => udp.close(() => resolve())),
        new Promise<void>((resolve) => tcp.close(() => resolve())),
      ]);
    }),
  };
}

/** Opens the same port for both. TCP is asked first: connections of the whole machine take up its ports, UDP has few. */
async function openPort(triesLeft = 5): Promise<{ udp: UdpSocket; tcp: Server; port: number }> {
  const udp = createSocket('udp4');
  const tcp = createServer();
  try {
    await new Promise<void>((resolve, reject) => tcp.once('error', reject).listen(0, LOOPBACK, resolve));
    const { port } = tcp.address() as AddressInfo;
    await new Promise<void>((resolve, reject) => udp.once('error', reject).bind(port, LOOPBACK, resolve));
    return { udp, tcp, port };
  } catch (cause) {
    tcp.close();
    udp.close();
    if (triesLeft > 0) return openPort(triesLeft - 1);
    throw new CliError('usage', 'The DNS server of the sandbox cannot open a port on 127.0.0.1.', { cause });
  }
}

/** Each message has its length in front (RFC 1035, section 4.2.2). One query a connection is enough here. */
function answerOverTcp(parts: Parts, socket: Socket): void {
  let bytes = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    const end = bytes.length < 2 ? Number.POSITIVE_INFINITY : 2 + bytes.readUInt16BE(0);
    if (bytes.length < end) return;
    socket.removeAllListeners('data');
    void respond(parts, bytes.subarray(2, end), 'tcp').then((reply) => {
      if (reply === undefined) return socket.destroy();
      const length = Buffer.alloc(2);
      length.writeUInt16BE(reply.length);
      return socket.end(Buffer.concat([length, reply]));
    });
  });
}

const FLAGS = { authoritative: 0x400, truncated: 0x200, recursionAvailable: 0x80 };
const SERVFAIL = 2;
/** What fits into a UDP answer unless the query allows more. */
const UDP_BYTES = 512;

/** Resolves to `undefined` for anything but a query. */
async function respond(parts: Parts, bytes: Buffer, over: 'udp' | 'tcp'): Promise<Buffer | undefined> {
  const { decode, encode } = await lazy.dnsPacket();
  let query: DecodedPacket;
  try {
    query = decode(bytes);
  } catch {
    return undefined;
  }
  const [question] = query.questions ?? [];
  if (query.type !== 'query' || question === undefined) return undefined;
  const message = (flags: number, answers: Answer[]) =>
    encode({
      type: 'response',
      id: query.id ?? 0,
      flags: FLAGS.authoritative | FLAGS.recursionAvailable | flags,
      questions: [question],
      answers,
    });
  try {
    const { code, answers } = findRecords(parts, question.name.toLowerCase(), question.type, query.flag_rd);
    const reply = message(code, answers);
    const allowed = (query.additionals ?? []).map((one) => (one.type === 'OPT' ? one.udpPayloadSize : 0));
    return over === 'udp' && reply.length > Math.max(UDP_BYTES, ...allowed) ? message(FLAGS.truncated, []) : reply;
  } catch {
    // A staged value is not data of its type.
    return message(SERVFAIL, []);
  }
}
