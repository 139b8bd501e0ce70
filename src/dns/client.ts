import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createConnection, isIPv6 } from 'node:net';
import { lazy } from '../lazy.ts';
import { type DnsReply, decodeReply, encodeQuery, type Question } from './message.ts';
import type { DnsServer } from './server.ts';

/**
 * Why a server gave no answer.
 * - `silent`: nothing came in time.
 * - `unreachable`: nothing listens there, or no way leads there.
 * - `garbled`: something came that is no answer to the question.
 */
export type DnsFaultKind = 'silent' | 'unreachable' | 'garbled';

/** A question that a server did not answer. */
export class DnsFault extends Error {
  readonly kind: DnsFaultKind;

  constructor(kind: DnsFaultKind, cause?: unknown) {
    super(WORDS[kind], { cause });
    this.name = 'DnsFault';
    this.kind = kind;
  }
}

const WORDS: Readonly<Record<DnsFaultKind, string>> = {
  silent: 'no answer in time',
  unreachable: 'cannot be reached',
  garbled: 'answers with something that is no DNS',
};

/** One try to get an answer. */
interface Try {
  readonly recursive: boolean;
  /** Whether to announce that long answers are welcome. */
  readonly edns: boolean;
  /** Milliseconds until the answer must be there. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A message id has 16 bits. */
const IDS = 0x1_0000;

/**
 * Puts a question once over UDP, with a random id and from a random port. The socket takes packets of that server only;
 * what is no answer to the question is passed over, and the wait goes on.
 * @throws DnsFault where no answer came; the signal's reason when aborted.
 */
async function askOverUdp(server: DnsServer, question: Question, options: Try): Promise<DnsReply> {
  const library = await lazy.dnsPacket();
  const id = randomInt(IDS);
  const query = encodeQuery(library, question, { ...options, id });
  options.signal?.throwIfAborted();
  const socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4');
  let timer: NodeJS.Timeout | undefined;
  let abort: (() => void) | undefined;
  try {
    return await new Promise((resolve, reject) => {
      let sawNoise = false;
      abort = () => reject(options.signal?.reason);
      const unreachable = (error: Error) => reject(new DnsFault('unreachable', error));
      timer = setTimeout(() => reject(new DnsFault(sawNoise ? 'garbled' : 'silent')), options.timeoutMs);
      options.signal?.addEventListener('abort', abort, { once: true });
      socket.on('error', unreachable);
      socket.on('message', (bytes) => {
        const reply = decodeReply(library, bytes, question, id);
        if (reply === undefined) sawNoise = true;
        else resolve(reply);
      });
      socket.connect(server.port, server.address, (error?: Error) => {
        if (error === undefined || error === null) socket.send(query);
        else unreachable(error);
      });
    });
  } finally {
    clearTimeout(timer);
    if (abort !== undefined) options.signal?.removeEventListener('abort', abort);
    socket.close();
  }
}

/**
 * Puts a question over TCP (RFC 7766), where an answer may have 64 KiB.
 * @throws DnsFault where no answer came; the signal's reason when aborted.
 */
export async function askOverTcp(server: DnsServer, question: Question, options: Try): Promise<DnsReply> {
  const library = await lazy.dnsPacket();
  const id = randomInt(IDS);
  const query = encodeQuery(library, question, { ...options, id });
  const bytes = await exchange(server, withLength(query), options);
  const reply = decodeReply(library, bytes, question, id);
  if (reply === undefined || reply.truncated) throw new DnsFault('garbled');
  return reply;
}

/** Sends a message and takes the first one that comes back. */
async function exchange(server: DnsServer, message: Buffer, { timeoutMs, signal }: Try): Promise<Buffer> {
  signal?.throwIfAborted();
  const socket = createConnection({ host: server.address, port: server.port });
  let stop: unknown;
  const end = (reason: unknown) => {
    stop ??= reason;
    socket.destroy();
  };
  const abort = () => end(signal?.reason);
  const timer = setTimeout(() => end(new DnsFault('silent')), timeoutMs);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    socket.write(message);
    return await readMessage(socket);
  } catch (error) {
    throw stop ?? (error instanceof DnsFault ? error : new DnsFault('unreachable', error));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    socket.destroy();
  }
}

/** The first message of a stream, which may come in any pieces. */
async function readMessage(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  let received = Buffer.alloc(0);
  for await (const piece of stream) {
    received = Buffer.concat([received, piece]);
    if (received.length < 2) continue;
    const length = received.readUInt16BE(0);
    if (received.length >= 2 + length) return received.subarray(2, 2 + length);
  }
  throw new DnsFault('garbled');
}

function withLength(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

/** How a server is asked. */
export interface AskOptions {
  /** Whether the server is to ask others (a resolver), or to say what it holds itself (a nameserver). */
  readonly recursive: boolean;
  /** Milliseconds to wait for each try; packets get lost, so there is more than one. */
  readonly triesMs?: readonly number[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds of the first and the second try: three seconds in all, as resolvers themselves wait about that long. */
const TRIES_MS: readonly number[] = [1000, 2000];

/**
 * Puts a question to one server: over UDP, again when nothing comes, without EDNS where the server does not know it, and
 * over TCP when the answer is too long for a packet.
 * @throws DnsFault where no answer came; the signal's reason when aborted.
 */
export async function ask(server: DnsServer, question: Question, options: AskOptions): Promise<DnsReply> {
  const { recursive, signal, triesMs = TRIES_MS } = options;
  let edns = true;
  let fault = new DnsFault('silent');
  for (const timeoutMs of triesMs) {
    try {
      let reply = await askOverUdp(server, question, { recursive, edns, timeoutMs, signal });
      if (edns && isEdnsRefused(reply)) {
        edns = false;
        reply = await askOverUdp(server, question, { recursive, edns, timeoutMs, signal });
      }
      return reply.truncated ? await askOverTcp(server, question, { recursive, edns, timeoutMs, signal }) : reply;
    } catch (error) {
      if (!(error instanceof DnsFault)) throw error;
      fault = error;
      if (error.kind === 'unreachable') break;
    }
  }
  throw fault;
}

function isEdnsRefused({ code }: DnsReply): boolean {
  return code === 'FORMERR' || code === 'NOTIMP';
}
