import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createConnection, isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
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
  let edns = true;
  let last = createEmptyReply('silent');
  for (const timeoutMs of triesMs) {
    const options = { recursive, timeoutMs, signal };
    last = await askOverUdp(server, question, { ...options, edns });
    if (edns && WITHOUT_EDNS.has(last.code)) {
      edns = false;
      last = await askOverUdp(server, question, { ...options, edns });
    }
    if (last.truncated) last = await askOverTcp(server, question, { ...options, edns });
    if (!PASSING.has(last.code)) break;
    edns = false;
  }
  return last;
}

interface Try extends Omit<DnsOptions, 'triesMs'> {
  readonly edns: boolean;
  readonly timeoutMs: number;
}

/**
 * Sends a question once, from a random port. Ignores packets that do not answer it, so that no one
 * can forge an end.
 */
async function askOverUdp(
  server: DnsServer,
  question: DnsQuestion,
  options: Try,
): Promise<DnsReply> {
  const { query, read } = await prepare(question, options);
  const socket = createSocket(isIPv6(server.host) ? 'udp6' : 'udp4');
  let late: DnsReply['code'] = 'silent';
  const reply = new Promise<DnsReply>((resolve) => {
    const unreachable = () => resolve(createEmptyReply('unreachable'));
    socket.on('error', unreachable);
    socket.on('message', (bytes) => {
      const answer = read(bytes);
      if (answer === undefined) late = 'garbled';
      else resolve(answer);
    });
    // Connected, so that the socket takes packets from this server only.
    socket.connect(server.port, server.host, (error?: Error | null) => {
      if (error) unreachable();
      else socket.send(query);
    });
  });
  try {
    return await withTimeout(reply, options, () => createEmptyReply(late));
  } finally {
    socket.close();
  }
}

/** Carries answers of up to 64 KiB (RFC 7766). */
async function askOverTcp(
  server: DnsServer,
  question: DnsQuestion,
  options: Try,
): Promise<DnsReply> {
  const { query, read } = await prepare(question, options);
  const socket = createConnection(server);
  socket.write(Buffer.concat([Buffer.of(query.length >> 8, query.length), query]));
  const reply = readMessage(socket).then(
    (message) => {
      const answer = message && read(message);
      return answer === undefined || answer.truncated ? createEmptyReply('garbled') : answer;
    },
    () => createEmptyReply('unreachable'),
  );
  try {
    return await withTimeout(reply, options, () => createEmptyReply('silent'));
  } finally {
    socket.destroy();
  }
}

/** Reads the first message of a stream; undefined if it ends before. */
async function readMessage(stream: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  let received = Buffer.alloc(0);
  for await (const piece of stream) {
    received = Buffer.concat([received, piece]);
    if (received.length < 2) continue;
    const end = 2 + received.readUInt16BE(0);
    if (received.length >= end) return received.subarray(2, end);
  }
  return undefined;
}

async function prepare(question: DnsQuestion, options: Try) {
  const library = await lazy.dnsPacket();
  options.signal?.throwIfAborted();
  const id = randomInt(0x1_0000);
  return {
    query: encodeQuery(library, question, { ...options, id }),
    read: (bytes: Buffer) => decodeReply(library, bytes, question, id),
  };
}

async function withTimeout(
  reply: Promise<DnsReply>,
  { timeoutMs, signal }: Try,
  late: () => DnsReply,
) {
  const done = new AbortController();
  const signals = signal === undefined ? [done.signal] : [done.signal, signal];
  const timer = sleep(timeoutMs, undefined, { signal: AbortSignal.any(signals) }).then(late, () => {
    signal?.throwIfAborted();
    return late();
  });
  try {
    return await Promise.race([reply, timer]);
  } finally {
    done.abort();
  }
}
