import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createConnection, isIPv6 } from 'node:net';
import { lazy } from '../lazy.ts';
import { type DnsQuestion, type DnsReply, decodeReply, encodeQuery } from './message.ts';
import type { DnsServer } from './server.ts';

/**
 * Why a server gave no answer.
 * - `silent`: nothing arrived in time.
 * - `unreachable`: nothing listens there, or there is no route to it.
 * - `garbled`: something arrived, but no answer to the question.
 */
export type DnsFaultKind = 'silent' | 'unreachable' | 'garbled';

const WORDS: Readonly<Record<DnsFaultKind, string>> = {
  silent: 'no answer in time',
  unreachable: 'cannot be reached',
  garbled: 'answers with something that is no DNS',
};

/** A question that a server did not answer. */
export class DnsFault extends Error {
  readonly kind: DnsFaultKind;

  constructor(kind: DnsFaultKind, cause?: unknown) {
    super(WORDS[kind], { cause });
    this.name = 'DnsFault';
    this.kind = kind;
  }
}

/** How to ask a server. */
export interface DnsOptions {
  /** True asks a resolver to find the answer; false asks a nameserver for its own data. */
  readonly recursive: boolean;
  /** Milliseconds to wait for each try; UDP loses packets, so there is more than one. */
  readonly triesMs?: readonly number[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Three seconds in all: resolvers wait about that long themselves. */
const TRIES_MS: readonly number[] = [1000, 2000];

/**
 * Asks one server: over UDP, again after silence, SERVFAIL and REFUSED, which may pass, without EDNS if the server does not
 * support it, and over TCP if the answer is too long for a packet.
 * @throws DnsFault without an answer; the signal's reason when aborted.
 */
export async function ask(server: DnsServer, question: DnsQuestion, options: DnsOptions): Promise<DnsReply> {
  const { recursive, signal, triesMs = TRIES_MS } = options;
  let edns = true;
  let last: DnsReply | DnsFault = new DnsFault('silent');
  for (const timeoutMs of triesMs) {
    try {
      last = await askOverUdp(server, question, { recursive, edns, timeoutMs, signal });
      if (edns && (last.code === 'FORMERR' || last.code === 'NOTIMP')) {
        edns = false;
        last = await askOverUdp(server, question, { recursive, edns, timeoutMs, signal });
      }
      if (last.truncated) last = await askOverTcp(server, question, { recursive, edns, timeoutMs, signal });
      if (last.code !== 'SERVFAIL' && last.code !== 'REFUSED') return last;
    } catch (error) {
      if (!(error instanceof DnsFault)) throw error;
      last = error;
      if (error.kind === 'unreachable') break;
    }
  }
  if (last instanceof DnsFault) throw last;
  return last;
}

/** Asks like {@link ask}, and returns why there is no answer. Throws only the signal's reason. */
export async function askOrFail(
  server: DnsServer,
  question: DnsQuestion,
  options: DnsOptions,
): Promise<DnsReply | DnsFaultKind> {
  try {
    return await ask(server, question, options);
  } catch (error) {
    if (error instanceof DnsFault) return error.kind;
    throw error;
  }
}

/** Works on the items eight at a time, so that a server is not flooded, and keeps their order. */
export async function mapLimited<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = [...items.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return results;
}

interface Try extends Omit<DnsOptions, 'triesMs'> {
  readonly edns: boolean;
  readonly timeoutMs: number;
}

/** Sends a question once from a random port. Ignores packets that do not answer it, so that no one can forge an end. */
async function askOverUdp(server: DnsServer, question: DnsQuestion, options: Try): Promise<DnsReply> {
  const { query, read } = await prepare(question, options);
  const socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4');
  let sawNoise = false;
  const reply = new Promise<DnsReply>((resolve, reject) => {
    const unreachable = (error: Error) => reject(new DnsFault('unreachable', error));
    socket.on('error', unreachable);
    socket.on('message', (bytes) => {
      const found = read(bytes);
      if (found === undefined) sawNoise = true;
      else resolve(found);
    });
    // Connected, so that the socket takes packets from this server only.
    socket.connect(server.port, server.address, (error?: Error | null) => {
      if (error) unreachable(error);
      else socket.send(query);
    });
  });
  try {
    return await withTimeout(reply, options, () => new DnsFault(sawNoise ? 'garbled' : 'silent'));
  } finally {
    socket.close();
  }
}

/**
 * Sends a question over TCP (RFC 7766), which carries answers of up to 64 KiB.
 * @throws DnsFault without an answer; the signal's reason when aborted.
 */
export async function askOverTcp(server: DnsServer, question: DnsQuestion, options: Try): Promise<DnsReply> {
  const { query, read } = await prepare(question, options);
  const socket = createConnection({ host: server.address, port: server.port });
  const length = Buffer.alloc(2);
  length.writeUInt16BE(query.length);
  socket.write(Buffer.concat([length, query]));
  try {
    const reply = read(await withTimeout(readMessage(socket), options, () => new DnsFault('silent')));
    if (reply === undefined || reply.truncated) throw new DnsFault('garbled');
    return reply;
  } finally {
    socket.destroy();
  }
}

/** Reads the first message of a stream, which may arrive in any pieces. */
async function readMessage(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  let received = Buffer.alloc(0);
  try {
    for await (const piece of stream) {
      received = Buffer.concat([received, piece]);
      if (received.length < 2) continue;
      const end = 2 + received.readUInt16BE(0);
      if (received.length >= end) return received.subarray(2, end);
    }
  } catch (error) {
    throw new DnsFault('unreachable', error);
  }
  throw new DnsFault('garbled');
}

/** The bytes of a question with a random id, and the function that reads an answer to it. */
async function prepare(question: DnsQuestion, options: Try) {
  const library = await lazy.dnsPacket();
  options.signal?.throwIfAborted();
  const id = randomInt(0x1_0000);
  return {
    query: encodeQuery(library, question, { ...options, id }),
    read: (bytes: Buffer) => decodeReply(library, bytes, question, id),
  };
}

/** Waits for the work, but no longer than `timeoutMs`. @throws the fault after that; the signal's reason when aborted. */
async function withTimeout<T>(work: Promise<T>, { timeoutMs, signal }: Try, late: () => DnsFault): Promise<T> {
  let stop = () => {};
  const stopped = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => reject(late()), timeoutMs);
    const abort = () => reject(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    stop();
  }
}
