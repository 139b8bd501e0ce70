import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asObject } from '../../../src/json/values.ts';
import type { DnsRecord } from '../../../src/spec/types.ts';
import { writeZone } from '../../../src/zone/write.ts';
import { anyRecord, anyZone } from '../../support/any-records.ts';
import { tries } from '../../support/property.ts';
import { svc } from '../../support/svc.ts';
import { startWire, type Wire } from '../../support/wire.ts';

const ADD = ['domains', 'add', 'moved.example', '--service', 'app-1', '--import', '--records', '-', '--yes', '--json'];
const STAGE = '/v1/services/app-1/domains/moved.example/import';

/** What the wire was sent for a text of records. */
async function stagedFor(wire: Wire, text: string): Promise<unknown> {
  const before = wire.requests.length;
  const run = await svc(ADD, { url: wire.url, stdin: text });
  expect(run.exitCode).toBe(0);
  expect(wire.requests).toHaveLength(before + 1);
  return asObject(wire.requests.at(-1)?.json)['records'];
}

async function withWire(work: (wire: Wire) => Promise<void>): Promise<void> {
  const wire = await startWire();
  wire.on('POST', STAGE).always(200, { nameservers: [], stagedRecords: 1_000 });
  try {
    await work(wire);
  } finally {
    await wire.close();
  }
}

function withoutRepetitions(records: readonly DnsRecord[]): DnsRecord[] {
  return records.filter((one, at) => records.findIndex((other) => isSame(one, other)) === at);
}

function isSame(one: DnsRecord, other: DnsRecord): boolean {
  return (['subdomain', 'type', 'value', 'ttl', 'priority'] as const).every((field) => one[field] === other[field]);
}

test('every given record is staged once, in order, with its five fields and no other', async () => {
  const given = fc
    .array(fc.tuple(anyRecord, fc.integer({ min: 1, max: 3 })), { minLength: 1, maxLength: 30 })
    .map((list) => list.flatMap(([record, times]) => Array.from({ length: times }, () => record)));
  await withWire((wire) =>
    fc.assert(
      fc.asyncProperty(given, async (records) => {
        const raw = records.map((record) => ({ proxied: true, priority: null, ...record, id: 7 }));
        expect(await stagedFor(wire, JSON.stringify(raw))).toEqual(withoutRepetitions(records));
      }),
      tries(40, 53_010),
    ),
  );
});

test('a zone file of records stages the same records', async () => {
  await withWire((wire) =>
    fc.assert(
      fc.asyncProperty(anyZone, async (records) => {
        const staged = await stagedFor(wire, writeZone(records, 'moved.example').text);
        expect(sorted(staged as DnsRecord[])).toEqual(sorted(withoutRepetitions(records)));
      }),
      tries(40, 53_011),
    ),
  );
});

/** A zone file has an order of its own. */
function sorted(records: readonly DnsRecord[]): string[] {
  return records
    .map(({ subdomain, type, value, ttl, priority }) => JSON.stringify([subdomain, type, value, ttl, priority]))
    .sort();
}
