import type { Difference } from '../../dns/compare.ts';
import type { DomainCheck } from '../../dns/domain-check.ts';
import type { NameserverState } from '../../dns/nameserver.ts';
import { showServer } from '../../dns/server.ts';
import { type DnssecState, isBroken, type Sight, type Verdict } from '../../dns/verdict.ts';
import { CliError } from '../../errors.ts';
import { date, dim, type Screen, type Text } from '../../terminal/screen.ts';
import type { Move } from './move.ts';
import { bothNames } from './resolver.ts';

/** How far a move is. */
export interface MoveStatus {
  readonly move: Move;
  readonly check: DomainCheck;
  /** ISO 8601. */
  readonly checkedAt: string;
}

export const SENTENCES: Readonly<Record<Verdict, string>> = {
  complete: 'The move is complete.',
  propagating: 'The nameservers are switched; caches of the DNS still have the old ones.',
  mixed: 'Old and new nameservers are set side by side at the registrar.',
  not_started: 'The nameservers are not switched yet.',
  not_delegated: 'The DNS knows no nameservers for this domain.',
  broken_dnssec: 'DNSSEC is broken: the DS record does not fit the new nameservers.',
  broken_nameservers: 'A new nameserver does not serve the domain.',
  broken_records: 'The new nameservers answer with other records than were staged.',
};

const HINTS: Readonly<Record<Exclude<Verdict, 'complete'>, (domain: string) => string>> = {
  propagating: () => 'Repeat the command with --wait; caches forget within two days at most.',
  mixed: () => 'Remove the old nameservers at the registrar.',
  not_started: () => 'Set the new nameservers at the registrar.',
  not_delegated: () => 'Check at the registrar that the domain is registered and paid, and that nameservers are set.',
  broken_dnssec: () => 'Remove the DS record at the registrar.',
  broken_nameservers: () => 'the support of the service, with what is listed above',
  broken_records: (domain) => `Stage the right records again: svc domains add ${domain} --import --records <file>`,
};

/** Returns the error for a move that is not complete. */
export function failureOf({ verdict }: DomainCheck, domain: string, hint?: string): CliError | undefined {
  if (verdict === 'complete') return undefined;
  return new CliError(isBroken(verdict) ? 'failed' : 'still_running', `${domain}: ${SENTENCES[verdict]}`, {
    hint: hint ?? HINTS[verdict](domain),
  });
}

const STATES: Readonly<Record<NameserverState, string>> = {
  serves: 'serves the domain',
  not_serving: 'answers, but does not serve the domain',
  no_address: 'has no address',
  silent: 'does not answer',
  unreachable: 'cannot be reached',
  garbled: 'answers with something that is no DNS',
};

/** Most differences that are listed. */
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

export function showMoveStatus(screen: Screen, { move, check }: MoveStatus): void {
  const { domain, staging, sets } = move;
  screen.heading(`Move of ${bothNames(domain)}`);
  const sentence = SENTENCES[check.verdict];
  if (check.verdict === 'complete') screen.success(sentence);
  else screen.warning(sentence);
  screen.fields([
    ['At the registry', seen(check.parent)],
    ['At the resolver', seen(check.resolver)],
    ['New nameservers', move.expected.map(showServer).join(', ')],
    ['DNSSEC', check.verdict === 'not_delegated' ? undefined : DNSSEC[check.dnssec.state]],
    ['Staged', staging === undefined ? undefined : date(staging.stagedAt)],
  ]);
  showNameservers(screen, check, sets.length);
  if (staging === undefined)
    screen.line('The records were not compared: no staging of this domain is remembered here.');
  showDifferences(screen, check);
}

function seen(view: DomainCheck['resolver']): Text {
  if (view === undefined) return dim('could not be asked');
  if (view.nameservers.length === 0) return SIGHTS.none;
  return [view.nameservers.join(', '), ' ', dim(`(${SIGHTS[view.sight]})`)];
}

function showNameservers(screen: Screen, check: DomainCheck, asked: number): void {
  screen.table({
    head: [{ name: 'Nameserver', whole: true }, 'Address', 'State', 'Records as staged'],
    rows: check.reports.map((report) => [
      showServer(report.nameserver),
      report.server?.address ?? '',
      STATES[report.state],
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
    ...reports.flatMap(({ nameserver, different }) => different.map((one) => rowOf(showServer(nameserver), one))),
    ...(viaResolver?.different ?? []).map((one) => rowOf('resolver', one)),
  ];
  if (rows.length === 0) return;
  screen.heading('Records that are not as staged');
  screen.table({ head: ['Nameserver', 'Name', 'Type', 'Staged', 'Answered'], rows, max: MOST_DIFFERENCES });
}

function rowOf(nameserver: string, { name, type, wanted, found }: Difference): string[] {
  return [nameserver, name, type, wanted.join(', '), found.length === 0 ? 'nothing' : found.join(', ')];
}
