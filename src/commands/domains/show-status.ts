import type { Domain } from '../../cli/values/domain.ts';
import type { Comparison, MoveFields } from '../../contract/fields/move.ts';
import { FAULT_WORDS } from '../../dns/resolver.ts';
import { readServer } from '../../dns/server.ts';
import { listed } from '../../errors.ts';
import { plural } from '../../terminal/numbers.ts';
import { date, dim, type Screen, type Text } from '../../terminal/screen.ts';
import { bothNames } from './dns.ts';

/** How far a move is. */
export interface MoveStatus {
  readonly domain: Domain;
  readonly found: MoveFields;
}

/** Then waiting does not help. */
export function isBroken(verdict: MoveFields['verdict']): boolean {
  return verdict === 'not_delegated' || verdict.startsWith('broken_');
}

/** What each verdict means, and what to do about it. */
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
  not_started: [
    'The nameservers are not switched yet.',
    'Set the new nameservers at the registrar.',
  ],
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
  not_serving: 'answers, but does not serve the domain',
  no_address: 'has no address',
  silent: 'does not answer',
  unreachable: 'cannot be reached',
  garbled: 'sends answers that are not DNS',
};

const MAX_DIFFERENCES = 20;

const SIGHTS: Readonly<Record<Delegated['sees'], string>> = {
  none: 'none',
  new: 'new',
  old: 'still the old ones',
  mixed: 'old and new',
};

type Delegated = NonNullable<MoveFields['delegation']['registry']>;

/** How far a move is, and what each nameserver answered. */
export function showMoveStatus(screen: Screen, { domain, found }: MoveStatus): void {
  const { verdict, message, delegation, expected, records } = found;
  screen.heading(`Move of ${bothNames(domain)}`);
  if (verdict === 'complete') screen.success(message);
  else screen.warning(message);
  screen.fields([
    ['At the registry', seen(delegation.registry)],
    ['At the resolver', seen(delegation.resolver)],
    ['New nameservers', expected.nameservers.join(', ')],
    ['DNSSEC', verdict === 'not_delegated' ? undefined : describeDnssec(found)],
    ['Staged', records?.stagedAt ? [date(records.stagedAt), setsText(records)] : undefined],
  ]);
  showNameservers(screen, found);
  const old = describeOldNames(found);
  if (old !== undefined) screen.warning(old);
  if (records === null)
    screen.line(
      'The records were not compared, because this domain was not staged from this machine. Pass them with --records <file>.',
    );
  showSets(
    screen,
    found,
    'Records that are not as staged',
    ['Staged', 'Answered'],
    ({ different }) =>
      different.map((set) => [
        set.name,
        set.type,
        set.wanted.join(', '),
        set.found.join(', ') || 'nothing',
      ]),
  );
  showSets(screen, found, 'Records that were not answered', ['Answer'], ({ unansweredSets }) =>
    unansweredSets.map(({ name, type, reason }) => [name, type, REASONS[reason] ?? reason]),
  );
}

function describeDnssec({ verdict, dnssec: { state, ds } }: MoveFields): string {
  if (state === 'unknown') return 'could not be looked up';
  if (state === 'unsigned') return 'off';

  const keyTags = (ds ?? []).map((record) => record.split(' ')[0]);
  const named = `on, by DS record ${keyTags.join(', ')} at the registry`;
  return verdict === 'not_started' ? `${named}: remove it before you switch` : named;
}

/** A warning where new nameservers send the world back; undefined where none does. */
export function describeOldNames({ nameservers, domain }: MoveFields): string | undefined {
  const names = new Set(nameservers.flatMap(({ oldNameservers }) => oldNameservers));
  if (names.size === 0) return undefined;
  return `The new nameservers themselves name the old ones (${listed([...names])}), so parts of the world will go on asking those. Ask the platform's support to correct the NS records of ${domain}.`;
}

/** Records of the same name and type are one answer of the DNS. */
function setsText({ staged, sets }: NonNullable<MoveFields['records']>): string {
  return staged === sets ? '' : `, ${plural(staged, 'record')} in ${plural(sets, 'set')}`;
}

function seen(view: Delegated | null): Text {
  if (view === null) return dim('could not be asked');
  if (view.nameservers.length === 0) return SIGHTS.none;
  return [view.nameservers.join(', '), ' ', dim(`(${SIGHTS[view.sees]})`)];
}

function showNameservers(screen: Screen, { nameservers, viaResolver, records }: MoveFields): void {
  const sets = records?.sets ?? 0;
  screen.table({
    head: [{ name: 'Nameserver', whole: true }, 'Address', 'State', 'Sets as staged'],
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

const REASONS: Readonly<Record<string, string>> = {
  ...FAULT_WORDS,
  not_asked: 'not asked any more',
};

function showSets(
  screen: Screen,
  { nameservers, viaResolver }: MoveFields,
  heading: string,
  columns: readonly string[],
  rowsOf: (comparison: Comparison) => readonly (readonly string[])[],
): void {
  const servers = [
    ...nameservers,
    ...(viaResolver ? [{ nameserver: 'resolver', ...viaResolver }] : []),
  ];
  const rows = servers.flatMap((server) =>
    rowsOf(server).map((cells) => [server.nameserver, ...cells]),
  );
  if (rows.length === 0) return;
  screen.heading(heading);
  screen.table({ head: ['Nameserver', 'Name', 'Type', ...columns], rows, max: MAX_DIFFERENCES });
}
