import type { Difference } from '../../dns/compare.ts';
import type { DomainCheck } from '../../dns/domain-check.ts';
import type { NameserverReport } from '../../dns/nameserver.ts';
import { showServer } from '../../dns/server.ts';
import type { DnssecState, Sight } from '../../dns/verdict.ts';
import { date, dim, type Screen, type Text } from '../../io/screen.ts';
import type { Move } from './move.ts';
import { nameOf, sentenceOf, stateOf } from './move-outcome.ts';
import { bothNames } from './names.ts';

/** How far a move is, and what was looked for. */
export interface MoveStatus {
  readonly move: Move;
  readonly check: DomainCheck;
  /** ISO 8601. */
  readonly checkedAt: string;
}

/** Differences that are shown one by one. */
const MOST_DIFFERENCES = 20;

const SIGHTS: Readonly<Record<Sight, string>> = {
  none: 'none',
  new: 'new',
  old: 'not the new ones',
  mixed: 'old and new',
};

const DNSSEC: Readonly<Record<DnssecState, string>> = {
  unsigned: 'off',
  signed: 'on, and the new nameservers have the key',
  will_break: 'on, and no DS record fits the new nameservers: remove it before the switch',
  broken: 'broken: no DS record fits the new nameservers; remove it at the registrar',
  unknown: 'could not be looked up',
};

/** Shows how far a move is. */
export function showMoveStatus(screen: Screen, { move, check }: MoveStatus): void {
  const { domain, staging, sets } = move;
  screen.heading(`Move of ${bothNames(domain)}`);
  if (check.verdict === 'complete') screen.success(sentenceOf(check));
  else screen.warning(sentenceOf(check));
  screen.fields([
    ['At the registry', seen(check.parent) ?? dim('could not be asked')],
    ['At the resolver', seen(check.resolver) ?? dim('could not be asked')],
    ['New nameservers', move.expected.map(showServer).join(', ')],
    ['DNSSEC', check.verdict === 'not_delegated' ? undefined : DNSSEC[check.dnssec.state]],
    ['Staged', staging === undefined ? undefined : date(staging.stagedAt)],
  ]);
  showNameservers(screen, check, sets.length);
  if (staging === undefined)
    screen.line('The records were not compared: no staging of this domain is remembered here.');
  showDifferences(screen, check);
}

function seen(view: { readonly nameservers: readonly string[]; readonly sight: Sight } | undefined): Text | undefined {
  if (view === undefined) return undefined;
  if (view.nameservers.length === 0) return SIGHTS.none;
  return [view.nameservers.join(', '), ' ', dim(`(${SIGHTS[view.sight]})`)];
}

function showNameservers(screen: Screen, check: DomainCheck, asked: number): void {
  screen.table({
    head: [{ name: 'Nameserver', whole: true }, 'Address', 'State', 'Records as staged'],
    rows: check.reports.map((report) => [
      nameOf(report),
      report.server?.address ?? '',
      stateOf(report),
      report.state === 'serves' && asked > 0 ? `${report.matching} of ${asked}` : '',
    ]),
  });
  if (check.viaResolver === undefined) return;
  const { matching, different } = check.viaResolver;
  screen.line(
    `No new nameserver can be reached from here; the resolver was asked instead: ${matching} of ${matching + different.length} as staged.`,
  );
}

function showDifferences(screen: Screen, { reports, viaResolver }: DomainCheck): void {
  const rows = [
    ...reports.flatMap((report: NameserverReport) => report.different.map((one) => rowOf(nameOf(report), one))),
    ...(viaResolver?.different ?? []).map((one) => rowOf('resolver', one)),
  ];
  if (rows.length === 0) return;
  screen.heading('Records that are not as staged');
  screen.table({ head: ['Nameserver', 'Name', 'Type', 'Staged', 'Answered'], rows, max: MOST_DIFFERENCES });
}

function rowOf(nameserver: string, { name, type, wanted, found }: Difference): string[] {
  return [nameserver, name, type, wanted.join(', '), found.length === 0 ? 'nothing' : found.join(', ')];
}
