import { expect, test } from 'vitest';
import { zoneScanner } from '../../src/dns/zone-scan.ts';
import { checkRecords, describeProblem } from '../../src/zone/records.ts';
import { type DnsAnswer, REFUSED, SERVFAIL, testDns } from '../support/dns.ts';
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

test.each([
  ['does not exist', zoneTable({})],
  ['is refused', () => ({ code: REFUSED })],
])('a domain that %s is left to others', async (_title, answer) => {
  const dns = await testDns(answer);
  expect(await zoneScanner(dns.at)('other.test')).toBeUndefined();
});

test('a domain about which the server fails is no missing zone', async () => {
  const dns = await testDns(() => ({ code: SERVFAIL }));
  await expect(zoneScanner(dns.at)('moved.test')).rejects.toThrow('no answer about moved.test (SERVFAIL)');
  await expect(zoneScanner('nowhere.invalid')('moved.test')).rejects.toThrow('nowhere.invalid has no address');
});

test('each question without an answer is warned of, and the others are answered', async () => {
  const table = zoneTable({
    'moved.test A': ['192.0.2.1'],
    'moved.test MX': [{ preference: 10, exchange: 'mail.moved.test' }],
    'www.moved.test A': ['192.0.2.2'],
    'mail.moved.test A': ['192.0.2.3'],
  });
  const codes: Readonly<Record<string, DnsAnswer>> = {
    'moved.test MX': { code: SERVFAIL },
    'www.moved.test A': { code: REFUSED },
    'moved.test NS': { code: SERVFAIL },
    'moved.test DS': { code: REFUSED },
  };
  const dns = await testDns((question) => {
    const key = `${question.name} ${question.type}`;
    if (key === 'mail.moved.test A') return undefined;
    return codes[key] ?? table(question);
  });
  const zone = await zoneScanner(dns.at)('moved.test');
  expect(zone?.records).toEqual([{ subdomain: '', type: 'A', value: '192.0.2.1', ttl: 300 }]);
  expect(zone?.warnings.slice(1).sort()).toEqual([
    'No answer (127.0.0.1: SERVFAIL), so records may be missing: moved.test NS.',
    'No answer (REFUSED), so records may be missing: www.moved.test A.',
    'No answer (SERVFAIL), so records may be missing: moved.test MX.',
    'No answer (silent), so records may be missing: mail.moved.test A.',
    'Nobody answered whether DNSSEC is on for moved.test (127.0.0.1: REFUSED).',
  ]);
});

test('a server that falls silent is not asked the rest, which is warned of as well', async () => {
  const table = zoneTable({ 'moved.test A': ['192.0.2.1'] });
  const dns = await testDns((question) => (question.name === 'moved.test' ? table(question) : undefined));
  const zone = await zoneScanner(dns.at)('moved.test');
  const silent = dns.questions.filter(({ name }) => name !== 'moved.test');
  expect(new Set(silent.map(({ name, type }) => `${name} ${type}`)).size).toBeLessThan(40);
  const warned = zone?.warnings.join(' ') ?? '';
  for (const name of ['www.moved.test A', 'm.moved.test TXT', '_dmarc.moved.test TXT', '_imaps._tcp.moved.test SRV'])
    expect(warned).toContain(name);
});

test('a text that is not UTF-8 is found as it is, and cannot be staged', async () => {
  const dns = await testDns(
    zoneTable({ 'moved.test TXT': [Buffer.from([0x61, 0xff, 0x22]), Buffer.from('caf\u00e9')] }),
  );
  const zone = await zoneScanner(dns.at)('moved.test');
  expect(zone?.records.map(({ value }) => value)).toEqual(['"a\\255\\""', 'caf\u00e9']);
  const { records, problems } = checkRecords(zone?.records ?? [], 'moved.test');
  expect(records.map(({ value }) => value)).toEqual(['caf\u00e9']);
  expect(problems.map((problem) => describeProblem(problem))).toEqual([
    'TXT at moved.test: value has bytes that are not UTF-8, which JSON cannot carry',
  ]);
});

test('a text that is no server is refused at once', () => {
  expect(() => zoneScanner('udp://dns')).toThrow('--dns-server "udp://dns" is not a host or an address.');
});
