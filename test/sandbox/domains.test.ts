import { expect, test } from 'vitest';
import { RECORD_TYPES } from '../../src/contract/operations.ts';
import { visitSandbox } from './visit.ts';

const SCAN = '/v1/domains/import/scan';
const STAGE = '/v1/services/svc_wp_7k2m9qx4/domains/kola-studio.example/import';
const RECORD = { subdomain: '', type: 'A', value: '203.0.113.24', ttl: 3600 };

test('a scan has every record type, and can be staged as it is', async () => {
  const { sandbox, signedIn } = await visitSandbox();
  const { records } = (await signedIn('POST', SCAN, { domain: 'kola-studio.example' })).json;
  expect(new Set(records.map(({ type }: { type: string }) => type))).toEqual(new Set(RECORD_TYPES));
  const { status, json } = await signedIn('POST', STAGE, { records });
  const nameservers = ['ns1.sandbox-dns.example', 'ns2.sandbox-dns.example'];
  expect([status, json]).toEqual([200, { nameservers, stagedRecords: records }]);
  expect(sandbox.snapshot().staged).toMatchObject([{ domain: 'kola-studio.example', records }]);
});

test.each([
  [SCAN, { domain: 'a..b' }, 'domain'],
  [STAGE, { records: [RECORD, { ...RECORD, ttl: 0.5 }] }, 'records[1].ttl'],
  [STAGE, { records: [{ ...RECORD, priority: 10 }] }, 'records[0].priority'],
])('%s with %j is refused by its field', async (path, body, field) => {
  const { sandbox, signedIn } = await visitSandbox();
  const { status, json } = await signedIn('POST', path, body);
  expect([status, Object.keys(json.error), sandbox.snapshot().staged]).toEqual([400, [field], []]);
});
