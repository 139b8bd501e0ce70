import { usageError } from '../errors.ts';
import { type DomainScan, RECORD_TYPES, type RecordType } from '../spec/types.ts';
import { ask } from './ask.ts';
import { DnsFault } from './fault.ts';
import type { ResourceRecord } from './message.ts';
import { type DnsServer, findServer, type NamedHost } from './server.ts';

/** A record as a scan answers it. */
interface ScannedRecord {
  readonly subdomain: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number;
  readonly priority?: number;
}

/**
 * The names that are asked for. DNS does not list a zone, so a scan can only try what zones usually hold; the warning of
 * its answer says so.
 */
const USUAL_NAMES: readonly string[] = [
  '',
  '*',
  '_dmarc',
  '_imaps._tcp',
  '_sip._tcp',
  '_sipfederationtls._tcp',
  '_submission._tcp',
  '_xmpp-server._tcp',
  'api',
  'app',
  'autoconfig',
  'autodiscover',
  'blog',
  'cdn',
  'default._domainkey',
  'dev',
  'docs',
  'ftp',
  'google._domainkey',
  'imap',
  'k1._domainkey',
  'mail',
  'mail._domainkey',
  'mx',
  'pop',
  's1._domainkey',
  's2._domainkey',
  'selector1._domainkey',
  'selector2._domainkey',
  'shop',
  'smtp',
  'staging',
  'status',
  'webmail',
  'www',
];

/** A name that no zone holds on purpose; what answers for it is a wildcard. */
const UNLIKELY_NAME = 'svc-scan-no-such-name';

/** Scans zones by asking one nameserver; `undefined` for a zone that it does not hold. */
export async function zoneScanner(host: NamedHost): Promise<(domain: string) => Promise<DomainScan | undefined>> {
  const server = await findServer(host);
  if (server === undefined)
    throw usageError(`The name server ${host.host} was not found.`, '--dns-server 127.0.0.1:5353');
  return (domain) => scanZone(server, domain);
}

async function scanZone(server: DnsServer, domain: string): Promise<DomainScan | undefined> {
  const nameservers = await recordsAt(server, domain, '', 'NS');
  if (nameservers.length === 0) return undefined;
  const records: ScannedRecord[] = [];
  for (const subdomain of USUAL_NAMES) {
    for (const type of RECORD_TYPES) {
      // The nameservers of the apex are what the move replaces.
      if (subdomain === '' && (type === 'NS' || type === 'CNAME')) continue;
      records.push(...(await recordsAt(server, domain, subdomain, type)));
    }
  }
  const wildcard = records.filter(({ subdomain }) => subdomain === '*');
  const own = records.filter(
    (record) => record.subdomain === '*' || !wildcard.some((star) => isSameData(star, record)),
  );
  return {
    apex: domain,
    currentNameservers: nameservers.map(({ value }) => value),
    records: own,
    warnings: [
      'DNS does not list a zone: only usual names were tried. Compare with your DNS provider before you switch.',
    ],
  };
}

async function recordsAt(
  server: DnsServer,
  domain: string,
  subdomain: string,
  type: RecordType,
): Promise<readonly ScannedRecord[]> {
  // A wildcard is asked for by a name that only it can answer.
  const label = subdomain === '*' ? UNLIKELY_NAME : subdomain;
  const name = label === '' ? domain : `${label}.${domain}`;
  try {
    const { answers } = await ask(server, { name, type }, { recursive: false });
    return answers
      .filter((record) => record.type === type && record.name === name)
      .map((record) => toScanned(record, subdomain));
  } catch (error) {
    if (error instanceof DnsFault) return [];
    throw error;
  }
}

function toScanned({ type, value, ttl, priority }: ResourceRecord, subdomain: string): ScannedRecord {
  return { subdomain, type, value, ttl, ...(priority === undefined ? {} : { priority }) };
}

function isSameData(one: ScannedRecord, other: ScannedRecord): boolean {
  return one.type === other.type && one.value === other.value && one.priority === other.priority;
}
