import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseSets, compareRecords, toRecordSets } from '../../src/dns/compare.ts';
import { checkDomain } from '../../src/dns/domain-check.ts';
import { createResolver } from '../../src/dns/resolver.ts';
import { fullName } from '../../src/zone/record-value.ts';
import { writeZone } from '../../src/zone/write.ts';
import { testKnot } from '../support/knot.ts';
import { needs } from '../support/needs.ts';
import { tries } from '../support/property.ts';
import { dnsRecord } from '../zone/arbitrary.ts';

const knotd = needs('knotd', 'knot');
const real = test.skipIf(knotd.missing);

const HOSTS = 'ns1.new A 127.0.0.1\nns1.old A 127.0.0.1\n@ NS ns1.new';
const NEW = { host: 'ns1.new.test', port: 53 };

real(knotd.title('DS records of a real key hold, and those of another key break the domain'), async () => {
  const ds = (records: ReadonlyMap<string, string>) => `${HOSTS}
good NS ns1.new
good DS ${records.get('good.test')}
bad NS ns1.new
bad DS ${records.get('good.test')}
plain NS ns1.new
plain DS ${records.get('good.test')}
old NS ns1.old
old DS ${records.get('good.test')}`;
  const knot = await testKnot(knotd.path, [
    { name: 'test', records: ds },
    { name: 'good.test', records: '@ NS ns1.new.test.', signed: true },
    { name: 'bad.test', records: '@ NS ns1.new.test.', signed: true },
    { name: 'plain.test', records: '@ NS ns1.new.test.' },
    { name: 'old.test', records: '@ NS ns1.old.test.' },
  ]);
  const verdictOn = async (domain: string) => {
    const resolver = createResolver([knot]);
    const { verdict, dnssec, delegation } = await checkDomain({ domain, expected: [NEW], sets: [] }, resolver);
    return [verdict, dnssec.state, dnssec.ds?.length, delegation.registry?.sees];
  };
  expect(await verdictOn('good.test')).toEqual(['complete', 'signed', 1, 'new']);
  expect(await verdictOn('bad.test')).toEqual(['broken_dnssec', 'broken', 1, 'new']);
  expect(await verdictOn('plain.test')).toEqual(['broken_dnssec', 'broken', 1, 'new']);
  expect(await verdictOn('old.test')).toEqual(['not_started', 'will_break', 1, 'old']);
});

real(knotd.title('a record set beyond 1232 bytes comes over TCP from a real nameserver'), async () => {
  const long = 'x'.repeat(4000);
  const strings = (long.match(/.{1,255}/g) ?? []).map((text) => `"${text}"`).join(' ');
  const knot = await testKnot(knotd.path, [{ name: 'moved.test', records: `@ NS ns1.new.test.\nlong TXT ${strings}` }]);
  const sets = toRecordSets([{ name: 'long.moved.test', type: 'TXT', value: long }]);
  const comparison = await compareRecords(knot, sets, { recursive: false });
  expect(comparison).toEqual({ matching: 1, different: [], unanswered: 0, unansweredSets: [] });
});

real(
  knotd.title('the zone file of any records, served by a real nameserver, answers with just these records'),
  async () => {
    // No alias and no delegation, so that any of them fit into one zone, and no text in the quotes of a zone file.
    const fits = dnsRecord.filter(({ type, value }) => type !== 'CNAME' && type !== 'NS' && !value.startsWith('"'));
    const one = fits.map((record) => ({ ...record, ttl: 300 }));
    const sampled = fc.sample(fc.array(one, { minLength: 20, maxLength: 60 }), tries(3, 20_260_301));
    const zones = sampled.map((records, index) => ({ name: `zone${index}.test`, records }));
    const knot = await testKnot(
      knotd.path,
      zones.map(({ name, records }) => ({ name, records: `@ NS ns1.new.test.\n${writeZone(records, name).text}` })),
    );
    for (const { name, records } of zones) {
      const wanted = records.map(({ subdomain, ...record }) => ({ ...record, name: fullName(subdomain, name) }));
      const sets = chooseSets(toRecordSets(wanted), name);
      expect(sets.length).toBeGreaterThan(5);
      const comparison = await compareRecords(knot, sets, { recursive: false });
      expect(comparison).toEqual({ matching: sets.length, different: [], unanswered: 0, unansweredSets: [] });
    }
  },
);
