import type { Answer } from '../../api/call.ts';
import { describeUnknownStatus, findReason, toVerdictError } from '../../api/judged-errors.ts';
import { STAGING_MAY_HAVE_HAPPENED, stagingCall } from '../../api/operations.ts';
import { isEmpty, type Unwrapped } from '../../api/own-level.ts';
import { createJudge, type Judgement } from '../../api/verdict.ts';
import type { Needs } from '../../cli/define/context.ts';
import type { Domain } from '../../cli/values/domain.ts';
import type { Assume } from '../../contract/assumptions.ts';
import { DNS_RECORD } from '../../contract/fields/dns.ts';
import type { DnsRecord, StagedDomain } from '../../contract/types.ts';
import { diffRecords, type RecordDiff, unwrapRecord } from '../../dns/diff.ts';
import { describeRecord } from '../../dns/records.ts';
import { normalizeScanned } from '../../dns/scanned.ts';
import { groupBy, NAME_FIELDS } from '../../dns/summary.ts';
import { CliError, listed } from '../../errors.ts';
import { asArray, asObject, otherFields } from '../../json/values.ts';
import { maskSecrets } from '../../terminal/mask.ts';
import { plural } from '../../terminal/numbers.ts';
import { formatJsonValue } from '../../terminal/screen.ts';
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
export function judgeStaging(answer: Unwrapped, sent: Sent, assume: Assume) {
  const { domain, records } = sent;
  const { staged, nameservers } = stagingIn(answer.value);
  const diff = diffRecords(records, staged, domain);
  const judgeOne = createJudge('staging', assume);
  const said = judgeOne(answer);
  // What the platform staged besides, such as its own SOA, is not judged.
  const entries = (diff?.held ?? asArray(staged)).map((entry) => ({
    entry,
    ...judgeOne({ value: entry, wrappers: [] }),
  }));
  const open = [said, ...entries].filter(
    ({ verdict }) => verdict === 'pending' || verdict === 'unknown',
  );
  const failure = failureOf({ said, entries, diff, staged, nameservers }, sent);
  const remarks = diff === undefined ? [] : listRemarks(asArray(staged), domain);
  return {
    status: said.status ?? open[0]?.status,
    nameservers,
    staged,
    diff,
    failure,
    /** Whether every record that was sent is in the answer, and no status is open. */
    isConfirmed: failure === undefined && diff?.lost.length === 0 && open.length === 0,
    remarks,
    warnings: failure === undefined ? warningsOf(open, diff, nameservers) : [],
  };
}

/** What the answer to a staging has, without its wrapper. */
export function stagingIn(answer: unknown) {
  const { stagedRecords, nameservers }: StagedDomain = asObject(answer);
  // A host with its domain, or an address: others cannot be set.
  const isNameserver = (text: string) => nameserverIn(text).some(({ host }) => /[.:]/.test(host));
  return {
    staged: stagedRecords ?? undefined,
    nameservers: nameserversOf(nameservers).filter(isNameserver),
  };
}

interface Found extends Pick<ReturnType<typeof stagingIn>, 'staged' | 'nameservers'> {
  readonly said: Judgement;
  readonly entries: readonly (Judgement & { readonly entry: unknown })[];
  /** Undefined if the staged records have another form than was sent. */
  readonly diff: RecordDiff | undefined;
}

function failureOf({ said, entries, diff, staged, nameservers }: Found, { domain, records }: Sent) {
  const failed = `The platform did not stage the records of ${domain}`;
  const open = `The answer does not confirm that the records of ${domain} are staged`;
  if (said.verdict === 'failed') return toVerdictError(said, { failed })?.withLines(STAY);
  const faulty = entries.filter(({ verdict }) => verdict === 'failed');
  if (faulty.length > 0) {
    const count = `${faulty.length} of ${plural(records.length, 'record')}`;
    const lines = faulty.map(
      (one) => `${nameOf(one.entry, domain) || formatJsonValue(one.entry)}: ${findReason(one)}`,
    );
    return lossOf(`The platform did not stage ${count} of ${domain}:`, lines);
  }
  if (diff !== undefined && diff.lost.length > 0) {
    const count = `${diff.held.length} of ${plural(records.length, 'record')}`;
    const lost = diff.lost.map(
      (record) =>
        `${describeRecord(record, domain)}: ${formatJsonValue(asObject(record)['value'])}`,
    );
    return lossOf(`The platform confirmed only ${count} of ${domain}. Missing:`, lost);
  }
  const settling = {
    lines: [STAGING_MAY_HAVE_HAPPENED],
    hint: nameservers.length === 0 ? undefined : statusCommand(domain),
  };
  const doubtful = [said, ...entries].find(({ verdict }) => verdict === 'doubtful');
  if (doubtful !== undefined) return toVerdictError(doubtful, { failed, doubtful: open }, settling);
  const hasList = !isEmpty(staged) && typeof staged !== 'string';
  return hasList
    ? undefined
    : toVerdictError({ ...said, verdict: 'silent' }, { failed, unclear: open }, settling);
}

function nameOf(entry: unknown, domain: string): string {
  return describeRecord(normalizeScanned(unwrapRecord(entry), domain), domain);
}

const STAY = 'Do not switch nameservers: what is missing would stop working.';

function lossOf(sentence: string, lines: readonly string[]): CliError {
  return new CliError('failed', sentence, { lines: [...firstLines(lines), STAY] });
}

/** Fields of a staged record that are compared, or that hold it. */
const COMPARED = [...Object.keys(DNS_RECORD), ...NAME_FIELDS, 'record'];

/**
 * Lists what an answer says of staged records beside what was compared, masked, such as
 * `id is r1: MX at example.com`.
 */
function listRemarks(entries: readonly unknown[], domain: string): readonly string[] {
  const remarks = entries.flatMap((entry) => {
    const fieldsOfBoth = { ...asObject(unwrapRecord(entry)), ...asObject(entry) };
    const fields = Object.entries(asObject(maskSecrets(otherFields(fieldsOfBoth, COMPARED))));
    const texts = fields.map(([field, value]) => `${field} is ${formatJsonValue(value)}`);
    return texts.length === 0 ? [] : [{ text: texts.join(', '), name: nameOf(entry, domain) }];
  });
  return [...groupBy(remarks, ({ text }) => text)].map(
    ([text, group]) => `${text}: ${listed(group.map(({ name }) => name))}`,
  );
}

const UNCOMPARED =
  'svc cannot compare the staged records with yours, because it does not know their form.';
const OTHERWISE = 'The platform staged records with another TTL or priority than svc sent.';
const UNNAMED =
  "The answer has no nameservers, so nothing can be switched yet. Ask the platform's support for them.";

function warningsOf(
  open: readonly Judgement[],
  diff: RecordDiff | undefined,
  nameservers: readonly string[],
): Warning[] {
  const found = [...new Set(open.flatMap(describeUnknownStatus))].map(
    (text): Warning => [text, 'unknown_status'],
  );
  if (diff === undefined) found.unshift([UNCOMPARED, 'staged_not_compared']);
  else if (diff.changed.length > 0) found.unshift([OTHERWISE, 'staged_otherwise']);
  if (nameservers.length === 0) found.push([UNNAMED, 'no_nameservers']);
  return found;
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
  const judged = judgeStaging(answer, { domain, records }, context.assume);
  for (const [text, code] of judged.warnings) await context.io.warn(text, code);
  const stagedAt = new Date(context.time.clock.now()).toISOString();
  const staging = { nameservers: judged.nameservers, records, service, stagedAt, file };
  const isRemembered =
    judged.failure?.code !== 'failed' && (await rememberStaging(context, domain, staging));
  return { ...plan, answer, judged, staging, isRemembered };
}
