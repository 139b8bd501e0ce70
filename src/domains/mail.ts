import { asObject } from '../spec/read.ts';
import { nameOf, toText } from './summary.ts';

/** Which of the records that mail depends on are there. */
export interface MailRecords {
  /** Mail to the domain arrives. */
  readonly mx: boolean;
  /** Mail from the domain is believed (RFC 7208). */
  readonly spf: boolean;
  /** What to do with mail that is not believed (RFC 7489). */
  readonly dmarc: boolean;
}

/** Finds the records that mail depends on, in records of any form. */
export function findMail(records: readonly unknown[], apex: string): MailRecords {
  const found = { mx: false, spf: false, dmarc: false };
  for (const entry of records) {
    const { type, value } = asObject(entry);
    const name = nameOf(entry, apex);
    const kind = toText(type).toUpperCase();
    const text = toText(value).replace(/^"/, '').toLowerCase();
    if (kind === 'MX' && name === apex) found.mx = true;
    if (kind === 'TXT' && name === apex && text.startsWith('v=spf1')) found.spf = true;
    if (kind === 'TXT' && name === `_dmarc.${apex}` && text.startsWith('v=dmarc1')) found.dmarc = true;
  }
  return found;
}

/** What `before` has and `after` does not, by the names that people know. */
export function findLostMail(before: MailRecords, after: MailRecords): string[] {
  const names = { mx: 'MX', spf: 'SPF', dmarc: 'DMARC' } as const;
  return (['mx', 'spf', 'dmarc'] as const).filter((kind) => before[kind] && !after[kind]).map((kind) => names[kind]);
}
