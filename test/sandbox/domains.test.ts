import { expect, test } from 'vitest';
import { RECORD_TYPES } from '../../src/spec/types.ts';
import { type Visitor, visitSandbox } from './visit.ts';

const RECORD = { subdomain: '', type: 'A', value: '203.0.113.24', ttl: 3600 };

function scan({ signedIn }: Visitor, domain: unknown) {
  return signedIn('POST', '/v1/domains/import/scan', { domain });
}

function stage({ signedIn }: Visitor, records: unknown, domain = 'kola-studio.example', service = 'svc_wp_7k2m9qx4') {
  return signedIn('POST', `/v1/services/${service}/domains/${domain}/import`, { records });
}

test('the first domain has every record type of the platform, and a warning', async () => {
  const visitor = await visitSandbox();
  const [domain] = visitor.sandbox.listing.domains;
  const { status, json } = await scan(visitor, domain);
  expect(status).toBe(200);
  expect(json).toEqual({
    apex: domain,
    currentNameservers: ['ns1.old-registrar.example', 'ns2.old-registrar.example'],
    records: expect.any(Array),
    warnings: [expect.stringContaining('DNSSEC')],
  });
  const types = new Set(json.records.map((record: { type: string }) => record.type));
  expect([...types].sort()).toEqual([...RECORD_TYPES].sort());
});

test('a scan can be staged as it is, and staging says which nameservers to set', async () => {
  const visitor = await visitSandbox();
  const { records } = (await scan(visitor, 'kola-studio.example')).json;
  const { status, json } = await stage(visitor, records);
  expect(status).toBe(200);
  expect(json).toEqual({
    nameservers: ['ns1.sandbox-dns.example', 'ns2.sandbox-dns.example'],
    stagedRecords: records,
  });
  expect(visitor.sandbox.snapshot().staged).toEqual([
    expect.objectContaining({ serviceId: 'svc_wp_7k2m9qx4', domain: 'kola-studio.example', records }),
  ]);
});

test.each([undefined, null, 7, '', 'localhost', 'a..b', '-a.example', 'a b.example', '192.0.2.1', 'x'.repeat(250)])(
  'a domain like %j is refused',
  async (domain) => {
    const visitor = await visitSandbox();
    const { status, json } = await scan(visitor, domain);
    expect([status, json]).toEqual([400, { error: { domain: expect.any(String) } }]);
  },
);

test.each([
  [undefined, { records: 'is required' }],
  [[], { records: 'must be an array of 1 to 10000 objects' }],
  [{}, { records: 'must be an array of 1 to 10000 objects' }],
  [
    [{}],
    {
      'records[0].subdomain': 'is required; empty for the apex',
      'records[0].type': 'is required',
      'records[0].value': 'is required',
      'records[0].ttl': 'is required',
    },
  ],
  [[{ ...RECORD, subdomain: '@' }], { 'records[0].subdomain': expect.any(String) }],
  [[{ ...RECORD, type: 'a' }], { 'records[0].type': expect.any(String) }],
  [[{ ...RECORD, value: '' }], { 'records[0].value': 'must not be empty' }],
  [[{ ...RECORD, ttl: '3600' }], { 'records[0].ttl': 'must be a whole number from 0 to 2147483647' }],
  [[{ ...RECORD, ttl: 2 ** 31 }], { 'records[0].ttl': expect.any(String) }],
  [[RECORD, { ...RECORD, ttl: 0.5 }], { 'records[1].ttl': expect.any(String) }],
  [[{ ...RECORD, type: 'MX', priority: 65_536 }], { 'records[0].priority': 'must be a whole number from 0 to 65535' }],
  [[{ ...RECORD, priority: 10 }], { 'records[0].priority': 'is for MX and SRV only' }],
])('records like %j are refused, field by field', async (records, faults) => {
  const visitor = await visitSandbox();
  const { status, json } = await stage(visitor, records);
  expect([status, json]).toEqual([400, { error: faults }]);
  expect(visitor.sandbox.snapshot().staged).toEqual([]);
});
