import type { Domain } from '../../command/values/domain.ts';
import { asObject, otherFields } from '../../json/values.ts';
import type { DnsRecord, StagedDomain } from '../../spec/types.ts';
import { plural } from '../../terminal/numbers.ts';
import { code, type DiffLine, filePath, type Screen, type Text } from '../../terminal/screen.ts';
import { diffRecords, type RecordDiff } from '../../zone/diff.ts';
import { nameOf, toText, zoneName } from '../../zone/summary.ts';
import { type DsLookup, dsStep } from './dnssec.ts';
import type { Gathered } from './gather.ts';
import { bothNames, nameserversOf } from './resolver.ts';
import type { Judged } from './stage.ts';

export interface Staged extends Pick<Gathered, 'currentNameservers' | 'warnings'> {
  readonly domain: Domain;
  readonly service: string;
  /** The records that were sent. */
  readonly records: readonly DnsRecord[];
  readonly answer: StagedDomain;
  readonly verdict: Judged['verdict'];
  readonly ds: DsLookup;
  /** Whether `svc domains status` knows the nameservers by itself. */
  readonly isRemembered: boolean;
  /** The zone file with the records as they were scanned. */
  readonly saved: string | undefined;
}

/** Most lines of a diff that are shown. */
const MOST_LINES = 40;

/** Shows what was staged and, if that is everything, the next steps at the registrar. */
export function showStaged(screen: Screen, staged: Staged): void {
  const { domain, service, records, answer, verdict } = staged;
  if (verdict === 'refused') return void screen.rest(answer);
  const isDone = verdict === 'done';
  if (isDone) screen.success(`Staged ${plural(records.length, 'record')} of ${bothNames(domain)} on ${service}.`);
  showDiff(screen, staged);
  // The error that follows a refusal says it.
  if (isDone && staged.saved !== undefined)
    screen.line(['The records as scanned are saved in ', filePath(staged.saved)]);
  const nameservers = nameserversOf(answer.nameservers);
  screen.heading(isDone ? 'Nameservers to set at the registrar' : 'Nameservers in the answer');
  if (nameservers.length > 0) screen.list(nameservers);
  else {
    screen.line('The answer has no nameservers that svc can read.');
    screen.rest({ nameservers: answer.nameservers });
  }
  if (isDone) {
    screen.heading('What to do now');
    screen.steps(stepsFor(staged, nameservers));
  }
  screen.rest(otherFields(answer, ['nameservers', 'stagedRecords']));
}

function showDiff(screen: Screen, { records, answer, domain }: Staged): void {
  if (typeof answer.stagedRecords === 'number') {
    screen.line(`The service confirmed ${plural(answer.stagedRecords, 'record')}.`);
    return;
  }
  const diff = diffRecords(records, answer.stagedRecords, domain.ascii);
  if (diff === undefined) {
    screen.warning('svc cannot compare the staged records with yours, because it does not know their form.');
    screen.rest({ stagedRecords: answer.stagedRecords });
    return;
  }
  const lines = linesOf(diff, domain.ascii);
  if (lines.length === 0) {
    return void screen.line(`The service confirmed all ${plural(records.length, 'record')}.`);
  }
  screen.warning('The service staged other records than svc sent (- sent, + staged):');
  screen.diff(lines.slice(0, MOST_LINES));
  if (lines.length > MOST_LINES) screen.line(`and ${lines.length - MOST_LINES} more lines (--json shows all)`);
}

function linesOf({ missing, added, changed }: RecordDiff, apex: string): DiffLine[] {
  const line = (kind: DiffLine['kind']) => (record: unknown) => {
    const { type, ttl, priority, value } = asObject(record);
    const cells = [zoneName(nameOf(record, apex), apex), ...[ttl, type, priority, value].map(toText)];
    return { kind, text: cells.filter(Boolean).join(' ') };
  };
  return [
    ...missing.map(line('removed')),
    ...changed.flatMap(({ before, after }) => [line('removed')(before), line('added')(after)]),
    ...added.map(line('added')),
  ];
}

function stepsFor(
  { domain, currentNameservers, ds, warnings, isRemembered }: Staged,
  nameservers: readonly string[],
): Text[] {
  const now = currentNameservers.length === 0 ? '' : ` (now ${currentNameservers.join(', ')})`;
  const names = nameservers.length === 0 ? 'those of the service' : 'those above';
  const named = isRemembered ? [] : nameservers.map((name) => ` --nameserver ${name}`);
  return [
    ...dsStep(domain.ascii, ds, warnings),
    `Where ${domain.ascii} is registered, replace all of its nameservers${now} with ${names}.`,
    'Keep the old records for two days: DNS caches may still use them.',
    ['Watch the switch: ', code(`svc domains status ${domain.ascii}${named.join('')} --wait`)],
    'Then verify the domain in the dashboard.',
  ];
}
