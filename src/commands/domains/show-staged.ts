import type { Context } from '../../command/context.ts';
import type { Domain } from '../../command/values/domain.ts';
import { CliError } from '../../errors.ts';
import { asObject, otherFields } from '../../json/values.ts';
import type { DnsRecord, StagedDomain } from '../../spec/types.ts';
import { plural } from '../../terminal/numbers.ts';
import { code, type DiffLine, type Screen, type Text } from '../../terminal/screen.ts';
import { diffRecords, type RecordDiff } from '../../zone/diff.ts';
import { nameOf, toText } from '../../zone/summary.ts';
import type { Gathered } from './gather.ts';
import { bothNames, isResolvable, nameserversOf, openResolver } from './resolver.ts';
import type { Judged } from './stage.ts';

/** Whether the parent zone has DS records of a domain, which turn DNSSEC on for it. */
export type DsLookup =
  | { readonly state: 'present' | 'absent' | 'not_asked' }
  | { readonly state: 'unknown'; readonly reason: string };

/** Asks the DNS whether DNSSEC is on for a domain, for at most two seconds. A failed lookup is not an error. */
export async function lookUpDs(context: Context, domain: string): Promise<DsLookup> {
  if (!isResolvable(context, domain)) return { state: 'not_asked' };
  try {
    const resolver = await openResolver(context, { triesMs: [700, 1300], signal: context.system.signal });
    const found = await resolver.lookup(domain, 'DS');
    if (found.outcome === 'failed') return { state: 'unknown', reason: found.reason };
    return { state: found.outcome === 'found' ? 'present' : 'absent' };
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'unavailable') throw error;
    return { state: 'unknown', reason: error.message };
  }
}

export function dsAdvice(domain: string): string {
  return (
    `DNSSEC is on for ${domain}. Remove its DS record at the registrar, and wait until caches have forgotten it ` +
    '(a day is enough for nearly all), before you switch nameservers: otherwise the domain stops resolving.'
  );
}

export interface Staged extends Pick<Gathered, 'currentNameservers' | 'warnings'> {
  readonly domain: Domain;
  readonly service: string;
  /** The records that were sent. */
  readonly records: readonly DnsRecord[];
  readonly answer: StagedDomain;
  readonly verdict: Judged['verdict'];
  readonly ds: DsLookup;
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
  const nameservers = nameserversOf(answer.nameservers);
  screen.heading(isDone ? 'Nameservers to set at the registrar' : 'Nameservers that the answer names');
  if (nameservers.length > 0) screen.list(nameservers);
  else {
    screen.line('The answer names none that svc can read.');
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
  const line = (kind: DiffLine['kind']) => (record: unknown) => {
    const { type, ttl, priority, value } = asObject(record);
    const cells = [nameOf(record, apex), ...[ttl, type, priority, value].map(toText)];
    return { kind, text: cells.filter(Boolean).join(' ') };
  };
  return [
    ...missing.map(line('removed')),
    ...changed.flatMap(({ before, after }) => [line('removed')(before), line('added')(after)]),
    ...added.map(line('added')),
  ];
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

function dsSteps(domain: string, { state }: DsLookup, warnings: readonly string[]): string[] {
  if (state === 'absent') return [];
  if (state === 'present') return [dsAdvice(domain)];
  const said = warnings.find((warning) => /\bDNSSEC\b|\bDS record/i.test(warning));
  if (said !== undefined) return [`As the scan says: ${said}`];
  return [`If DNSSEC is on for ${domain}, remove its DS record at the registrar, and wait a day.`];
}
