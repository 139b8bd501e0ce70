import type { Context } from '../../command/context.ts';
import { findLostMail, findMail } from '../../domains/mail.ts';
import { CliError } from '../../errors.ts';
import { plural } from '../../io/numbers.ts';
import type { DnsRecord } from '../../spec/types.ts';
import type { Gathered } from './gather.ts';
import { countRecords, firstLines, problemLines } from './show-records.ts';

/**
 * Decides which records are staged. Records at fault end the command with nothing staged, unless they are to be left out:
 * by `--skip-invalid`, or by a person who says so. `--yes` does not say so, since it never chooses.
 * @throws CliError `usage`.
 */
export async function settleRecords(
  { io }: Context,
  { checked, lines, unread }: Gathered,
  skipInvalid: boolean,
): Promise<readonly DnsRecord[]> {
  const { problems, records } = checked;
  const count = countRecords(problems) + unread.length;
  if (count > 0) {
    const sentence = `${plural(count, 'record')} cannot be staged`;
    const listed = [...firstLines(unread), ...problemLines(problems, lines)];
    const isAsked = !skipInvalid && io.interactive;
    if (skipInvalid || isAsked) {
      await io.warn(`${sentence}:`);
      for (const line of listed) await io.note(`  ${line}`);
    }
    const leavesOut = skipInvalid || (isAsked && (await io.confirm(`Leave ${leftOut(problems)} out and go on?`)));
    if (!leavesOut) {
      throw new CliError('usage', `${sentence}. Nothing was staged.`, {
        lines: isAsked ? [] : listed,
        hint: 'the same command with --skip-invalid, to leave out what is listed',
      });
    }
  }
  if (records.length === 0) throw new CliError('usage', 'There is no record to stage. Nothing was staged.');
  return records;
}

/** Sentences about what is going to be staged; for people to read before they confirm. */
export function doubtsOf({ checked, mail, warnings }: Gathered, records: readonly DnsRecord[], apex: string): string[] {
  const lost = findLostMail(mail, findMail(records, apex));
  const mailDoubt = `${lost.join(' and ')} ${lost.length === 1 ? 'was' : 'were'} there at the scan and will not be staged: mail of ${apex} may stop.`;
  const { duplicates } = checked;
  const duplicateNote = `${plural(duplicates, 'record')} came more than once and will be staged once.`;
  return [
    ...warnings,
    ...checked.warnings,
    ...(lost.length > 0 ? [mailDoubt] : []),
    ...(duplicates > 0 ? [duplicateNote] : []),
  ];
}

function leftOut(problems: Gathered['checked']['problems']): string {
  return countRecords(problems) === 1 ? 'it' : 'these';
}
