import { asWritten } from '../../cli/define/define.ts';
import { STAGED_DOMAIN } from '../../contract/fields/dns.ts';
import type { RecordDiff } from '../../dns/diff.ts';
import { getFullName, toText, toZoneName } from '../../dns/scanned.ts';
import { listNames, quote } from '../../errors.ts';
import { asObject, otherFields } from '../../json/values.ts';
import { plural } from '../../terminal/format.ts';
import { type DiffLine, filePath, type Screen, type Text } from '../../terminal/screen.ts';
import { describeDomain, isAboutDnssec } from './dns.ts';
import { getStatusCommand } from './move.ts';
import { limitLines } from './records.ts';
import { showSteps } from './show-status.ts';
import type { Staged } from './staging.ts';

const MAX_LINES = 40;

/** Shows what was staged and, if nothing is missing, the steps that are left. */
export function showStaged(screen: Screen, staged: Staged): void {
  const { domain, serviceTitle, judged } = staged;
  const answer = asWritten(staged.answer);
  const { nameservers, failure, remarks } = judged;
  const isAccepted = failure === undefined;
  if (failure?.code === 'failed' && judged.diff === undefined) {
    return void screen.unknownFields(answer);
  }

  if (isAccepted) {
    screen.heading(`Move of ${describeDomain(domain)} to ${serviceTitle}`);
    showAccepted(screen, staged);
  }
  showDiff(screen, staged);
  if (remarks.length > 0) {
    screen.line('Of these records, the answer also says:');
    screen.list(limitLines(remarks));
  }
  if (nameservers.length === 0) screen.unknownFields({ nameservers: answer.nameservers });
  else if (isAccepted) showNextSteps(screen, staged);
  else {
    screen.heading('Nameservers in the answer');
    screen.list(nameservers);
  }
  screen.unknownFields(otherFields(answer, Object.keys(STAGED_DOMAIN)));
}

/**
 * Shows how many records the platform took. Without a clear yes, or without nameservers, there is
 * more to do than to switch them: no tick.
 */
function showAccepted(screen: Screen, { records, judged, saved }: Staged): void {
  const { diff, isConfirmed, status, nameservers } = judged;
  const count = plural(records.length, 'record');
  const copy: Text = saved === undefined ? [] : [' Saved as scanned: ', filePath(saved)];
  const isAsSent = isConfirmed && diff?.changed.length === 0;
  const listed = records.length === 1 ? 'the record' : `all ${records.length}`;
  const comparison = isAsSent ? ` The answer lists ${listed} as sent.` : '';
  if (isConfirmed && nameservers.length > 0) {
    screen.success([`Staged ${count}.${comparison}`, ...copy]);
    return;
  }
  const note = isConfirmed || status === undefined ? '' : `, with the status ${quote(status)}`;
  screen.line([`The platform accepted ${count}${note}.${comparison}`, ...copy]);
}

function showDiff(screen: Screen, { judged: { diff, staged }, domain }: Staged): void {
  if (diff === undefined) return void screen.unknownFields({ stagedRecords: staged });
  const lines = toDiffLines(diff, domain.ascii);
  if (lines.length === 0) return;

  const hasOnlyMore = diff.missing.length + diff.changed.length === 0;
  screen.line(hasOnlyMore ? 'It staged these as well:' : 'Sent (-) and staged (+):');
  screen.diff(lines.slice(0, MAX_LINES));
  if (lines.length > MAX_LINES) {
    screen.line(`and ${lines.length - MAX_LINES} more lines (--json shows all)`);
  }
}

function toDiffLines({ missing, added, changed }: RecordDiff, apex: string): DiffLine[] {
  const toLine = (kind: DiffLine['kind']) => (record: unknown) => {
    const { type, ttl, priority, value } = asObject(record);
    const name = toZoneName(getFullName(record, apex), apex);
    const cells = [name, ...[ttl, type, priority, value].map(toText)];
    return { kind, text: cells.filter(Boolean).join(' ') };
  };
  return [
    ...missing.map(toLine('removed')),
    ...changed.flatMap(({ before, after }) => [toLine('removed')(before), toLine('added')(after)]),
    ...added.map(toLine('added')),
  ];
}

function showNextSteps(screen: Screen, staged: Staged): void {
  const { domain, ds, hasDashboard } = staged;
  const { currentNameservers, warnings } = staged.gathered;
  const { nameservers } = staged.judged;
  const isSwitched =
    currentNameservers.length > 0 && currentNameservers.every((name) => nameservers.includes(name));
  if (isSwitched) screen.success(`${listNames(nameservers)} are set at the registrar.`);
  const isOn = ds.state === 'present' || warnings.some(isAboutDnssec);
  showSteps(screen, {
    nameservers,
    currentNameservers,
    isSwitched,
    isSigned: ds.state !== 'absent' && (isOn || undefined),
    hasDashboard,
  });
  const look = getStatusCommand(domain.ascii, staged.isRemembered ? [] : nameservers);
  // A screen ends with `next` on terminals only, and the log of a pipeline needs this line as well.
  screen.line('Watch the switch:');
  screen.verbatim(`  ${look} --wait`);
}
