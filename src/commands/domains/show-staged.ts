import { asWritten } from '../../cli/define/result.ts';
import { STAGED_DOMAIN } from '../../contract/fields/dns.ts';
import type { RecordDiff } from '../../dns/diff.ts';
import { getFullName, toText, toZoneName } from '../../dns/summary.ts';
import { quoted } from '../../errors.ts';
import { asObject, otherFields } from '../../json/values.ts';
import { plural } from '../../terminal/numbers.ts';
import { code, type DiffLine, filePath, type Screen, type Text } from '../../terminal/screen.ts';
import { bothNames, dsStep } from './dns.ts';
import { firstLines } from './first-lines.ts';
import { statusCommand } from './move.ts';
import type { Staged } from './staging.ts';

const MAX_LINES = 40;

/** What was staged and, if nothing is missing, the next steps at the registrar. */
export function showStaged(screen: Screen, staged: Staged): void {
  const { judged, saved } = staged;
  const answer = asWritten(staged.answer);
  const { nameservers, failure } = judged;
  if (failure?.code === 'failed' && judged.diff === undefined)
    return void screen.unknownFields(answer);
  const isAccepted = failure === undefined;
  if (isAccepted) showAccepted(screen, staged);
  showDiff(screen, staged);
  if (judged.remarks.length > 0) {
    screen.line('Of these records, the answer also says:');
    screen.list(firstLines(judged.remarks));
  }
  // The error that follows a refusal says it.
  if (isAccepted && saved !== undefined)
    screen.line(['The records as scanned are saved in ', filePath(saved)]);
  if (nameservers.length > 0) {
    screen.heading(
      isAccepted ? 'Nameservers to set at the registrar' : 'Nameservers in the answer',
    );
    screen.list(nameservers);
  } else screen.unknownFields({ nameservers: answer.nameservers });
  if (isAccepted && nameservers.length > 0) {
    screen.heading('What to do now');
    screen.steps(stepsFor(staged));
  }
  screen.unknownFields(otherFields(answer, Object.keys(STAGED_DOMAIN)));
}

/**
 * Without a clear yes, or without nameservers, there is more to do than to switch them: no tick.
 */
function showAccepted(screen: Screen, { domain, service, records, judged }: Staged): void {
  const what = `${plural(records.length, 'record')} of ${bothNames(domain)}`;
  const { isConfirmed, status, nameservers } = judged;
  if (isConfirmed && nameservers.length > 0)
    return void screen.success(`Staged ${what} on ${service}.`);
  const said = isConfirmed || status === undefined ? '' : ` The status is ${quoted(status)}.`;
  screen.line(`The platform accepted ${what} for ${service}.${said}`);
}

function showDiff(
  screen: Screen,
  { records, judged: { diff, staged, isConfirmed }, domain }: Staged,
): void {
  if (diff === undefined) return void screen.unknownFields({ stagedRecords: staged });
  if (isConfirmed && diff.changed.length === 0) screen.line(describeComparison(records.length));
  const lines = linesOf(diff, domain.ascii);
  if (lines.length === 0) return;
  const isMore = diff.missing.length + diff.changed.length === 0;
  screen.line(isMore ? 'It staged these as well:' : 'Sent (-) and staged (+):');
  screen.diff(lines.slice(0, MAX_LINES));
  if (lines.length > MAX_LINES)
    screen.line(`and ${lines.length - MAX_LINES} more lines (--json shows all)`);
}

function describeComparison(count: number): string {
  if (count === 1) return 'The answer lists the record as sent.';
  return `The answer lists all ${count} as sent.`;
}

function linesOf({ missing, added, changed }: RecordDiff, apex: string): DiffLine[] {
  const line = (kind: DiffLine['kind']) => (record: unknown) => {
    const { type, ttl, priority, value } = asObject(record);
    const cells = [
      toZoneName(getFullName(record, apex), apex),
      ...[ttl, type, priority, value].map(toText),
    ];
    return { kind, text: cells.filter(Boolean).join(' ') };
  };
  return [
    ...missing.map(line('removed')),
    ...changed.flatMap(({ before, after }) => [line('removed')(before), line('added')(after)]),
    ...added.map(line('added')),
  ];
}

function stepsFor({
  domain,
  currentNameservers,
  ds,
  warnings,
  isRemembered,
  judged: { nameservers },
}: Staged): Text[] {
  const now = currentNameservers.length === 0 ? '' : ` (now ${currentNameservers.join(', ')})`;
  const look = statusCommand(domain.ascii, isRemembered ? [] : nameservers);
  const last =
    'Then verify the domain. The API reference shows no request for that, so svc has no command for it.';
  const isSwitched =
    currentNameservers.length > 0 && currentNameservers.every((name) => nameservers.includes(name));
  if (isSwitched)
    return [`${domain.ascii} has these nameservers already: there is nothing to switch.`, last];
  return [
    ...dsStep(domain.ascii, ds, warnings),
    `Where ${domain.ascii} is registered, replace all of its nameservers${now} with those above.`,
    'Keep the old records for two days: DNS caches may still use them.',
    ['Watch the switch: ', code(`${look} --wait`)],
    last,
  ];
}
