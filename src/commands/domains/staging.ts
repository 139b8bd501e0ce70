import type { Answer } from '../../api/call.ts';
import { readErrorObject } from '../../api/error-body.ts';
import { conclude, unknownWord } from '../../api/judged-errors.ts';
import { STAGING_MAY_HAVE_HAPPENED, stagingCall } from '../../api/operations.ts';
import { isLeftOut, isNothing, isTrouble } from '../../api/trouble.ts';
import { type Judgement, judge } from '../../api/verdict.ts';
import type { Needs } from '../../cli/define/context.ts';
import type { Domain } from '../../cli/values/domain.ts';
import type { Assume } from '../../contract/assumptions.ts';
import type { DnsRecord, StagedDomain } from '../../contract/types.ts';
import { diffRecords, type RecordDiff, recordIn } from '../../dns/diff.ts';
import { aboutOf } from '../../dns/records.ts';
import { readScanned } from '../../dns/scanned.ts';
import { groupBy, recordName, valueText } from '../../dns/summary.ts';
import { comparableValue } from '../../dns/zone-tokens.ts';
import { CliError } from '../../errors.ts';
import {
  asArray,
  asObject,
  asText,
  fieldOf,
  isObject,
  type JsonObject,
} from '../../json/values.ts';
import { plural } from '../../terminal/numbers.ts';
import { shown } from '../../terminal/screen.ts';
import { type DsLookup, nameserverIn, nameserversOf } from './dns.ts';
import { firstLines } from './first-lines.ts';
import { rememberStaging, type Staging, statusCommand } from './move.ts';
import type { Gathered } from './scan.ts';

type Warning = readonly [text: string, code: string];

interface Sent {
  readonly domain: string;
  readonly records: readonly DnsRecord[];
}

/** What the answer to operation 5 says in words, and which of the records are in it. */
export function judgeStaging(answer: StagedDomain, sent: Sent, assume: Assume) {
  const { levels, staged, nameservers } = stagingIn(answer);
  const diff = diffRecords(sent.records, staged, sent.domain);
  const isComplete = diff?.lost.length === 0;
  const said = judge(withoutUnsent(answer, sent, isComplete), 'staging', assume);
  const found = { status: said.status, nameservers, staged, diff };
  const failure = failureOf(said, found, sent);
  const isOpen =
    said.verdict === 'pending' ||
    said.verdict === 'unknown' ||
    levels.some((level) => isShort(level, sent));
  // Confirms every record that was sent, and nothing in it is open.
  const isConfirmed = failure === undefined && isComplete && !isOpen;
  const warnings = failure === undefined ? warningsOf(said, diff, nameservers) : [];
  return { ...found, isConfirmed, failure, warnings };
}

/** Whether an answer counts fewer records than were sent, or some that were left out. */
function isShort(level: JsonObject, { records }: Sent): boolean {
  return Object.entries(level).some(([name, value]) => {
    if (typeof value !== 'number') return false;
    return (
      isLeftOut(name, value) ||
      ((name === 'stagedCount' || name === 'staged') && value < records.length)
    );
  });
}

/** What the answer to a staging has: at its top, or in what may wrap it. */
export function stagingIn(answer: unknown) {
  const levels = [answer, fieldOf(answer, 'data'), fieldOf(answer, 'result')].filter(isObject);
  const first = (...names: readonly string[]) =>
    levels
      .flatMap((level) => names.map((name) => level[name]))
      .find((value) => value !== undefined && value !== null);
  // A host with its domain, or an address: others cannot be set.
  const isNameserver = (text: string) => nameserverIn(text).some(({ host }) => /[.:]/.test(host));
  const nameservers = nameserversOf(first('nameservers')).filter(isNameserver);
  return { levels, staged: first('stagedRecords', 'records'), nameservers };
}

interface Found extends Pick<ReturnType<typeof stagingIn>, 'staged' | 'nameservers'> {
  /** Undefined if the staged records have another form than was sent. */
  readonly diff: RecordDiff | undefined;
}

function failureOf(
  said: Judgement,
  { diff, staged, nameservers }: Found,
  { domain, records }: Sent,
) {
  const failed = `The platform did not stage the records of ${domain}`;
  const open = `The answer does not confirm that the records of ${domain} are staged`;
  if (said.verdict === 'failed') {
    const faults = faultsIn(said, domain);
    if (faults.length === 0) return conclude(said, { failed })?.withLines(STAY);
    const count = `${faults.length} of ${plural(records.length, 'record')}`;
    return lossOf(`The platform did not stage ${count} of ${domain}:`, faults);
  }
  if (diff !== undefined && diff.lost.length > 0) {
    const count = `${diff.held} of ${plural(records.length, 'record')}`;
    const lost = diff.lost.map(
      (record) => `${aboutOf(record, domain)}: ${shown(asObject(record)['value'])}`,
    );
    return lossOf(`The platform confirmed only ${count} of ${domain}. Missing:`, lost);
  }
  const settling = {
    lines: [STAGING_MAY_HAVE_HAPPENED],
    hint: nameservers.length === 0 ? undefined : statusCommand(domain),
  };
  const hasList = !isNothing(staged) && typeof staged !== 'string';
  const judgement: Judgement = hasList ? said : { ...said, verdict: 'silent' };
  return conclude(
    judgement,
    { failed, doubtful: open, ...(!hasList && { unclear: open }) },
    settling,
  );
}

const STAY = 'Do not switch nameservers: what is missing would stop working.';

function lossOf(sentence: string, lines: readonly string[]): CliError {
  return new CliError('failed', sentence, { lines: [...firstLines(lines), STAY] });
}

const UNCOMPARED =
  'svc cannot compare the staged records with yours, because it does not know their form.';
const OTHERWISE = 'The platform staged records with another TTL or priority than svc sent.';
const UNNAMED =
  "The answer has no nameservers, so nothing can be switched yet. Ask the platform's support for them.";

function warningsOf(
  said: Judgement,
  diff: RecordDiff | undefined,
  nameservers: readonly string[],
): Warning[] {
  const found: Warning[] = unknownWord(said).map((text) => [text, 'unknown_status']);
  if (diff === undefined) found.unshift([UNCOMPARED, 'staged_not_compared']);
  else if (diff.changed.length > 0) found.unshift([OTHERWISE, 'staged_otherwise']);
  if (nameservers.length === 0) found.push([UNNAMED, 'no_nameservers']);
  return found;
}

/**
 * An answer less what is not about a record that was sent, such as the zone's own SOA. Beside a
 * complete list, a mere count of what was left out is about others, too.
 */
function withoutUnsent(answer: unknown, { records, domain }: Sent, isComplete: boolean): unknown {
  const isSent = sentAmong(records, domain);
  const sift = (level: unknown): unknown => {
    if (!isObject(level)) return level;
    const sifted = Object.entries(level).map(([name, value]) => {
      if (name === 'data' || name === 'result') return [name, sift(value)];
      if (name !== 'stagedRecords' && name !== 'records' && !isLeftOut(name, value))
        return [name, value];
      if (Array.isArray(value)) return [name, value.filter(isSent)];
      return [name, typeof value === 'number' && isComplete ? 0 : value];
    });
    return Object.fromEntries(sifted);
  };
  return sift(answer);
}

/**
 * Whether what an entry says of type, name and value is that of one of these records; a text is one
 * of the three.
 */
function sentAmong(records: readonly DnsRecord[], domain: string): (entry: unknown) => boolean {
  const all = records.map((record) => ({
    type: record.type,
    name: recordName(record, domain),
    value: comparableValue(record.type, record.value),
  }));
  // A zone may have ten thousand records, and so may the answer.
  const byName = groupBy(all, ({ name }) => name);
  return (entry) => {
    if (typeof entry === 'string') {
      if (byName.has(recordName({ name: entry.replace(/\.$/, '') }, domain))) return true;
      return all.some(
        ({ type, value }) => entry.toUpperCase() === type || comparableValue(type, entry) === value,
      );
    }
    const { subdomain, name, type, value } = asObject(readScanned(recordIn(entry), domain));
    const isNamed = subdomain !== undefined || name !== undefined;
    const candidates = isNamed ? (byName.get(recordName({ subdomain, name }, domain)) ?? []) : all;
    return candidates.some(
      (sent) =>
        (type === undefined || valueText(type).toUpperCase() === sent.type) &&
        (value === undefined || comparableValue(sent.type, valueText(value)) === sent.value),
    );
  };
}

/** A line for each record that the answer names. */
function faultsIn({ failed }: Judgement, domain: string): readonly string[] {
  const nameIn = (entry: unknown) => aboutOf(readScanned(recordIn(entry), domain), domain);
  const whyOf = (entry: unknown, other: string) => {
    const fields = asObject(entry);
    return readErrorObject(fields).text ?? asText(fields['reason']) ?? other;
  };
  return failed.flatMap(({ part, path, status }) => {
    if (path.endsWith(']'))
      return [`${nameIn(part) || path}: ${whyOf(part, status ?? 'not staged')}`];
    return Object.entries(part).flatMap(([name, value]) => {
      if (!isTrouble(name, value) && !isLeftOut(name, value)) return [];
      const entries = asArray(value).filter((entry) => isObject(entry));
      return entries.map((entry) => `${nameIn(entry) || shown(entry)}: ${whyOf(entry, name)}`);
    });
  });
}

/** What is to be staged, and what is known before. */
export interface ToStage extends Pick<Gathered, 'currentNameservers' | 'warnings'> {
  readonly domain: Domain;
  readonly service: string;
  readonly records: readonly DnsRecord[];
  readonly file: string | undefined;
  /** The zone file with the records as they were scanned. */
  readonly saved: string | undefined;
  readonly ds: DsLookup;
}

/** What was staged, and what the answer says of it. */
export interface Staged extends ToStage {
  readonly answer: Answer<StagedDomain>;
  readonly judged: ReturnType<typeof judgeStaging>;
  readonly staging: Staging;
  /** Whether `svc domains status` knows the nameservers by itself. */
  readonly isRemembered: boolean;
}

/** Stages records (operation 5), and remembers them unless the answer says no. */
export async function stage(
  context: Needs<'api' | 'assume' | 'io' | 'store' | 'time'>,
  plan: ToStage,
): Promise<Staged> {
  const { service, records, file } = plan;
  const domain = plan.domain.ascii;
  const client = await context.api.client();
  const answer = await client.call<StagedDomain>(stagingCall(service, domain, records));
  const judged = judgeStaging(answer.value, { domain, records }, context.assume);
  for (const [text, code] of judged.warnings) await context.io.warn(text, code);
  const stagedAt = new Date(context.time.clock.now()).toISOString();
  const staging = { nameservers: judged.nameservers, records, service, stagedAt, file };
  const isRemembered =
    judged.failure?.code !== 'failed' && (await rememberStaging(context, domain, staging));
  return { ...plan, answer, judged, staging, isRemembered };
}
