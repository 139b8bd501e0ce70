import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseSets, compareRecords, toRecordSets } from '../../src/dns/compare.ts';
import { joinName } from '../../src/dns/record-value.ts';
import { writeZone } from '../../src/dns/write-zone.ts';
import { testKnot } from '../support/knot.ts';
import { needs } from '../support/needs.ts';
import { tries } from '../support/property.ts';
import { dnsRecord } from './arbitrary.ts';

const knotd = needs('knotd', 'knot');
const real = test.skipIf(knotd.missing);

real(
  knotd.title(
    'a zone file, served by a real nameserver, answers with just the records that it was made of',
  ),
  async () => {
    // No alias and no delegation, so that any of them fit into one zone, and no text in the quotes
    // of a zone file.
    const fits = dnsRecord.filter(
      ({ type, value }) => type !== 'CNAME' && type !== 'NS' && !value.startsWith('"'),
    );
    const list = fc.array(
      fits.map((record) => ({ ...record, ttl: 300 })),
      { minLength: 20, maxLength: 60 },
    );
    const zones = fc.sample(list, tries(3, 20_260_301)).map((records, index) => {
      const name = `zone${index}.test`;
      const wanted = records.map((record) => ({
        ...record,
        name: joinName(record.subdomain, name),
      }));
      const text = `@ NS ns1.new.test.\n${writeZone(records, name).text}`;
      return { name, records: text, sets: chooseSets(toRecordSets(wanted), name) };
    });
    const knot = await testKnot(knotd.path, zones);
    for (const { sets } of zones) {
      expect(sets.length).toBeGreaterThan(5);
      const comparison = await compareRecords(knot, sets, { recursive: false });
      expect(comparison).toEqual({
        matching: sets.length,
        different: [],
        unanswered: 0,
        unansweredSets: [],
      });
    }
  },
);
