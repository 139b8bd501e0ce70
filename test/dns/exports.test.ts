import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DnsRecord } from '../../src/contract/operations.ts';
import { readRecords } from '../../src/dns/read-records.ts';
import { checkRecords } from '../../src/dns/records.ts';

// Zone files of example.com in the habits of those who write them. Each file in exports/ has
// several, with a title behind `====`, and behind `----` what svc makes of them: records, doubts
// (`?`) and faults (`!`).

const FOLDER = join(import.meta.dirname, 'exports');

/** What svc makes of a zone file, a line for each record, doubt and fault. */
function describeReading(text: string): string[] {
  const file = readRecords(text, 'example.com', 'the file');
  const { records, problems, warnings } = checkRecords(file.records, 'example.com');
  return [
    ...records.map(showRecord),
    ...[...file.doubts, ...warnings].map((doubt) => `? ${doubt}`),
    ...file.faults.map(({ message }) => `! ${message}`),
    ...problems.flatMap(({ texts }) => texts.map((text) => `! ${text}`)),
  ];
}

function showRecord({ subdomain, ttl, type, priority, value }: DnsRecord): string {
  const data = priority === undefined ? value : `${priority} ${value}`;
  return `${subdomain || '@'} ${ttl} ${type} ${data}`;
}

describe.each(readdirSync(FOLDER))('%s', (name) => {
  const [, ...zones] = `\n${readFileSync(join(FOLDER, name), 'utf8')}`.split('\n==== ');

  test.each(zones.map((zone) => [zone.slice(0, zone.indexOf('\n')), zone] as const))(
    '%s',
    (title, zone) => {
      const [text = '', reading = ''] = zone.slice(title.length + 1).split('\n----\n');

      expect(describeReading(text)).toEqual(reading.trimEnd().split('\n'));
    },
  );
});
