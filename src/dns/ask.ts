import { DnsFault } from './fault.ts';
import type { DnsReply, Question } from './message.ts';
import type { DnsServer } from './server.ts';
import { askOverTcp } from './tcp.ts';
import { askOverUdp } from './udp.ts';

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
