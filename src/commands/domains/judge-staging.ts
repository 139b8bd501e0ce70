import { diffRecords } from '../../domains/diff.ts';
import type { CliError } from '../../errors.ts';
import { plural } from '../../io/numbers.ts';
import type { DnsRecord, StagedDomain } from '../../spec/types.ts';
import { refusedBy, unconfirmed, type Verdict, verdictOf } from '../shared/verdict.ts';

/** What the answer to a staging is worth. */
export interface Judged {
  /** `short` where the answer has fewer records than were sent. */
  readonly verdict: Verdict | 'short';
  /** What ends the command unless every record is staged. */
  readonly failure: CliError | undefined;
}

/** What is true whatever became of a staging. */
export const NOTHING_SWITCHED =
  'The records may be staged or not. Nothing is switched by staging, so the domain works as before.';

/** What to do where nobody knows whether records were staged. */
export function lookAgain(domain: string): string {
  return `a look at ${domain} in the dashboard of the service, before the same command again`;
}

/**
 * Compares the answer of operation 5 with what was sent, by subdomain, type and value, or by number where it only counts.
 * A TTL or a priority that the service changed is shown, and does not make a record less staged.
 */
export function judgeStaging(answer: StagedDomain, records: readonly DnsRecord[], domain: string): Judged {
  const verdict = verdictOf(answer, ['nameservers', 'stagedRecords']);
  const what = `the records of ${domain}`;
  if (verdict === 'refused') return failed('refused', refusedBy(answer, `The service did not stage ${what}`));
  const { stagedRecords } = answer;
  const hint = `a look at ${domain} in the dashboard of the service, before you switch nameservers`;
  const short = (sentence: string) => failed('short', refusedBy(answer, sentence).with({ hint }));
  if (stagedRecords === undefined || stagedRecords === null) {
    return short(`The answer lists none of ${what} as staged`);
  }
  const held = heldOf(stagedRecords, records, domain);
  if (held !== undefined && held < records.length) {
    return short(`The answer has ${held} of ${plural(records.length, 'record')} of ${domain} as staged`);
  }
  if (held !== undefined && verdict === 'done') return { verdict, failure: undefined };
  const unclear = unconfirmed(answer, `The answer does not confirm that ${what} are staged`, lookAgain(domain));
  return failed('unclear', unclear.with({ lines: [...(unclear.details.lines ?? []), NOTHING_SWITCHED] }));
}

/** How many of the records are staged; `undefined` where the answer has another form than a list or a number. */
function heldOf(staged: unknown, records: readonly DnsRecord[], apex: string): number | undefined {
  if (typeof staged === 'number') return Number.isSafeInteger(staged) && staged >= 0 ? staged : undefined;
  return diffRecords(records, staged, apex)?.held;
}

function failed(verdict: Judged['verdict'], failure: CliError): Judged {
  return { verdict, failure };
}
