import type { Zone, ZoneRecord } from '../spec/types.ts';
import { mapLimited } from './client.ts';
import type { QueryType } from './message.ts';
import { createResolver, type Resolver } from './resolver.ts';
import { findServer, readServer } from './server.ts';

const TYPES_OF_THE_APEX: readonly QueryType[] = ['A', 'AAAA', 'MX', 'TXT', 'CAA'];
const TYPES_OF_A_HOST: readonly QueryType[] = ['A', 'AAAA', 'CNAME', 'MX', 'TXT'];

/** Common names. A zone cannot be listed from outside, so a scan can only guess. */
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

/**
 * Scans zones of a DNS server, `host[:port]`, by asking for common names; resolves to `undefined` for a domain that the
 * server does not know. Lets the sandbox rehearse a move with a real zone. Throws a usage error if the text is no server.
 */
export function zoneScanner(server: string): (domain: string) => Promise<Zone | undefined> {
  const named = readServer(server, '--dns-server');
  return async (domain) => {
    const found = await findServer(named);
    return found === undefined ? undefined : scanZone(domain, createResolver([found]));
  };
}

async function scanZone(domain: string, resolver: Resolver): Promise<Zone | undefined> {
  const soa = await resolver.lookup(domain, 'SOA');
  if (soa.outcome !== 'found') return undefined;
  const questions = [
    ...TYPES_OF_THE_APEX.map((type) => ['', type] as const),
    ...HOSTS.flatMap((host) => TYPES_OF_A_HOST.map((type) => [host, type] as const)),
    ...TEXTS.flatMap((name) => (['TXT', 'CNAME'] as const).map((type) => [name, type] as const)),
    ...SERVICES.map((name) => [name, 'SRV'] as const),
  ];
  const answers = await mapLimited(questions, ([subdomain, type]) => findRecords(subdomain, type, domain, resolver));
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
): Promise<readonly ZoneRecord[]> {
  const name = subdomain === '' ? domain : `${subdomain}.${domain}`;
  const found = await resolver.lookup(name, type);
  if (found.outcome !== 'found') return [];
  // Resolvers follow a CNAME; the records of its target belong to another name.
  const own = found.records.filter((record) => record.name === name);
  return own.map(({ type, value, ttl, priority }) => ({
    subdomain,
    type,
    value,
    ttl,
    ...(priority !== undefined && { priority }),
  }));
}
