import { expect, test } from 'vitest';
import { RECORD_TYPES } from '../../src/spec/types.ts';
import { type Visitor, visitSandbox } from './visit.ts';

const RECORD = { subdomain: '', type: 'A', value: '203.0.113.24', ttl: 3600 };

function scan({ signedIn }: Visitor, domain: unknown) {
  return signedIn('POST', '/v1/domains/import/scan', { domain });
}

function stage({ signedIn }: Visitor, records: unknown) {
  return signedIn('POST', '/v1/services/svc_wp_7k2m9qx4/domains/kola-studio.example/import', { records });
}

test('a scan has every record type, and can be staged as it is', async () => {
  const visitor = await visitSandbox();
  const scanned = (await scan(visitor, 'kola-studio.example')).json;
  const { records } = scanned;
  expect(scanned.warnings).toEqual([expect.stringContaining('DNSSEC')]);
  expect(new Set(records.map(({ type }: { type: string }) => type))).toEqual(new Set(RECORD_TYPES));
  const { status, json } = await stage(visitor, records);
  const nameservers = ['ns1.sandbox-dns.example', 'ns2.sandbox-dns.example'];
  expect([status, json]).toEqual([200, { nameservers, stagedRecords: records }]);
  expect(visitor.sandbox.snapshot().staged).toMatchObject([{ domain: 'kola-studio.example', records }]);
});

test.each([undefined, 7, 'localhost', 'a..b', '192.0.2.1'])('a domain like %j is refused', async (domain) => {
  const { status, json } = await scan(await visitSandbox(), domain);
  expect([status, json]).toEqual([400, { error: { domain: expect.any(String) } }]);
});

test.each([
  [undefined, { records: 'is required' }],
  [[], { records: 'must be an array of 1 to 10000 objects' }],
  [[{ ...RECORD, subdomain: '@' }], { 'records[0].subdomain': expect.any(String) }],
  [[{ ...RECORD, type: 'a' }], { 'records[0].type': expect.any(String) }],
  [[RECORD, { ...RECORD, ttl: 0.5 }], { 'records[1].ttl': expect.any(String) }],
  [[{ ...RECORD, priority: 10 }], { 'records[0].priority': 'is for MX and SRV only' }],
])('records like %j are refused, field by field', async (records, faults) => {
  const visitor = await visitSandbox();
  const { status, json } = await stage(visitor, records);
  expect([status, json]).toEqual([400, { error: faults }]);
  expect(visitor.sandbox.snapshot().staged).toEqual([]);
});
