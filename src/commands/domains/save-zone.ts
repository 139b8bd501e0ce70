import { join } from 'node:path';
import type { Needs } from '../../cli/define/context.ts';
import { SCHEMA_VERSION } from '../../cli/define/define.ts';
import { onOneLine } from '../../contract/text.ts';
import { writeZone } from '../../dns/write-zone.ts';
import { findStrings, unquoteText } from '../../dns/zone-tokens.ts';
import { readPrivateFile } from '../../store/files.ts';
import { isFileName } from '../../store/named-file.ts';
import { describeSystemError } from '../../store/problem.ts';
import { withLockedFile } from '../../store/write.ts';
import type { Scan } from './gather.ts';

/** Writes a scan as a file that people edit, and that `svc domains add --records` reads. */
export function toPlanText({ found, records, domain, remarks, mail }: Scan, now: number): string {
  const plan = {
    schemaVersion: SCHEMA_VERSION,
    apex: domain.ascii,
    currentNameservers: found.currentNameservers ?? [],
    records,
    warnings: [remarks.sentence || [], found.warnings ?? []].flat(),
    // Shows later whether an edit removed them.
    mail,
    scannedAt: new Date(now).toISOString(),
  };
  return `${JSON.stringify(plan, null, 2)}\n`;
}

/**
 * Writes a scan as a zone file for the nameservers that served it. Comments name those, and what
 * svc cannot write.
 */
export function toZoneText({ currentNameservers, checked, domain, remarks }: Scan): string {
  const nameservers = currentNameservers.map(onOneLine).join(', ');
  // A scan may have quotes around a text; quoted again, they would become a part of it.
  const records = checked.records.map((record) =>
    record.type === 'TXT'
      ? { ...record, value: unquoteText(record.value), strings: findStrings(record.value) }
      : record,
  );
  const comments = [
    remarks.sentence || [],
    ...checked.leftOut.map((record) => `of the nameservers themselves: ${JSON.stringify(record)}`),
    ...checked.problems.flatMap(({ record, texts }) =>
      texts.map((text) => `left out, ${text}: ${JSON.stringify(record)}`),
    ),
    ...checked.lostFields.map(
      ({ field, record }) => `without its ${field}: ${JSON.stringify(record)}`,
    ),
  ].flat();
  const text = [
    nameservers === '' ? '' : `; Nameservers at the time of the scan: ${nameservers}\n`,
    writeZone(records, domain.ascii).text,
    ...comments.map((comment) => `; ${onOneLine(comment)}\n`),
  ].join('');
  // CI runners carry out `##[…]`, and do not see selectors in it. `\035` is a # as well (RFC 1035),
  // so texts stay the same.
  return text.replaceAll(/#(?=[\ufe0e\ufe0f]*#)/g, '\\035');
}

/**
 * Saves a scan as a zone file: the way back after a move. Never replaces an earlier scan.
 * @returns the path, of an earlier one if nothing has changed since; undefined, with a warning, if
 * that fails
 */
export async function saveZone(
  context: Needs<'io' | 'store' | 'time'>,
  scan: Scan,
): Promise<string | undefined> {
  const { io, store, time } = context;
  const { ascii } = scan.domain;
  const text = toZoneText(scan);
  const day = new Date(time.clock.now()).toISOString().slice(0, 10);
  try {
    for (let number = 1; ; number += 1) {
      const prefix = isFileName(ascii) ? '' : '_';
      const suffix = number === 1 ? '' : `-${number}`;
      const name = `${prefix}${ascii}.${day}${suffix}.zone`;
      const path = join(store.configFolder(), 'domains', name);
      const isSaved = await withLockedFile(path, store.machine, time.clock, (file) => {
        const saved = readPrivateFile(path, store.machine)?.text;
        if (saved === undefined) file.write(text);
        return saved === undefined || saved === text;
      });
      if (isSaved) return path;
    }
  } catch (error) {
    await io.warn(
      `svc cannot save the current records of ${ascii} (${describeSystemError(error)}).`,
      'zone_not_saved',
    );
    return undefined;
  }
}
