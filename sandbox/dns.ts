import { createSocket } from 'node:dgram';
import type { Answer, DecodedPacket } from 'dns-packet';
import { CliError } from '../src/errors.ts';
import { lazy } from '../src/lazy.ts';
import { once } from '../src/once.ts';
import { findRecords } from './dns-zones.ts';
import type { Parts } from './parts.ts';

const LOOPBACK = '127.0.0.1';

/**
 * Plays resolver, registry and nameservers in one server on a free port. Over UDP alone: on this
 * machine a packet has room for any answer.
 * @throws CliError `usage` if no port can be opened.
 */
export async function startDns(parts: Parts) {
  const socket = createSocket('udp4');
  try {
    await new Promise<void>((resolve, reject) =>
      socket.once('error', reject).bind(0, LOOPBACK, resolve),
    );
  } catch (cause) {
    throw new CliError('usage', 'The DNS server of the sandbox cannot open a port on 127.0.0.1.', {
      cause,
    });
  }
  socket.on('error', () => {});
  socket.on('message', (query, { port, address }) => {
    void respond(parts, query).then((reply) => {
      if (reply !== undefined && !parts.closing.aborted) socket.send(reply, port, address);
    });
  });
  return {
    address: `${LOOPBACK}:${socket.address().port}`,
    close: once(() => new Promise<void>((resolve) => socket.close(() => resolve()))),
  };
}

const AUTHORITATIVE = 0x400;
const RECURSION_AVAILABLE = 0x80;
const SERVFAIL = 2;

/** Resolves to `undefined` for anything but a query. */
async function respond(parts: Parts, bytes: Buffer): Promise<Buffer | undefined> {
  const { decode, encode } = await lazy.dnsPacket();
  let query: DecodedPacket;
  try {
    query = decode(bytes);
  } catch {
    return undefined;
  }
  const [question] = query.questions ?? [];
  if (query.type !== 'query' || question === undefined) return undefined;
  const message = (code: number, answers: Answer[], authorities?: Answer[]) =>
    encode({
      type: 'response',
      id: query.id ?? 0,
      flags: RECURSION_AVAILABLE | (authorities === undefined ? AUTHORITATIVE : 0) | code,
      questions: [question],
      answers,
      authorities: authorities ?? [],
    });
  try {
    const { code, answers, authorities } = findRecords(
      parts,
      question.name.toLowerCase(),
      question.type,
      query.flag_rd,
    );
    return message(code, answers, authorities);
  } catch {
    // A staged value is not data of its type.
    return message(SERVFAIL, []);
  }
}
