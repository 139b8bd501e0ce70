import { isUtf8 } from 'node:buffer';
import type { Answer, Packet } from 'dns-packet';
import type { RecordType } from '../contract/operations.ts';
import { tryOr } from '../errors.ts';
import type { lazy } from '../lazy.ts';
import { writeStrings } from './write-zone.ts';

/** The record types that svc asks for. */
export type QueryType = RecordType | 'SOA' | 'DS';

/** One question to a server (RFC 1035, section 4.1.2), of class IN. */
export interface DnsQuestion {
  /** The full name without the final dot; the empty string is the root. */
  readonly name: string;
  readonly type: QueryType;
}

/** A record of an answer (RFC 1035, section 4.1.3). */
export interface ResourceRecord {
  /** The name in lower case, without the final dot. */
  readonly name: string;
  readonly type: string;
  /** The data as in a zone file; for MX and SRV without the priority. */
  readonly value: string;
  readonly priority?: number | undefined;
}

/** The ends without an answer, in words. */
export const FAULTS: Readonly<Record<string, string>> = {
  silent: 'no answer in time',
  unreachable: 'cannot be reached',
  garbled: 'answers with something that is no DNS',
};

/** The response codes (RFC 1035, section 4.1.1) that answer a query. */
const CODES = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED'] as const;

/** An answer to a {@link DnsQuestion}, or what stands for it. */
export interface DnsReply {
  readonly code: (typeof CODES)[number] | 'OTHER' | 'silent' | 'unreachable' | 'garbled';
  /** Whether the server is one of the zone's own. */
  readonly authoritative: boolean;
  /** Whether it has to be asked for again over TCP. */
  readonly truncated: boolean;
  readonly answers: readonly ResourceRecord[];
  /** The nameservers of the zone below, in a referral. */
  readonly authorities: readonly ResourceRecord[];
}

/** Creates the reply of a server that gave none, or one of which only the head can be read. */
export function createEmptyReply(code: DnsReply['code'], truncated = false): DnsReply {
  return { code, authoritative: false, truncated, answers: [], authorities: [] };
}

const RECURSION_DESIRED = 0x0100;
/** Makes a validating resolver answer even if DNSSEC is broken, so that records can be compared. */
const CHECKING_DISABLED = 0x0010;
const CODE_BITS = 0x0f;
/** The most bytes that every network passes unfragmented (DNS flag day 2020). */
const UDP_PAYLOAD = 1232;

/** Accepts long answers. The other fields are 0 if they are not given. */
const EDNS = { type: 'OPT', name: '.', udpPayloadSize: UDP_PAYLOAD } as Answer;

type PacketLibrary = Awaited<ReturnType<typeof lazy.dnsPacket>>;

/** Returns a name as names are compared: lower case, no final dot; the root is empty. */
export function toBareName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/**
 * Writes the packet of a question (RFC 1035).
 * @param edns accepts long answers (RFC 6891); some old servers refuse such questions
 */
export function encodeQuery(
  { encode }: PacketLibrary,
  { name, type }: DnsQuestion,
  { id, recursive, edns }: Record<'recursive' | 'edns', boolean> & { readonly id: number },
): Buffer {
  return encode({
    type: 'query',
    id,
    flags: recursive ? RECURSION_DESIRED | CHECKING_DISABLED : 0,
    questions: [{ name, type, class: 'IN' }],
    additionals: edns ? [EDNS] : [],
  });
}

/**
 * Reads an answer to a question; undefined for anything else, so that a forged packet cannot end
 * the wait for it.
 */
export function decodeReply(
  { decode }: PacketLibrary,
  bytes: Buffer,
  question: DnsQuestion,
  id: number,
): DnsReply | undefined {
  const packet = tryOr(() => decode(bytes), undefined);
  if (packet === undefined) {
    return isCutOff(bytes, id) ? createEmptyReply('NOERROR', true) : undefined;
  }

  const code = readCode(packet);
  if (!packet.flag_qr || packet.id !== id || !isReplyTo(packet, question, code)) return undefined;
  return {
    code,
    authoritative: packet.flag_aa,
    truncated: packet.flag_tc,
    answers: (packet.answers ?? []).flatMap(toRecord),
    authorities: (packet.authorities ?? []).flatMap(toRecord),
  };
}

/**
 * Reads the response code, whose upper bits stand in the OPT record (RFC 6891, section 6.1.3):
 * BADVERS is 16, and its lower bits are those of NOERROR.
 */
function readCode({ flags = 0, additionals = [] }: Packet): DnsReply['code'] {
  const isExtended = additionals.some(
    (record) => record.type === 'OPT' && record.extendedRcode > 0,
  );
  return (isExtended ? undefined : CODES[flags & CODE_BITS]) ?? 'OTHER';
}

/**
 * Whether a long answer was cut inside a record, as some servers do: only its header can be read.
 */
function isCutOff(bytes: Buffer, id: number): boolean {
  if (bytes.length < 12 || bytes.readUInt16BE(0) !== id) return false;
  const flags = bytes.readUInt16BE(2);
  return (flags & 0x8000) !== 0 && (flags & 0x0200) !== 0;
}

/**
 * Whether a packet answers a question. An error may come without it: the server did not understand.
 */
function isReplyTo(
  { questions = [] }: Packet,
  question: DnsQuestion,
  code: DnsReply['code'],
): boolean {
  const [asked] = questions;
  if (asked === undefined) return code !== 'NOERROR' && code !== 'NXDOMAIN';
  return (
    questions.length === 1 &&
    asked.type === question.type &&
    toBareName(asked.name) === toBareName(question.name)
  );
}

function toRecord(answer: Answer): ResourceRecord[] {
  if (answer.type === 'OPT' || (answer.class ?? 'IN') !== 'IN') return [];
  const data = presentData(answer);
  return data === undefined ? [] : [{ name: toBareName(answer.name), type: answer.type, ...data }];
}

/** Presents data as a zone file has it. Returns undefined for types that svc does not ask for. */
function presentData(answer: Answer) {
  switch (answer.type) {
    case 'A':
    case 'AAAA':
      return { value: answer.data };
    case 'CNAME':
    case 'NS':
      return { value: toBareName(answer.data) };
    case 'MX':
      return { value: toHostName(answer.data.exchange), priority: answer.data.preference ?? 0 };
    case 'SRV': {
      const { priority = 0, weight = 0, port, target } = answer.data;
      return { value: `${weight} ${port} ${toHostName(target)}`, priority };
    }
    case 'TXT': {
      const bytes = Buffer.concat([answer.data].flat().map((part) => Buffer.from(part)));
      // Bytes that are not UTF-8 stay as a zone file has them, `"\255"`, since no text can stand
      // for them.
      return { value: isUtf8(bytes) ? bytes.toString() : writeStrings(bytes) };
    }
    case 'SOA':
      return { value: `${toBareName(answer.data.mname)} ${answer.data.serial ?? 0}` };
    case 'DS': {
      const { keyTag, algorithm, digestType, digest } = answer.data;
      return {
        value: `${keyTag} ${algorithm} ${digestType} ${digest.toString('hex').toUpperCase()}`,
      };
    }
    default:
      return undefined;
  }
}

/** Keeps the dot of the root, which as a target means that there is no such host. */
function toHostName(name: string): string {
  return toBareName(name) || '.';
}
