import type { Answer, Packet, Question as PacketQuestion } from 'dns-packet';
import type { lazy } from '../lazy.ts';

/** The data of a record as a zone file has it, the priority apart. */
interface PresentedData {
  readonly value: string;
  readonly priority?: number | undefined;
}

/** A name in the form in which names are compared: lower case, no last dot; the root is empty. */
export function bareName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/**
 * The data of a record in words; `undefined` for types that svc does not ask for. Host names are in lower case and have
 * no last dot, the strings of a TXT record are put together.
 */
function presentData(answer: Exclude<Answer, { type: 'OPT' }>): PresentedData | undefined {
  switch (answer.type) {
    case 'A':
    case 'AAAA':
      return { value: answer.data };
    case 'CNAME':
    case 'NS':
      return { value: bareName(answer.data) };
    case 'MX':
      return { value: hostName(answer.data.exchange), priority: answer.data.preference ?? 0 };
    case 'SRV': {
      const { priority = 0, weight = 0, port, target } = answer.data;
      return { value: `${weight} ${port} ${hostName(target)}`, priority };
    }
    case 'TXT':
      return { value: Buffer.concat([answer.data].flat().map((part) => Buffer.from(part))).toString('utf8') };
    case 'SOA':
      return { value: `${bareName(answer.data.mname)} ${answer.data.serial ?? 0}` };
    case 'CAA': {
      const { flags = 0, tag, value } = answer.data;
      return { value: `${flags} ${tag} ${JSON.stringify(value)}` };
    }
    case 'DS': {
      const { keyTag, algorithm, digestType, digest } = answer.data;
      return { value: `${keyTag} ${algorithm} ${digestType} ${digest.toString('hex').toUpperCase()}` };
    }
    case 'DNSKEY': {
      const { flags, algorithm, key } = answer.data;
      return { value: `${flags} 3 ${algorithm} ${key.toString('base64')}` };
    }
    default:
      return undefined;
  }
}

/** The root as a target says that there is no such host, and keeps its dot. */
function hostName(name: string): string {
  return bareName(name) || '.';
}

/** The record types that svc asks for. */
export type QueryType = 'A' | 'AAAA' | 'CNAME' | 'MX' | 'TXT' | 'NS' | 'SRV' | 'SOA' | 'CAA' | 'DS' | 'DNSKEY';

/** What a server is asked. */
export interface Question {
  /** A name in full, without a last dot; the empty string is the root. */
  readonly name: string;
  readonly type: QueryType;
}

/** One record of an answer. */
export interface ResourceRecord {
  /** In lower case, without a last dot. */
  readonly name: string;
  readonly type: string;
  /** Seconds that it may be kept. */
  readonly ttl: number;
  /** The data as a zone file has it; of MX and SRV without the priority. */
  readonly value: string;
  readonly priority?: number | undefined;
}

/** How a server judged a question (RFC 1035, section 4.1.1); `OTHER` is what no nameserver answers to a question. */
type ResponseCode = 'NOERROR' | 'FORMERR' | 'SERVFAIL' | 'NXDOMAIN' | 'NOTIMP' | 'REFUSED' | 'OTHER';

/** What a server answered. */
export interface DnsReply {
  readonly code: ResponseCode;
  /** Whether the server holds the zone itself. */
  readonly authoritative: boolean;
  /** Whether the answer did not fit, so that it has to be asked for again over TCP. */
  readonly truncated: boolean;
  readonly answers: readonly ResourceRecord[];
  /** In a referral: the nameservers of the zone below. */
  readonly authorities: readonly ResourceRecord[];
}

/** How a question is put. */
interface QueryOptions {
  readonly id: number;
  /** Whether the server is to ask others (a resolver), or to say what it holds itself (a nameserver). */
  readonly recursive: boolean;
  /** Whether to announce that long answers are welcome; some old servers refuse the announcement. */
  readonly edns: boolean;
}

const RECURSION_DESIRED = 0x0100;
/** Makes a validating resolver tell what it got even where DNSSEC is broken: svc judges that itself. */
const CHECKING_DISABLED = 0x0010;
const CODES: readonly ResponseCode[] = ['NOERROR', 'FORMERR', 'SERVFAIL', 'NXDOMAIN', 'NOTIMP', 'REFUSED'];
const CODE_BITS = 0x0f;
/** What passes through every network in one piece (DNS flag day 2020), in bytes. */
const UDP_PAYLOAD = 1232;

/** The library that knows the bytes of DNS messages. */
type PacketLibrary = Awaited<ReturnType<typeof lazy.dnsPacket>>;

/** The bytes of a question. */
export function encodeQuery({ encode }: PacketLibrary, question: Question, options: QueryOptions): Buffer {
  const { id, recursive, edns } = options;
  return encode({
    type: 'query',
    id,
    flags: recursive ? RECURSION_DESIRED | CHECKING_DISABLED : 0,
    questions: [{ name: question.name, type: question.type, class: 'IN' }],
    additionals: edns ? [announcement()] : [],
  });
}

/**
 * Reads an answer to a question. `undefined` for anything else: noise, another id, another question. Whoever can send
 * packets to this port must not be able to end the wait for the real answer.
 */
export function decodeReply(
  { decode }: PacketLibrary,
  bytes: Buffer,
  question: Question,
  id: number,
): DnsReply | undefined {
  let packet: ReturnType<typeof decode>;
  try {
    packet = decode(bytes);
  } catch {
    return isCutOff(bytes, id) ? CUT_OFF : undefined;
  }
  const code = CODES[(packet.flags ?? 0) & CODE_BITS] ?? 'OTHER';
  if (!packet.flag_qr || packet.id !== id || !answersTo(packet, question, code)) return undefined;
  return {
    code,
    authoritative: packet.flag_aa,
    truncated: packet.flag_tc,
    answers: (packet.answers ?? []).flatMap(toRecord),
    authorities: (packet.authorities ?? []).flatMap(toRecord),
  };
}

function announcement(): Answer {
  return {
    type: 'OPT',
    name: '.',
    udpPayloadSize: UDP_PAYLOAD,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  };
}

const CUT_OFF: DnsReply = { code: 'NOERROR', authoritative: false, truncated: true, answers: [], authorities: [] };

/** Some servers cut a long answer in the middle of a record: the head says so, and the rest cannot be read. */
function isCutOff(bytes: Buffer, id: number): boolean {
  if (bytes.length < 12 || bytes.readUInt16BE(0) !== id) return false;
  const flags = bytes.readUInt16BE(2);
  return (flags & 0x8000) !== 0 && (flags & 0x0200) !== 0;
}

/** A server that did not understand the question may leave it out of its answer. */
function answersTo({ questions = [] }: Packet, question: Question, code: ResponseCode): boolean {
  const [asked] = questions as readonly (PacketQuestion | undefined)[];
  if (asked === undefined) return code !== 'NOERROR' && code !== 'NXDOMAIN';
  return questions.length === 1 && asked.type === question.type && bareName(asked.name) === bareName(question.name);
}

function toRecord(answer: Answer): ResourceRecord[] {
  if (answer.type === 'OPT' || (answer.class ?? 'IN') !== 'IN') return [];
  const data = presentData(answer);
  return data === undefined ? [] : [{ name: bareName(answer.name), type: answer.type, ttl: answer.ttl ?? 0, ...data }];
}
