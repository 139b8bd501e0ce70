import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { lazy } from '../lazy.ts';
import { DnsFault } from './fault.ts';
import { type DnsReply, decodeReply, encodeQuery, type Question } from './message.ts';
import type { DnsServer } from './server.ts';

/** One try to get an answer. */
export interface Try {
  readonly recursive: boolean;
  /** Whether to announce that long answers are welcome. */
  readonly edns: boolean;
  /** Milliseconds until the answer must be there. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A message id has 16 bits. */
export const IDS = 0x1_0000;

/**
 * Puts a question once over UDP, with a random id and from a random port. The socket takes packets of that server only;
 * what is no answer to the question is passed over, and the wait goes on.
 * @throws DnsFault where no answer came; the signal's reason when aborted.
 */
export async function askOverUdp(server: DnsServer, question: Question, options: Try): Promise<DnsReply> {
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
