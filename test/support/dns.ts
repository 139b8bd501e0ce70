import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { type Answer, decode, encode } from 'dns-packet';
import { onTestFinished } from 'vitest';

type Over = 'udp' | 'tcp';

export type DnsQuestion = ReturnType<typeof read>;

interface Fields {
  /** From 16 on it needs an OPT record (RFC 6891). */
  readonly code?: number;
  /** `aa`; true unless told otherwise. */
  readonly authoritative?: boolean;
  readonly truncated?: boolean;
  readonly answers?: readonly Answer[];
  readonly authorities?: readonly Answer[];
}

/**
 * What to answer: fields of a message, whole messages as bytes (any number of them), or nothing.
 */
export type DnsAnswer = Fields | readonly Buffer[] | undefined;

/**
 * Starts a DNS server on loopback, over UDP and TCP on one port, that ends with the running test.
 */
export async function testDns(answer: (question: DnsQuestion) => DnsAnswer, address = '127.0.0.1') {
  const questions: DnsQuestion[] = [];
  const respond = (bytes: Buffer, over: Over): readonly Buffer[] => {
    const question = read(bytes, over);
    questions.push(question);
    const reply = answer(question) ?? [];
    return isBytes(reply) ? reply : [message(question, reply)];
  };
  const { udp, tcp } = await bindBoth(address);
  udp.on('message', (bytes, from) => {
    for (const reply of respond(bytes, 'udp')) udp.send(reply, from.port, from.address);
  });
  const sockets = new Set<Socket>();
  tcp.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    socket.once('data', (bytes) => {
      writeInPieces(socket, Buffer.concat(respond(bytes.subarray(2), 'tcp').map(framed)));
    });
  });
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => tcp.close(resolve));
    await new Promise<void>((resolve) => udp.close(() => resolve()));
  });
  const { port } = udp.address();
  /** `at` is what `SVC_DNS_SERVER` and `--nameserver` take. */
  return {
    host: address,
    port,
    at: `${address}:${port}`,
    questions: questions as readonly DnsQuestion[],
  };
}

export function message({ id, name, type }: DnsQuestion, reply: Fields): Buffer {
  const {
    code = 0,
    authoritative = true,
    truncated = false,
    answers = [],
    authorities = [],
  } = reply;
  return encode({
    type: 'response',
    id,
    flags: (authoritative ? 0x400 : 0) | (truncated ? 0x200 : 0) | (code & 0x0f),
    questions: [{ name, type: type as 'A' }],
    answers: [...answers],
    authorities: [...authorities],
    additionals: code > 0x0f ? [optRecord(code >> 4)] : [],
  });
}

function optRecord(extendedRcode: number): Answer {
  return {
    type: 'OPT',
    name: '.',
    udpPayloadSize: 1232,
    extendedRcode,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  };
}

/** A message with its length in front, as TCP carries it. */
function framed(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/**
 * Writes an answer as a network may carry it: its last byte is read apart from the others. The
 * reader, which is in this process, has its turn between two rounds of the event loop.
 */
function writeInPieces(socket: Socket, bytes: Buffer): void {
  socket.setNoDelay(true);
  socket.write(bytes.subarray(0, -1));
  setImmediate(() => setImmediate(() => socket.write(bytes.subarray(-1))));
}

/** Answers from a table whose keys are `name TYPE`; names that are not in it do not exist. */
export function fromTable(table: Readonly<Record<string, readonly unknown[]>>) {
  const names = new Set(Object.keys(table).map((key) => key.split(' ')[0]));
  return ({ name, type }: Pick<DnsQuestion, 'name' | 'type'>): DnsAnswer => {
    const data = table[`${name} ${type}`] ?? [];
    const answers = data.map((value) => ({ name, type, ttl: 300, data: value }) as Answer);
    return { answers, code: names.has(name) ? 0 : NXDOMAIN };
  };
}

export const SERVFAIL = 2;
export const NXDOMAIN = 3;
export const REFUSED = 5;
export const FORMERR = 1;
export const BADVERS = 16;
export const BADCOOKIE = 23;

function read(bytes: Buffer, over: Over) {
  const { questions, id = 0, flag_rd, additionals = [] } = decode(bytes);
  const { name = '', type = '' }: { name?: string; type?: string } = questions?.[0] ?? {};
  const edns = additionals.some((record) => record.type === 'OPT');
  // Whether the asker wants a resolver, and not what a nameserver holds itself.
  return { name, type, id, over, recursive: flag_rd, edns };
}

function isBytes(reply: Exclude<DnsAnswer, undefined>): reply is readonly Buffer[] {
  return Array.isArray(reply);
}

/** The port that the system chose for UDP may be taken for TCP. */
async function bindBoth(address: string) {
  for (;;) {
    const udp = createSocket('udp4');
    udp.bind(0, address);
    await once(udp, 'listening');
    const tcp = createServer().listen(udp.address().port, address);
    try {
      await once(tcp, 'listening');
      return { udp, tcp };
    } catch {
      await new Promise<void>((resolve) => udp.close(() => resolve()));
    }
  }
}
