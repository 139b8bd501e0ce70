import { SCHEMA_VERSION } from '../../command/result.ts';
import { findMail, type MailRecords } from '../../domains/mail.ts';
import { asBoolean, asObject, type JsonObject } from '../../spec/read.ts';
import type { DomainScan } from '../../spec/types.ts';

/** A scan as a file that people read and edit, and that `svc domains add --records` takes. */
export interface Plan {
  readonly schemaVersion: number;
  readonly apex: string;
  readonly currentNameservers: unknown;
  /** As the scan returned them; these are what is staged later. */
  readonly records: readonly unknown[];
  readonly warnings: unknown;
  /** What the scan found for mail, to notice later what an edit took away. */
  readonly mail: MailRecords;
  /** ISO 8601. */
  readonly scannedAt: string;
}

function toPlan(scan: DomainScan, records: readonly unknown[], apex: string, now: number): Plan {
  return {
    schemaVersion: SCHEMA_VERSION,
    apex,
    currentNameservers: scan.currentNameservers ?? [],
    records,
    warnings: scan.warnings ?? [],
    mail: findMail(records, apex),
    scannedAt: new Date(now).toISOString(),
  };
}

/** The text of a plan. */
export function toPlanText(scan: DomainScan, records: readonly unknown[], apex: string, now: number): string {
  return `${JSON.stringify(toPlan(scan, records, apex, now), null, 2)}\n`;
}

/** What a plan says of mail; nothing where it was written by somebody else. */
export function mailOfPlan(plan: JsonObject): MailRecords {
  const { mx, spf, dmarc } = asObject(plan['mail']);
  return { mx: asBoolean(mx) ?? false, spf: asBoolean(spf) ?? false, dmarc: asBoolean(dmarc) ?? false };
}
