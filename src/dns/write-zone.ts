import { type DnsRecord, RECORD_TYPES } from '../contract/operations.ts';
import { mayHavePriority } from './record-value.ts';

/** The most bytes of one character string (RFC 1035, section 3.3). */
const MAX_STRING_BYTES = 255;

/** A record to write; `strings` are those of a TXT record that has bounds of its own. */
type ZoneSource = DnsRecord & { readonly strings?: readonly Buffer[] | undefined };

/**
 * Writes checked records as a zone file (RFC 1035, section 5) without an SOA record, which the
 * nameserver adds. A record without its priority has no form there: the text has it as a comment,
 * and is not whole.
 */
export function writeZone(records: readonly ZoneSource[], apex: string) {
  const longest = records.reduce((most, { subdomain }) => Math.max(most, subdomain.length), 1);
  const width = Math.min(32, longest);
  let isWhole = true;
  const lines = records.toSorted(compareRecords).map((record) => {
    const data = writeData(record);
    const line = `${(record.subdomain || '@').padEnd(width)} ${record.ttl} IN ${record.type} `;
    if (data !== undefined) return line + data;
    isWhole = false;
    return `; left out, no priority: ${line}${record.value}`;
  });
  const head = [
    `; DNS records of ${apex}, written by svc; without an SOA record`,
    `$ORIGIN ${apex}.`,
    '$TTL 3600',
    '',
  ];
  return { text: `${[...head, ...lines].join('\n')}\n`, isWhole };
}

function writeData({ type, value, priority, strings }: ZoneSource): string | undefined {
  if (type === 'TXT') return (strings ?? [Buffer.from(value)]).map(writeStrings).join(' ');
  if (type === 'CNAME' || type === 'NS') return addDot(value);
  if (!mayHavePriority(type)) return value;
  if (priority === undefined) return undefined;
  return `${priority} ${addDot(value.replaceAll(/ +/g, ' '))}`;
}

function addDot(name: string): string {
  return name.endsWith('.') ? name : `${name}.`;
}

/**
 * Writes the bytes of a TXT record as quoted strings. Those beyond printable ASCII become `\DDD`,
 * which every editor keeps.
 */
export function writeStrings(bytes: Buffer): string {
  const strings: string[] = [];
  for (let start = 0; start === 0 || start < bytes.length; start += MAX_STRING_BYTES) {
    strings.push(
      `"${Array.from(bytes.subarray(start, start + MAX_STRING_BYTES), writeByte).join('')}"`,
    );
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
