import type { Zone, ZoneRecord } from '../spec/types.ts';
import { ask, askAll } from './client.ts';
import type { DnsReply, QueryType } from './message.ts';
import { createResolver } from './resolver.ts';
import { type DnsServer, findServer, readServer, showServer } from './server.ts';

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
 * server does not know. Lets the sandbox rehearse a move with a real zone. Throws a usage error if the text is no server;
 * a scan throws an Error if the server gives no answer about the domain.
 */
export function zoneScanner(server: string): (domain: string) => Promise<Zone | undefined> {
  const named = readServer(server, '--dns-server');
  return async (domain) => {
    const found = await findServer(named);
    if (found === undefined) throw new Error(`The DNS server ${showServer(named)} has no address.`);
    return scanZone(domain, found);
  };
}

async function scanZone(domain: string, server: DnsServer): Promise<Zone | undefined> {
  const resolver = createResolver([server]);
  const soa = await ask(server, { name: domain, type: 'SOA' }, { recursive: true });
  const code = typeof soa === 'string' ? soa : soa.code;
  // A nameserver refuses questions about zones that it does not have.
  if (code === 'NXDOMAIN' || code === 'REFUSED') return undefined;
  if (typeof soa === 'string' || code !== 'NOERROR')
    throw new Error(`The DNS server gave no answer about ${domain} (${code}).`);
  if (!soa.answers.some(({ type }) => type === 'SOA')) return undefined;
  const { records, unanswered } = await scanNames(domain, server);
  const [nameservers, ds] = await Promise.all([resolver.lookup(domain, 'NS'), resolver.lookup(domain, 'DS')]);
  return {
    apex: domain,
    currentNameservers: nameservers.outcome === 'found' ? nameservers.records.map(({ value }) => value).sort() : [],
    records,
    warnings: [
      'Only names that are usual were asked for: a zone cannot be listed from outside.',
      ...[...unanswered].map(([reason, questions]) => missing(reason, questions)),
      ...(nameservers.outcome === 'failed' ? [missing(nameservers.reason, [`${domain} NS`])] : []),
      ...(ds.outcome === 'found' ? [`DNSSEC is on for ${domain}: remove its DS record before the switch.`] : []),
      ...(ds.outcome === 'failed' ? [`Nobody answered whether DNSSEC is on for ${domain} (${ds.reason}).`] : []),
    ],
  };
}

function missing(reason: string, questions: readonly string[]): string {
  return `No answer (${reason.replace('_', ' ')}), so records may be missing: ${questions.join(', ')}.`;
}

/** After this many questions that met silence, the server is not asked the rest: each of them takes three seconds. */
const PATIENCE = 20;

/** Asks for all names. What was not answered is listed by its reason. */
async function scanNames(domain: string, server: DnsServer) {
  const questionsOf = (subdomain: string, types: readonly QueryType[]) =>
    types.map((type) => ({ name: subdomain === '' ? domain : `${subdomain}.${domain}`, type, subdomain }));
  const questions = [
    ...questionsOf('', TYPES_OF_THE_APEX),
    ...HOSTS.flatMap((host) => questionsOf(host, TYPES_OF_A_HOST)),
    ...TEXTS.flatMap((name) => questionsOf(name, ['TXT', 'CNAME'])),
    ...SERVICES.flatMap((name) => questionsOf(name, ['SRV'])),
  ];
  const records: ZoneRecord[] = [];
  const unanswered = new Map<string, string[]>();
  for (const { question, reply } of await askAll(server, questions, { recursive: true }, PATIENCE)) {
    const { name, type, subdomain } = question;
    const reason = typeof reply === 'string' ? reply : reply.code;
    if (typeof reply !== 'string' && (reason === 'NOERROR' || reason === 'NXDOMAIN')) {
      records.push(...recordsOf(reply, name, type, subdomain));
    } else unanswered.set(reason, [...(unanswered.get(reason) ?? []), `${name} ${type}`]);
  }
  return { records, unanswered };
}

/** Resolvers follow a CNAME; the records of its target belong to another name. */
function recordsOf({ answers }: DnsReply, name: string, type: QueryType, subdomain: string): ZoneRecord[] {
  const own = answers.filter((record) => record.type === type && record.name === name);
  return own.map(({ value, ttl, priority }) => ({
    subdomain,
    type,
    value,
    ttl,
    ...(priority !== undefined && { priority }),
  }));
}
