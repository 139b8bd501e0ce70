import { type CheckedRecords, describeProblem } from '../../domains/records.ts';
import { unquotedText } from '../../domains/zone-values.ts';
import { writeZone } from '../../domains/zone-write.ts';
import type { DnsRecord } from '../../spec/types.ts';

/** A zone file of the records that have a form in one; the others stand in comments at its end. */
export function toZoneText({ records, problems }: CheckedRecords, apex: string): string {
  const comments = problems.map(
    (problem) => `; left out, ${oneLine(describeProblem(problem))}: ${inJson(problem.record)}`,
  );
  return [writeZone(records.map(withPlainText), apex).text, ...comments.map((comment) => `${comment}\n`)].join('');
}

/** A scan may quote its texts as zone files do; quoted again, the quotes would become a part of them. */
function withPlainText(record: DnsRecord): DnsRecord {
  return record.type === 'TXT' ? { ...record, value: unquotedText(record.value) } : record;
}

/** JSON has no line break of its own, so a record can never end its comment. */
function inJson(record: unknown): string {
  return oneLine(JSON.stringify(record) ?? '');
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ');
}
