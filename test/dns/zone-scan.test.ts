import { expect, test } from 'vitest';
import { zoneScanner } from '../../src/dns/zone-scan.ts';
import { testDns } from '../support/dns.ts';
import { SOME_DS, zoneTable } from '../support/dns-world.ts';

test('a scan asks for common names and warns of DNSSEC', async () => {
  const dns = await testDns(
    zoneTable({
      'moved.test A': ['192.0.2.1'],
      'moved.test DS': [SOME_DS],
      'www.moved.test CNAME': ['moved.test'],
      '_dmarc.moved.test TXT': [Buffer.from('v=DMARC1; p=none')],
      'unusual.moved.test A': ['192.0.2.9'],
    }),
  );
  expect(await zoneScanner(dns.at)('moved.test')).toEqual({
    apex: 'moved.test',
    currentNameservers: ['ns1.new.test'],
    records: [
      { subdomain: '', type: 'A', value: '192.0.2.1', ttl: 300 },
      { subdomain: 'www', type: 'CNAME', value: 'moved.test', ttl: 300 },
      { subdomain: '_dmarc', type: 'TXT', value: 'v=DMARC1; p=none', ttl: 300 },
    ],
    warnings: [
      'Only names that are usual were asked for: a zone cannot be listed from outside.',
      'DNSSEC is on for moved.test: remove its DS record before the switch.',
    ],
  });
});

test('a domain that the server does not know is left to others', async () => {
  const dns = await testDns(zoneTable({}));
  expect(await zoneScanner(dns.at)('other.test')).toBeUndefined();
});

test('a text that is no server is refused at once', () => {
  expect(() => zoneScanner('udp://dns')).toThrow('--dns-server "udp://dns" is not a host or an address.');
});
