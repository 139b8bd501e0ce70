import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { on, once } from 'node:events';
import { createConnection, isIPv6 } from 'node:net';
import { lazy } from '../lazy.ts';
import {
  createEmptyReply,
  type DnsQuestion,
  type DnsReply,
  decodeReply,
  encodeQuery,
} from './message.ts';
import type { DnsServer } from './server.ts';

/** How to ask a server. */
export interface DnsOptions {
  /** True asks a resolver to find the answer; false asks a nameserver for its own data. */
  readonly recursive: boolean;
  /** The wait of each try; UDP loses packets, so there is more than one. */
  readonly triesMs?: readonly number[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Three seconds in all: resolvers wait about that long themselves. */
const TRIES_MS: readonly number[] = [1000, 2000];

/** The ends of a try after which another one may go better. */
const PASSING: ReadonlySet<DnsReply['code']> = new Set([
  'silent',
  'garbled',
  'SERVFAIL',
  'REFUSED',
]);

/** The answers of servers that do not know EDNS, or not its version (RFC 6891, section 7). */
const WITHOUT_EDNS: ReadonlySet<DnsReply['code']> = new Set(['FORMERR', 'NOTIMP', 'OTHER']);

/**
 * Asks one server, over TCP if the answer is too long for a packet. After any failure it asks
 * without EDNS, since some servers refuse or drop such questions. Throws only the signal's reason.
 */
export async function ask(
  server: DnsServer,
  question: DnsQuestion,
  { recursive, signal, triesMs = TRIES_MS }: DnsOptions,
): Promise<DnsReply> {
  const library = await lazy.dnsPacket();
  let edns = true;
  let last = createEmptyReply('silent');
  for (const timeoutMs of triesMs) {
    const send = (carry: Carrier) => {
      const id = randomInt(0x1_0000);
      const query = encodeQuery(library, question, { id, recursive, edns });
      const read = (bytes: Buffer) => decodeReply(library, bytes, question, id);
      const carried = (ends: AbortSignal) => carry(server, query, ends);
      return receiveReply(carried, read, timeoutMs, signal);
    };

    last = await send(carryOverUdp);
    if (edns && WITHOUT_EDNS.has(last.code)) {
      edns = false;
      last = await send(carryOverUdp);
    }
    if (last.truncated) last = await send(carryOverTcp);
    // An answer that is cut here as well may lack records.
    if (last.truncated) last = createEmptyReply('garbled');
    if (!PASSING.has(last.code)) break;
    edns = false;
  }
  return last;
}

/**
 * Returns the first message that answers a question. Ignores others, so that no one can forge an
 * end.
 */
async function receiveReply(
  receive: (ends: AbortSignal) => AsyncIterable<Buffer>,
  read: (bytes: Buffer) => DnsReply | undefined,
  timeoutMs: number,
  signal = new AbortController().signal,
): Promise<DnsReply> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  let code: DnsReply['code'] = 'silent';
  try {
    for await (const bytes of receive(AbortSignal.any([late.signal, signal]))) {
      const reply = read(bytes);
      if (reply !== undefined) return reply;
      code = 'garbled';
    }
  } catch {
    signal.throwIfAborted();
    if (!late.signal.aborted) code = 'unreachable';
  } finally {
    clearTimeout(timer);
  }
  return createEmptyReply(code);
}

/** Sends a query and yields what the server answers, until the signal aborts. */
type Carrier = (server: DnsServer, query: Buffer, signal: AbortSignal) => AsyncIterable<Buffer>;

/** Sends a packet from a random port. */
const carryOverUdp: Carrier = async function* (server, query, signal) {
  const socket = createSocket(isIPv6(server.host) ? 'udp6' : 'udp4');
  try {
    // Connected, so that the socket takes packets from this server only.
    socket.connect(server.port, server.host);
    await once(socket, 'connect', { signal });
    socket.send(query);
    for await (const [bytes] of on(socket, 'message', { signal })) yield bytes;
  } finally {
    socket.close();
  }
};

/** Carries answers of up to 64 KiB (RFC 7766); one that ends too early is cut. */
const carryOverTcp: Carrier = async function* (server, query, signal) {
  const socket = createConnection({ ...server, signal });
  socket.write(Buffer.concat([Buffer.of(query.length >> 8, query.length), query]));
  let received = Buffer.alloc(0);
  for await (const piece of socket) {
    received = Buffer.concat([received, piece]);
    if (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) break;
  }
  yield received.subarray(2);
};
