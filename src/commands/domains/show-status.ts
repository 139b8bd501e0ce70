import type { Comparison, Difference, Unanswered } from '../../dns/compare.ts';
import type { DomainCheck } from '../../dns/domain-check.ts';
import type { NameserverState } from '../../dns/nameserver.ts';
import { showServer } from '../../dns/server.ts';
import { type DnssecState, isBroken, type MoveVerdict, type Sight } from '../../dns/verdict.ts';
import { CliError } from '../../errors.ts';
import { plural } from '../../terminal/numbers.ts';
import { date, dim, type Screen, type Text } from '../../terminal/screen.ts';
import { bothNames } from './dns.ts';
import type { Move } from './move.ts';

/** How far a move is. */
export interface MoveStatus {
  readonly move: Move;
  readonly check: DomainCheck;
  /** ISO 8601. */
  readonly checkedAt: string;
}

/** What each verdict on a move means, for people. */
export const SENTENCES: Readonly<Record<MoveVerdict, string>> = {
  complete: 'The move is complete.',
  incomplete: 'The nameservers are switched, but not all of them answered for every staged record.',
  propagating: 'The nameservers are switched, but some DNS caches still have the old ones.',
  mixed: 'Both old and new nameservers are set at the registrar.',
  not_started: 'The nameservers are not switched yet.',
  not_delegated: 'This domain has no nameservers in public DNS.',
  broken_dnssec: 'DNSSEC is broken: the DS record does not match the new nameservers.',
  broken_nameservers: 'A new nameserver does not serve the domain.',
  broken_records: 'The new nameservers return other records than were staged.',
};

/** What to do about a move that is not complete. */
const ADVICE: Readonly<Record<Exclude<MoveVerdict, 'complete'>, string>> = {
  incomplete: "Ask again in a few minutes. If nothing changes, send the list above to the platform's support.",
  propagating: 'DNS caches forget the old nameservers within two days.',
  mixed: 'Remove the old nameservers at the registrar.',
  not_started: 'Set the new nameservers at the registrar.',
  not_delegated: 'Check at the registrar that the domain is registered, paid for, and has nameservers.',
  broken_dnssec: 'Remove the DS record at the registrar.',
  broken_nameservers: "Send the list above to the platform's support.",
  broken_records: 'Stage the right records again.',
};

/** The next commands for a move, with what was typed. */
export interface NextCommands {
  /** Looks again, without `--wait`. */
  readonly look: string;
  readonly stage: string;
}

/**
 * Returns the error for a move that is not complete. One that only takes its time is no mistake. An incomplete one is a
 * failure where a server leaves out some of the records that it has been asked for.
 */
export function moveFailure(
  check: DomainCheck,
  domain: string,
  next: NextCommands,
  advice?: string,
): CliError | undefined {
  const { verdict } = check;
  if (verdict === 'complete') return undefined;
  const leavesOut = verdict === 'incomplete' && comparisonsOf(check).some(answersSome);
  const isFailure = isBroken(verdict) || leavesOut;
  // The screen says what is the matter, so the error does not say it again.
  const short = `The move of ${domain} is ${isBroken(verdict) ? 'broken' : 'not complete'}.`;
  return new CliError(isFailure ? 'failed' : 'still_running', `${short} ${advice ?? ADVICE[verdict]}`, {
    hint: verdict === 'broken_records' ? next.stage : `${next.look}${isBroken(verdict) ? '' : ' --wait'}`,
  });
}

function comparisonsOf({ reports, viaResolver }: DomainCheck): readonly Comparison[] {
  return viaResolver === undefined ? reports : [viaResolver];
}

function answersSome({ matching, different, unanswered }: Comparison): boolean {
  return unanswered.length > 0 && matching + different.length > 0;
}

const STATES: Readonly<Record<NameserverState, string>> = {
  serves: 'serves the domain',
  not_serving: 'answers, but does not serve the domain',
  no_address: 'has no address',
  silent: 'does not answer',
  unreachable: 'cannot be reached',
  garbled: 'sends answers that are not DNS',
};

const MAX_DIFFERENCES = 20;

const SIGHTS: Readonly<Record<Sight, string>> = {
  none: 'none',
  new: 'new',
  old: 'still the old ones',
  mixed: 'old and new',
};

const DNSSEC: Readonly<Record<DnssecState, string>> = {
  unsigned: 'off',
  signed: 'on, and the new nameservers have the key',
  will_break: 'on: remove the DS record before you switch nameservers',
  broken: 'broken: remove the DS record at the registrar',
  unknown: 'could not be looked up',
};

/** Shows how far a move is, and what each nameserver answered. */
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
    [
      'Staged',
      staging === undefined || staging.stagedAt === ''
        ? undefined
        : [date(staging.stagedAt), setsText(staging.records.length, sets.length)],
    ],
  ]);
  showNameservers(screen, check, sets.length);
  if (staging === undefined)
    screen.line(
      'The records were not compared, because this domain was not staged from this machine. Pass them with --records <file>.',
    );
  showDifferences(screen, check);
  showUnanswered(screen, check);
}

/** The columns of {@link moveRow}. */
export const MOVE_HEAD = ['State', 'At the registry', 'Records right', 'DNSSEC'];

/** The row of one of several. */
export function moveRow({ move, check }: MoveStatus): readonly Text[] {
  const { verdict, parent, resolver, reports, dnssec } = check;
  const unfinished = isBroken(verdict) ? 'bad' : 'warn';
  const matching = reports.filter(({ state }) => state === 'serves').map((report) => report.matching);
  const compared = matching.length > 0 && move.sets.length > 0;
  return [
    { text: verdict.replaceAll('_', ' '), tone: verdict === 'complete' ? 'good' : unfinished },
    (parent ?? resolver)?.nameservers.join(', ') ?? '',
    compared ? `${Math.min(...matching)} of ${move.sets.length}` : '',
    dnssec.state.replaceAll('_', ' '),
  ];
}

/** Records of the same name and type are one answer of the DNS, and are compared as one. */
function setsText(records: number, sets: number): string {
  return records === sets ? '' : `, ${plural(records, 'record')} in ${plural(sets, 'set')}`;
}

function seen(view: DomainCheck['resolver']): Text {
  if (view === undefined) return dim('could not be asked');
  if (view.nameservers.length === 0) return SIGHTS.none;
  return [view.nameservers.join(', '), ' ', dim(`(${SIGHTS[view.sight]})`)];
}

function showNameservers(screen: Screen, check: DomainCheck, asked: number): void {
  screen.table({
    head: [{ name: 'Nameserver', whole: true }, 'Address', 'State', 'Sets as staged'],
    rows: check.reports.map((report) => [
      showServer(report.nameserver),
      report.server?.address ?? '',
      STATES[report.state],
      report.state === 'serves' && asked > 0 ? `${report.matching} of ${asked}` : '',
    ]),
  });
  if (check.viaResolver === undefined) return;
  const { matching } = check.viaResolver;
  screen.line(
    `No new nameserver can be reached from here. The resolver has ${matching} of ${asked} record sets as staged; ask again from a network that lets DNS queries out.`,
  );
}

function showDifferences(screen: Screen, { reports, viaResolver }: DomainCheck): void {
  const rows = [
    ...reports.flatMap(({ nameserver, different }) => different.map((one) => rowOf(showServer(nameserver), one))),
    ...(viaResolver?.different ?? []).map((one) => rowOf('resolver', one)),
  ];
  if (rows.length === 0) return;
  screen.heading('Records that are not as staged');
  screen.table({ head: ['Nameserver', 'Name', 'Type', 'Staged', 'Answered'], rows, max: MAX_DIFFERENCES });
}

const REASONS: Readonly<Record<string, string>> = {
  silent: 'no answer in time',
  unreachable: 'cannot be reached',
  garbled: 'no DNS',
  not_asked: 'not asked any more',
} satisfies Partial<Record<Unanswered['reason'], string>>;

function showUnanswered(screen: Screen, { reports, viaResolver }: DomainCheck): void {
  const rowsOf = (nameserver: string, { unanswered }: Comparison) =>
    unanswered.map(({ name, type, reason }) => [nameserver, name, type, REASONS[reason] ?? reason]);
  const rows = [
    ...reports.flatMap((report) => rowsOf(showServer(report.nameserver), report)),
    ...(viaResolver === undefined ? [] : rowsOf('resolver', viaResolver)),
  ];
  if (rows.length === 0) return;
  screen.heading('Records that were not answered');
  screen.table({ head: ['Nameserver', 'Name', 'Type', 'Answer'], rows, max: MAX_DIFFERENCES });
}

function rowOf(nameserver: string, { name, type, wanted, found }: Difference): string[] {
  return [nameserver, name, type, wanted.join(', '), found.length === 0 ? 'nothing' : found.join(', ')];
}
