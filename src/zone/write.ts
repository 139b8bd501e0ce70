import { type DnsRecord, RECORD_TYPES } from '../spec/types.ts';

interface ZoneText {
  readonly text: string;
  /** Records without their priority, which a zone file cannot express; the text has them as comments. */
  readonly omitted: readonly DnsRecord[];
}

/** The most bytes of one character string (RFC 1035, section 3.3). */
const MAX_STRING_BYTES = 255;

/**
 * Writes checked records as a zone file (RFC 1035, section 5), sorted by name and type. Host names get their final dot;
 * TXT values are split into strings of 255 bytes. There is no SOA record: the nameserver that serves the zone adds it.
 */
export function writeZone(records: readonly DnsRecord[], apex: string): ZoneText {
  const sorted = [...records].sort(compareRecords);
  const width = sorted.reduce((longest, { subdomain }) => Math.max(longest, subdomain.length), 1);
  const omitted: DnsRecord[] = [];
  const lines = sorted.map((record) => {
    const owner = (record.subdomain || '@').padEnd(Math.min(width, 32));
    const data = writeData(record);
    if (data === undefined) omitted.push(record);
    const line = `${owner} ${record.ttl} IN ${record.type} `;
    return data === undefined ? `; left out, no priority: ${line}${record.value}` : line + data;
  });
  const head = [`; DNS records of ${apex}, written by svc; without an SOA record`, `$ORIGIN ${apex}.`, '$TTL 3600', ''];
  return { text: `${[...head, ...lines].join('\n')}\n`, omitted };
}

function writeData({ type, value, priority }: DnsRecord): string | undefined {
  if (type === 'TXT') return writeStrings(Buffer.from(value));
  if (type === 'CNAME' || type === 'NS') return withDot(value);
  if (type !== 'MX' && type !== 'SRV') return value;
  if (priority === undefined) return undefined;
  if (type === 'MX') return `${priority} ${withDot(value)}`;
  const words = value.split(/ +/);
  const target = words.pop() ?? '';
  return [priority, ...words, withDot(target)].join(' ');
}

function withDot(name: string): string {
  return name.endsWith('.') ? name : `${name}.`;
}

/** Writes the bytes of a TXT record as quoted strings. Those beyond printable ASCII become `\DDD`, which every editor keeps. */
export function writeStrings(bytes: Buffer): string {
  const strings: string[] = [];
  for (let start = 0; start === 0 || start < bytes.length; start += MAX_STRING_BYTES) {
    strings.push(`"${Array.from(bytes.subarray(start, start + MAX_STRING_BYTES), writeByte).join('')}"`);
  }
  return strings.join(' ');
}

function writeByte(byte: number): string {
  const char = String.fromCharCode(byte);
  if (char === '"' || char === '\\') return `\\${char}`;
  return byte >= 0x20 && byte <= 0x7e ? char : `\\${String(byte).padStart(3, '0')}`;
}

function compareRecords(one: DnsRecord, other: DnsRecord): number {
  if (one.subdomain !== other.subdomain) return one.subdomain < other.subdomain ? -1 : 1;
  return RECORD_TYPES.indexOf(one.type) - RECORD_TYPES.indexOf(other.type);
}
