import { resolve } from 'node:path';
import { type Answer, STAGING_MAY_HAVE_HAPPENED, scanCall, stagingCall } from '../../api/call.ts';
import { isEmpty, type Unwrapped } from '../../api/read-answer.ts';
import {
  describeUnknownStatus,
  findReason,
  type Judgement,
  judge,
  toVerdictError,
} from '../../api/verdict.ts';
import type { Needs } from '../../cli/define/context.ts';
import { document, type Result, withView } from '../../cli/define/define.ts';
import type { Domain } from '../../cli/values/names.ts';
import type { Assume } from '../../contract/assumptions.ts';
import { DNS_RECORD } from '../../contract/fields/dns.ts';
import type { DnsRecord, StagedDomain } from '../../contract/operations.ts';
import { diffRecords, type RecordDiff, unwrapRecord } from '../../dns/diff.ts';
import { describeRecord } from '../../dns/records.ts';
import { NAME_FIELDS, normalizeScanned } from '../../dns/scanned.ts';
import { writeZone } from '../../dns/write-zone.ts';
import { CliError, listNames } from '../../errors.ts';
import { groupBy } from '../../group-by.ts';
import { asArray, asObject, otherFields, readNumber } from '../../json/values.ts';
import { plural } from '../../terminal/format.ts';
import { maskSecrets } from '../../terminal/mask.ts';
import { formatJsonValue } from '../../terminal/screen.ts';
import { describeKnown } from '../shared/names.ts';
import { showPreview } from '../shared/show-preview.ts';
import {
  createDsError,
  type DsLookup,
  describeDomain,
  lookUpDs,
  readStagingAnswer,
} from './dns.ts';
import type { Gathered } from './gather.ts';
import { getStatusCommand } from './move.ts';
import { limitLines, listDoubts, showRecords } from './records.ts';
import { rememberStaging, type Staging } from './remember-staging.ts';
import { saveZone } from './save-zone.ts';

/** The records that somebody wants to stage, and where. */
interface StagingChoice {
  readonly domain: Domain;
  readonly service: string;
  readonly gathered: Gathered;
  readonly records: readonly DnsRecord[];
  /** The file of `--records`; once confirmed, where such records are. */
  readonly file: string | undefined;
}

/** A choice that was confirmed. */
export type StagingPlan = Awaited<ReturnType<typeof confirmStaging>>;

/** Warns of what is to be read before the question, asks it, and saves the zone as scanned. */
export async function confirmStaging(
  context: Needs<'io' | 'settings' | 'store' | 'time' | 'env' | 'program'>,
  choice: StagingChoice,
) {
  const { domain, service, gathered, records, file } = choice;
  const ds = await lookUpDs(context, domain.ascii);
  await warnOfDoubts(context, choice, ds);

  const serviceTitle = describeKnown(context, 'services', service);
  await context.io.confirmOrStop(
    `Stage ${plural(records.length, 'record')} of ${describeDomain(domain)} on ${serviceTitle}?`,
    (screen) => showRecords(screen, records, domain.ascii),
  );
  const saved = gathered.scan && (await saveZone(context, gathered.scan));
  // A zone file has no form for some records; staging it again would lose them.
  const { isWhole } = writeZone(records, domain.ascii);
  const path = file === undefined || file === '-' ? file : resolve(context.program.cwd(), file);
  return {
    ...choice,
    /** The service as people know it: `kola-blog (svc_1)`. */
    serviceTitle,
    file: path ?? (isWhole ? saved : undefined),
    ds,
    /** The zone file with the records as they were scanned. */
    saved,
    hasDashboard: context.settings.dashboard() !== undefined,
  };
}

/** @param ds unknown for a request that is only shown */
export async function warnOfDoubts(
  { io }: Needs<'io'>,
  { domain, gathered, records }: StagingChoice,
  ds?: DsLookup,
): Promise<void> {
  const remark = gathered.scan?.remarks.sentence;
  if (remark) await io.warn(remark, 'scan_says_more');
  for (const doubt of listDoubts(gathered, records, domain.ascii, ds)) {
    await io.warn(doubt, 'records_doubtful');
  }
  const failure = ds && createDsError(domain.ascii, ds);
  if (failure?.code === 'no_data') await io.warn(failure.message, 'dnssec_unknown');
}

/** Previews a scan: only its answer tells which records the body of the staging would have. */
export async function previewScan(
  context: Needs<'api'>,
  { ascii }: Domain,
  service: string,
): Promise<Result<never>> {
  const client = await context.api.client();
  const { body: _, ...followedBy } = client.preview(stagingCall(service, ascii, []));
  const scan = client.preview(scanCall(ascii));
  return withView(document('dry-run', { ...scan, followedBy }), (screen) => {
    showPreview(screen, scan);
    screen.line();
    const { method, url } = followedBy;
    screen.line(`Then svc would stage the records of the scan: ${method} ${url}`);
  });
}

/** The records that were staged, with what the answer says of them. */
export interface Staged extends StagingPlan {
  readonly answer: Answer<StagedDomain>;
  readonly judged: ReturnType<typeof judgeStaging>;
  readonly staging: Staging;
  /** Whether `svc domains status` knows the nameservers by itself. */
  readonly isRemembered: boolean;
}

/** Stages records (operation 5), and remembers them unless the answer says no. */
export async function stageRecords(
  context: Needs<'api' | 'assume' | 'io' | 'store' | 'time'>,
  plan: StagingPlan,
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

interface SentRecords {
  readonly domain: string;
  readonly records: readonly DnsRecord[];
}

/** Judges what the answer to operation 5 says in words, and which of the records are in it. */
export function judgeStaging(answer: Unwrapped, sent: SentRecords, assume: Assume) {
  const parts = judgeParts(answer, sent, assume);
  const { whole, entries, diff, staged, nameservers } = parts;
  const open = [whole, ...entries].filter(
    ({ verdict }) => verdict === 'pending' || verdict === 'unknown',
  );
  const failure = createStagingFailure(parts, sent);
  return {
    status: whole.status ?? open[0]?.status,
    nameservers,
    staged,
    diff,
    failure,
    /** Whether every record that was sent is in the answer, and no status is open. */
    isConfirmed: failure === undefined && diff?.lost.length === 0 && open.length === 0,
    remarks: diff === undefined ? [] : listRemarks(asArray(staged), sent.domain),
    warnings: failure === undefined ? listWarnings(open, diff, nameservers) : [],
  };
}

function judgeParts(answer: Unwrapped, { domain, records }: SentRecords, assume: Assume) {
  const { staged, nameservers } = readStagingAnswer(answer.value);
  const diff = diffRecords(records, staged, domain);
  // What the platform staged besides, such as its own SOA, is not judged.
  const entries = (diff?.held ?? asArray(staged)).map((entry) => ({
    entry,
    ...judge({ value: entry, wrappers: [] }, 'staging', assume),
  }));
  return { whole: judge(answer, 'staging', assume), entries, diff, staged, nameservers };
}

function createStagingFailure(
  { whole, entries, diff, staged, nameservers }: ReturnType<typeof judgeParts>,
  { domain, records }: SentRecords,
): CliError | undefined {
  const failed = `The platform did not stage the records of ${domain}`;
  if (whole.verdict === 'failed') return toVerdictError(whole, { failed })?.withLines(STAY);

  const total = plural(records.length, 'record');
  const faulty = entries.filter(({ verdict }) => verdict === 'failed');
  if (faulty.length > 0) {
    const lines = faulty.map(({ entry, ...judgement }) => {
      const name = describeEntry(entry, domain) || formatJsonValue(entry);
      return `${name}: ${findReason(judgement)}`;
    });
    return createLossError(`did not stage ${faulty.length} of ${total} of ${domain}:`, lines);
  }
  if (diff !== undefined && diff.lost.length > 0) {
    const lines = diff.lost.map((record) => {
      const value = formatJsonValue(asObject(record)['value']);
      return `${describeRecord(record, domain)}: ${value}`;
    });
    const count = diff.held.length;
    return createLossError(`confirmed only ${count} of ${total} of ${domain}. Missing:`, lines);
  }
  // A number is how many it staged.
  const stagedCount = readNumber(staged);
  if (stagedCount < records.length) {
    return createLossError(`confirmed only ${stagedCount} of ${total} of ${domain}.`, []);
  }

  const open = `The answer does not confirm that the records of ${domain} are staged`;
  const hasList = !isEmpty(staged) && typeof staged !== 'string';
  const silent = hasList ? undefined : { ...whole, verdict: 'silent' as const };
  const unclear = [whole, ...entries].find(({ verdict }) => verdict === 'doubtful') ?? silent;
  const hint = nameservers.length === 0 ? undefined : getStatusCommand(domain);
  return (
    unclear &&
    toVerdictError(
      unclear,
      { failed, doubtful: open, unclear: open },
      { lines: [STAGING_MAY_HAVE_HAPPENED], hint },
    )
  );
}

const STAY = 'Do not switch nameservers: what is missing would stop working.';

function createLossError(loss: string, lines: readonly string[]): CliError {
  return new CliError('failed', `The platform ${loss}`, { lines: [...limitLines(lines), STAY] });
}

function describeEntry(entry: unknown, domain: string): string {
  return describeRecord(normalizeScanned(unwrapRecord(entry), domain), domain);
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
    const text = fields.map(([name, value]) => `${name} is ${formatJsonValue(value)}`).join(', ');
    return text === '' ? [] : [{ text, name: describeEntry(entry, domain) }];
  });
  return [...groupBy(remarks, ({ text }) => text)].map(
    ([text, group]) => `${text}: ${listNames(group.map(({ name }) => name))}`,
  );
}

const UNCOMPARED =
  'svc cannot compare the staged records with yours, because it does not know their form.';
const OTHERWISE = 'The platform staged records with another TTL or priority than svc sent.';
const UNNAMED =
  "The answer has no nameservers, so nothing can be switched yet. Ask the platform's support for them.";

function listWarnings(
  open: readonly Judgement[],
  diff: RecordDiff | undefined,
  nameservers: readonly string[],
) {
  const warnings: [text: string, code: string][] = [];
  if (diff === undefined) warnings.push([UNCOMPARED, 'staged_not_compared']);
  else if (diff.changed.length > 0) warnings.push([OTHERWISE, 'staged_otherwise']);
  for (const text of new Set(open.flatMap(describeUnknownStatus))) {
    warnings.push([text, 'unknown_status']);
  }
  if (nameservers.length === 0) warnings.push([UNNAMED, 'no_nameservers']);
  return warnings;
}
