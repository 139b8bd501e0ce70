import type { Answer } from 'dns-packet';
import { type DnsAnswer, type DnsQuestion, fromTable, NXDOMAIN, SERVFAIL, testDns } from './dns.ts';

/** What a small world says about the domain `moved.test`. */
export interface DnsWorld {
  /** The nameservers that the zone above has; absent: the zone above cannot be found. */
  readonly parent?: readonly string[] | undefined;
  /** The nameservers that the resolver has; absent: it fails. */
  readonly resolver?: readonly string[] | undefined;
  /** The DS records of the zone above; `fails`: nobody answers for them. */
  readonly ds?: readonly unknown[] | 'fails';
}

export const SOME_DS = { keyTag: 4711, algorithm: 13, digestType: 2, digest: Buffer.alloc(32, 7) };

const HOSTS = ['ns1.new.test', 'ns2.new.test', 'ns1.old.test', 'ns2.old.test', 'a.parent.test'];

/**
 * Starts a resolver that is the nameserver of the zone `test` as well; every host is on 127.0.0.1.
 * What it says is read at each question, so a test may change it on the way.
 */
export function testWorld(world: () => DnsWorld) {
  return testDns((question) => {
    if (question.name === 'moved.test') return aboutDomain(question, world());
    const hosts = Object.fromEntries(HOSTS.map((host) => [`${host} A`, ['127.0.0.1']]));
    return fromTable({ ...hosts, ...(world().parent && { 'test NS': ['a.parent.test'] }) })(
      question,
    );
  });
}

function aboutDomain(
  { name, type, recursive }: DnsQuestion,
  { parent, resolver, ds = [] }: DnsWorld,
): DnsAnswer {
  const records = (type: string, data: readonly unknown[]) =>
    data.map((value) => ({ name, type, ttl: 300, data: value }) as Answer);
  if (type === 'DS') {
    if (ds === 'fails') return { code: SERVFAIL, authoritative: false };
    return { answers: records('DS', ds), authoritative: false };
  }
  if (!recursive && parent?.length === 0) return { code: NXDOMAIN };
  if (!recursive) return { authorities: records('NS', parent ?? []), authoritative: false };
  if (resolver === undefined) return { code: SERVFAIL, authoritative: false };
  return { answers: records('NS', type === 'NS' ? resolver : []), authoritative: false };
}

/** What a nameserver of `moved.test` holds, beside its SOA record; keys are `name TYPE`. */
export function zoneTable(more: Readonly<Record<string, readonly unknown[]>>) {
  const soa = { mname: 'ns1.new.test', rname: 'admin.new.test', serial: 1 };
  return fromTable({ 'moved.test SOA': [soa], 'moved.test NS': ['ns1.new.test'], ...more });
}
