import { join } from 'node:path';
import type { Context } from '../../kit/context.ts';
import type { DnsRecord } from '../../spec/types.ts';
import { isFileName } from '../../store/named-file.ts';
import { withLockedFile } from '../../store/write.ts';
import { describeProblem } from '../../zone/records.ts';
import { unquotedText } from '../../zone/tokens.ts';
import { writeZone } from '../../zone/write.ts';
import type { Scan } from './gather.ts';
import { nameserversOf } from './resolver.ts';

/**
 * Returns a scan as a zone file, for the nameservers that served it. Comments name those, and what svc cannot write.
 */
export function toZoneText({ found, checked, domain, leftOut }: Scan): string {
  const nameservers = nameserversOf(found.currentNameservers).map(oneLine).join(', ');
  const comments = [
    ...leftOut,
    ...checked.problems.map((problem) => `left out, ${describeProblem(problem)}: ${JSON.stringify(problem.record)}`),
    ...checked.lostFields.map(({ field, record }) => `without its ${field}: ${JSON.stringify(record)}`),
  ];
  return [
    nameservers === '' ? '' : `; Nameservers at the time of the scan: ${nameservers}\n`,
    writeZone(checked.records.map(withPlainText), domain.ascii).text,
    ...comments.map((comment) => `; ${oneLine(comment)}\n`),
  ].join('');
}

/**
 * Saves a scan as a zone file in the configuration folder: the way back after a move. Never replaces an earlier scan.
 * @returns the path; that of an earlier scan if nothing has changed since
 * @throws the system's error if it cannot be written
 */
export async function saveZone({ machine, clock, configFolder }: Context, scan: Scan): Promise<string> {
  const text = toZoneText(scan);
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  for (let number = 1; ; number += 1) {
    const name = `${isFileName(scan.domain.ascii) ? '' : '_'}${scan.domain.ascii}.${day}${number === 1 ? '' : `-${number}`}.zone`;
    const path = join(configFolder(), 'domains', name);
    const isSaved = await withLockedFile(path, machine, clock, (file) => {
      const saved = file.read()?.text;
      if (saved === undefined) file.write(text);
      return saved === undefined || saved === text;
    });
    if (isSaved) return path;
  }
}

/** Removes the quotes that a scan may have around a text; quoted again, they would become a part of it. */
function withPlainText(record: DnsRecord): DnsRecord {
  return record.type === 'TXT' ? { ...record, value: unquotedText(record.value) } : record;
}

/** Keeps a text on the line of its comment. */
function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ');
}
