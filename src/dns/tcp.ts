import { randomInt } from 'node:crypto';
import { createConnection } from 'node:net';
import { lazy } from '../lazy.ts';
import { DnsFault } from './fault.ts';
import { type DnsReply, decodeReply, encodeQuery, type Question } from './message.ts';
import type { DnsServer } from './server.ts';
import { IDS, type Try } from './udp.ts';

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
