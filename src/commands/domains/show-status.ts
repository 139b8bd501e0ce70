import type { Comparison, MoveFields } from '../../contract/fields/dns.ts';
import { readServer } from '../../dns/client.ts';
import { FAULTS } from '../../dns/message.ts';
import { listNames } from '../../errors.ts';
import { plural } from '../../terminal/format.ts';
import { code, date, dim, type Screen, type Text } from '../../terminal/screen.ts';
import { describeDomain } from './dns.ts';
import type { Move } from './move.ts';

/** The progress of a move. */
interface MoveStatus {
  readonly move: Move;
  readonly found: MoveFields;
}

/** Whether waiting does not help. */
export function isBroken(verdict: MoveFields['verdict']): boolean {
  return verdict === 'not_delegated' || verdict.startsWith('broken_');
}

/** The meaning of each verdict, and what to do about it. */
export const VERDICTS: Readonly<
  Record<MoveFields['verdict'], readonly [meaning: string, advice: string]>
> = {
  complete: ['The move is complete.', ''],
  incomplete: [
    'The nameservers are switched, but not all of them answered for every staged record.',
    "Ask again in a few minutes. If nothing changes, send the list above to the platform's support.",
  ],
  propagating: [
    'The nameservers are switched, but some DNS caches still have the old ones.',
    'DNS caches forget the old nameservers within two days.',
  ],
  mixed: [
    'Both old and new nameservers are set at the registrar.',
    'Remove the old nameservers at the registrar.',
  ],
  not_started: ['The nameservers are not switched yet.', 'The nameservers are not switched yet.'],
  not_delegated: [
    'This domain has no nameservers in public DNS.',
    'Check at the registrar that the domain is registered, paid for, and has nameservers.',
  ],
  dnssec_on: [
    'The nameservers are switched, but the registry still has a DS record.',
    'Remove the DS record at the registrar: the domain stops resolving unless the new nameservers have its key.',
  ],
  broken_nameservers: [
    'A new nameserver does not serve the domain.',
    "Send the list above to the platform's support.",
  ],
  broken_records: [
    'The new nameservers return other records than were staged.',
    'Stage the right records again.',
  ],
};

const STATES: Readonly<Record<string, string>> = {
  serves: 'serves the domain',
  not_serving: 'does not serve the domain',
  no_address: 'has no address',
  silent: 'does not answer',
  unreachable: 'cannot be reached',
  garbled: 'sends answers that are not DNS',
};

const MAX_DIFFERENCES = 20;

/** Shows how far a move is, and what each nameserver answered if it is not as it should be. */
export function showMoveStatus(screen: Screen, status: MoveStatus): void {
  const { move, found } = status;
  const { domain, service, hasDashboard } = move;
  const { verdict, message, records, delegation, expected, dnssec } = found;
  const place = service === undefined ? '' : ` to ${service}`;
  screen.heading(`Move of ${describeDomain(domain)}${place}`);
  if (records?.stagedAt) {
    const count = plural(records.staged, 'record');
    screen.success([`${count} staged: `, date(records.stagedAt)]);
  }
  showNameservers(screen, found);
  showDelegation(screen, found);

  const oldNames = describeOldNames(found);
  if (oldNames) screen.warning(oldNames);
  if (records === null) {
    screen.line('svc does not know the staged records. To compare them: --records <file>.');
  }
  showDifferences(screen, found);
  if (verdict === 'complete') screen.success(message);
  // The steps say that the nameservers are to be set.
  else if (verdict !== 'not_started') screen.warning(message);
  if (isBroken(verdict)) return;

  const view = delegation.registry ?? delegation.resolver;
  showSteps(screen, {
    nameservers: expected.nameservers,
    currentNameservers: view?.nameservers ?? [],
    isSwitched: view?.sees === 'new',
    isSigned: dnssec.state === 'unknown' ? undefined : dnssec.state === 'signed',
    hasDashboard,
  });
}

/** Shows the nameservers in one line if they are as they should be, and else in a table. */
function showNameservers(screen: Screen, { nameservers, viaResolver, records }: MoveFields): void {
  const sets = records?.sets ?? 0;
  const isRight = nameservers.every(
    ({ state, matching }) => state === 'serves' && matching === sets,
  );
  if (isRight) {
    const names = listNames(nameservers.map(({ nameserver }) => nameserver));
    const what = sets > 0 ? 'all of them' : 'the domain';
    screen.success(`${names} serve ${what}.`);
    return;
  }

  screen.table({
    head: [{ name: 'Nameserver', whole: true }, 'Address', 'State', 'Record sets'],
    rows: nameservers.map(({ nameserver, asked, state, matching }) => [
      nameserver,
      asked === null ? '' : readServer(asked, 'address').host,
      STATES[state] ?? state,
      state === 'serves' && sets > 0 ? `${matching} of ${sets}` : '',
    ]),
  });
  if (viaResolver === null) return;
  screen.line(
    `No new nameserver can be reached from here. The resolver has ${viaResolver.matching} of ${sets} record sets as staged; ask again from a network that lets DNS queries out.`,
  );
}

/** Shows what the registry and the resolver say, unless both say what the steps say. */
function showDelegation(screen: Screen, { verdict, delegation, dnssec }: MoveFields): void {
  const { registry, resolver } = delegation;
  const isSame = registry !== null && registry.sees === resolver?.sees && registry.sees !== 'none';
  const isSignedInSteps = verdict === 'not_started' || dnssec.state === 'unsigned';
  screen.fields([
    ['At the registry', isSame ? undefined : describeDelegation(registry)],
    ['At the resolver', isSame ? undefined : describeDelegation(resolver)],
    ['DNSSEC', isSignedInSteps || verdict === 'not_delegated' ? undefined : describeDnssec(dnssec)],
  ]);
}

function describeDelegation(view: MoveFields['delegation']['registry']): Text {
  if (view === null) return dim('could not be asked');
  if (view.nameservers.length === 0) return 'none';
  const sight = view.sees === 'mixed' ? 'old and new' : view.sees;
  return [view.nameservers.join(', '), ' ', dim(`(${sight})`)];
}

function describeDnssec({ state, ds }: MoveFields['dnssec']): string {
  if (state === 'unknown') return 'could not be looked up';
  const keyTags = (ds ?? []).map((record) => record.split(' ')[0]);
  return `on, by DS record ${keyTags.join(', ')} at the registry`;
}

/** Warns of new nameservers that send the world back; empty where none does. */
export function describeOldNames({ nameservers, domain }: MoveFields): string {
  const names = new Set(nameservers.flatMap(({ oldNameservers }) => oldNameservers));
  if (names.size === 0) return '';
  return `The new nameservers themselves name the old ones (${listNames([...names])}), so parts of the world will go on asking those. Ask the platform's support to correct the NS records of ${domain}.`;
}

const REASONS: Readonly<Record<string, string>> = {
  ...FAULTS,
  not_asked: 'not asked any more',
};

/** Shows the record sets that are not as they were staged, or got no answer. */
function showDifferences(screen: Screen, { nameservers, viaResolver }: MoveFields): void {
  const resolver = viaResolver === null ? [] : [{ nameserver: 'resolver', ...viaResolver }];
  const show = (
    heading: string,
    columns: readonly string[],
    toRows: (comparison: Comparison) => readonly (readonly string[])[],
  ) => {
    const rows = [...nameservers, ...resolver].flatMap((server) =>
      toRows(server).map((cells) => [server.nameserver, ...cells]),
    );
    if (rows.length === 0) return;
    screen.heading(heading);
    screen.table({ head: ['Nameserver', 'Name', 'Type', ...columns], rows, max: MAX_DIFFERENCES });
  };

  show('Records that are not as staged', ['Staged', 'Answered'], ({ different }) =>
    different.map(({ name, type, wanted, found }) => [
      name,
      type,
      wanted.join(', '),
      found.join(', ') || 'nothing',
    ]),
  );
  show('Records that were not answered', ['Answer'], ({ unansweredSets }) =>
    unansweredSets.map(({ name, type, reason }) => [name, type, REASONS[reason] ?? reason]),
  );
}

/** The facts from which the steps of a move follow. */
interface MoveFacts {
  /** The nameservers to set at the registrar. */
  readonly nameservers: readonly string[];
  /** Those that are set there now, as far as svc knows. */
  readonly currentNameservers: readonly string[];
  readonly isSwitched: boolean;
  /** Whether a DS record turns DNSSEC on; undefined if nobody knows. */
  readonly isSigned: boolean | undefined;
  readonly hasDashboard: boolean;
}

/** Shows a move as a checklist, the same after it is staged and while it goes on. */
export function showSteps(screen: Screen, facts: MoveFacts): void {
  const { nameservers, currentNameservers, isSwitched, isSigned, hasDashboard } = facts;
  const others = currentNameservers.filter((name) => !nameservers.includes(name));
  const replaced = others.length === 0 ? 'all others' : listNames(others);
  // Nearly all caches forget a DS record within a day.
  const unsigning = isSigned
    ? 'Remove the DS record at the registrar (DNSSEC is on), and wait a day.'
    : 'If DNSSEC is on, remove the DS record at the registrar, and wait a day.';
  const switching = `Set ${listNames(nameservers)} at the registrar, in place of ${replaced}.`;
  const switchSteps = isSigned === false ? [switching] : [unsigning, switching];
  const verification: Text = hasDashboard
    ? ['Verify the domain in the dashboard: ', code('svc open domains')]
    : 'Verify the domain in the dashboard.';
  screen.steps([
    ...(isSwitched ? [] : switchSteps),
    'Keep the old records for two days: DNS caches may still use them.',
    verification,
  ]);
}
