import type { QueryType, ResourceRecord } from './message.ts';
import { createResolver, type Resolver } from './resolver.ts';
import { findServer, readServer } from './server.ts';

/** A record of a scanned zone, in the form in which the service's own scan answers. */
export interface ScannedRecord {
  readonly subdomain: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number;
  readonly priority?: number;
}

/** What a scan found, in the form of operation 4. */
export interface ScannedZone {
  readonly apex: string;
  readonly currentNameservers: readonly string[];
  readonly records: readonly ScannedRecord[];
  readonly warnings: readonly string[];
}

const TYPES_OF_THE_APEX: readonly QueryType[] = ['A', 'AAAA', 'MX', 'TXT', 'CAA'];
const TYPES_OF_A_HOST: readonly QueryType[] = ['A', 'AAAA', 'CNAME', 'MX', 'TXT'];

/** Names that many zones have. A zone cannot be listed from outside, so a scan can only try. */
const HOSTS = (
  'www mail webmail smtp imap pop pop3 ftp autodiscover autoconfig mx api app blog shop cdn static assets img dev ' +
  'staging test beta admin portal docs help support status git vpn remote m'
).split(' ');
const TEXTS = (
  '_dmarc _mta-sts _smtp._tls default._domainkey google._domainkey k1._domainkey k2._domainkey mail._domainkey ' +
  's1._domainkey s2._domainkey selector1._domainkey selector2._domainkey'
).split(' ');
const SERVICES =
  '_sip._tcp _sip._udp _sips._tcp _xmpp-client._tcp _xmpp-server._tcp _autodiscover._tcp _imaps._tcp'.split(' ');

/** Names that are asked for at a time. */
const AT_A_TIME = 8;

/**
 * Scans zones of a DNS server, `host[:port]`, by asking for names that are usual; `undefined` for a domain that it does
 * not know. For the sandbox, so that a move can be rehearsed with a zone of one's own. Throws a usage error where the
 * text is no server.
 */
export function zoneScanner(server: string): (domain: string) => Promise<ScannedZone | undefined> {
  const named = readServer(server, '--dns-server');
  return async (domain) => {
    const found = await findServer(named);
    return found === undefined ? undefined : scanZone(domain, createResolver([found]));
  };
}

async function scanZone(domain: string, resolver: Resolver): Promise<ScannedZone | undefined> {
  const soa = await resolver.lookup(domain, 'SOA');
  if (soa.outcome !== 'found') return undefined;
  const questions = [
    ...TYPES_OF_THE_APEX.map((type) => ['', type] as const),
    ...HOSTS.flatMap((host) => TYPES_OF_A_HOST.map((type) => [host, type] as const)),
    ...TEXTS.flatMap((name) => (['TXT', 'CNAME'] as const).map((type) => [name, type] as const)),
    ...SERVICES.map((name) => [name, 'SRV'] as const),
  ];
  const answers = await inTurn(questions, ([subdomain, type]) => findRecords(subdomain, type, domain, resolver));
  const [nameservers, ds] = await Promise.all([resolver.lookup(domain, 'NS'), resolver.lookup(domain, 'DS')]);
  return {
    apex: domain,
    currentNameservers: nameservers.outcome === 'found' ? nameservers.records.map(({ value }) => value).sort() : [],
    records: answers.flat(),
    warnings: [
      'Only names that are usual were asked for: a zone cannot be listed from outside.',
      ...(ds.outcome === 'found' ? [`DNSSEC is on for ${domain}: remove its DS record before the switch.`] : []),
    ],
  };
}

async function findRecords(
  subdomain: string,
  type: QueryType,
  domain: string,
  resolver: Resolver,
): Promise<readonly ScannedRecord[]> {
  const name = subdomain === '' ? domain : `${subdomain}.${domain}`;
  const found = await resolver.lookup(name, type);
  if (found.outcome !== 'found') return [];
  // An alias is followed by resolvers: what stands at its end belongs to another name.
  return found.records.filter((record) => record.name === name).map((record) => toScanned(subdomain, record));
}

function toScanned(subdomain: string, { type, value, ttl, priority }: ResourceRecord): ScannedRecord {
  return { subdomain, type, value, ttl, ...(priority === undefined ? {} : { priority }) };
}

/** Works on the items, a few at a time, and keeps their order. */
async function inTurn<Item, Made>(items: readonly Item[], work: (item: Item) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = [];
  const waiting = [...items.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) made[next[0]] = await work(next[1]);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  return made;
}
