import type { Domain } from '../../command/parse/domain.ts';
import { diffRecords, type RecordDiff } from '../../domains/diff.ts';
import { nameOf, toText } from '../../domains/summary.ts';
import { plural } from '../../io/numbers.ts';
import { code, type DiffLine, type Screen, type Text } from '../../io/screen.ts';
import { asObject, otherFields } from '../../spec/read.ts';
import type { DnsRecord, StagedDomain } from '../../spec/types.ts';
import { type DsLookup, dsAdvice } from './ds-lookup.ts';
import type { Judged } from './judge-staging.ts';
import { bothNames, nameserversOf } from './names.ts';

/** A staging that the service answered. */
export interface Staged {
  readonly domain: Domain;
  readonly service: string;
  /** What was asked for. */
  readonly records: readonly DnsRecord[];
  readonly answer: StagedDomain;
  readonly verdict: Judged['verdict'];
  readonly currentNameservers: readonly string[];
  readonly ds: DsLookup;
  /** What the scan warned of. */
  readonly warnings: readonly string[];
}

/** Lines of a difference that are shown one by one. */
const MOST_LINES = 40;

/** Shows what was staged and, where all of it was, what is left to do at the registrar. */
export function showStaged(screen: Screen, staged: Staged): void {
  const { domain, service, records, answer, verdict } = staged;
  if (verdict === 'refused') return void screen.rest(answer);
  const isDone = verdict === 'done';
  if (isDone) screen.success(`Staged ${plural(records.length, 'record')} of ${bothNames(domain)} on ${service}.`);
  showDiff(screen, staged);
  const nameservers = nameserversOf(answer.nameservers);
  screen.heading(isDone ? 'Nameservers to set at the registrar' : 'Nameservers that the answer names');
  if (nameservers.length > 0) screen.list(nameservers);
  else screen.line('The answer names none that svc can read.');
  if (nameservers.length === 0) screen.rest({ nameservers: answer.nameservers });
  if (isDone) {
    screen.heading('What to do now');
    screen.steps(stepsFor(staged, nameservers));
  }
  screen.rest(otherFields(answer, ['nameservers', 'stagedRecords']));
}

function showDiff(screen: Screen, { records, answer, domain }: Staged): void {
  if (typeof answer.stagedRecords === 'number') {
    screen.line(`The service counts ${plural(answer.stagedRecords, 'staged record')}.`);
    return;
  }
  const diff = diffRecords(records, answer.stagedRecords, domain.ascii);
  if (diff === undefined) {
    screen.warning('The answer does not list the staged records in a form that svc can compare with yours.');
    screen.rest({ stagedRecords: answer.stagedRecords });
    return;
  }
  const lines = linesOf(diff, domain.ascii);
  if (lines.length === 0) return void screen.line('The service lists the same records as were asked for.');
  screen.warning('The service lists other records than were asked for (- asked for, + staged):');
  screen.diff(lines.slice(0, MOST_LINES));
  if (lines.length > MOST_LINES) screen.line(`and ${lines.length - MOST_LINES} more lines; --json has them all`);
}

function linesOf({ missing, added, changed }: RecordDiff, apex: string): DiffLine[] {
  const line = (kind: DiffLine['kind']) => (record: unknown) => ({ kind, text: inWords(record, apex) });
  return [
    ...missing.map(line('removed')),
    ...changed.flatMap(({ before, after }) => [line('removed')(before), line('added')(after)]),
    ...added.map(line('added')),
  ];
}

function inWords(record: unknown, apex: string): string {
  const { type, ttl, priority, value } = asObject(record);
  return [nameOf(record, apex), toText(ttl), toText(type), toText(priority), toText(value)].filter(Boolean).join(' ');
}

function stepsFor({ domain, currentNameservers, ds, warnings }: Staged, nameservers: readonly string[]): Text[] {
  const now = currentNameservers.length === 0 ? '' : ` (now ${currentNameservers.join(', ')})`;
  const names = nameservers.length === 0 ? 'those of the service' : nameservers.join(', ');
  return [
    ...dsSteps(domain.ascii, ds, warnings),
    `Where ${domain.ascii} is registered, replace all of its nameservers${now} with ${names}.`,
    'Leave the records at the old DNS provider for two days: caches still ask there.',
    ['Follow the switch: ', code(`svc domains status ${domain.ascii} --wait`)],
    'Then verify the domain in the dashboard of the service.',
  ];
}

/** Where neither the DNS nor the scan says whether DNSSEC is on, the person who moves the domain can. */
function dsSteps(domain: string, { state }: DsLookup, warnings: readonly string[]): string[] {
  if (state === 'absent') return [];
  if (state === 'present') return [dsAdvice(domain)];
  const said = warnings.find((warning) => /\bDNSSEC\b|\bDS record/i.test(warning));
  if (said !== undefined) return [`As the scan says: ${said}`];
  return [`If DNSSEC is on for ${domain}, remove its DS record at the registrar, and wait a day.`];
}
