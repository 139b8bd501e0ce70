import { type CheckedRecords, describeProblem } from '../../domains/records.ts';
import { writeZone } from '../../domains/zone-write.ts';

/** A zone file of the records that have a form in one; the others stand in comments at its end. */
export function toZoneText({ records, problems }: CheckedRecords, apex: string): string {
  const comments = problems.map(
    (problem) => `; left out, ${oneLine(describeProblem(problem))}: ${inJson(problem.record)}`,
  );
  return [writeZone(records, apex).text, ...comments.map((comment) => `${comment}\n`)].join('');
}

/** JSON has no line break of its own, so a record can never end its comment. */
function inJson(record: unknown): string {
  return oneLine(JSON.stringify(record) ?? '');
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ');
}
