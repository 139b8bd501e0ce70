import { STAGING_MAY_HAVE_HAPPENED } from '../../api/call.ts';
import { isEmpty, type Unwrapped } from '../../api/own-level.ts';
import {
  describeUnknownStatus,
  findReason,
  type Judgement,
  judge,
  toVerdictError,
} from '../../api/verdict.ts';
import type { Assume } from '../../contract/assumptions.ts';
import { DNS_RECORD } from '../../contract/fields/dns.ts';
import type { DnsRecord, StagedDomain } from '../../contract/operations.ts';
import { diffRecords, type RecordDiff, unwrapRecord } from '../../dns/diff.ts';
import { describeRecord } from '../../dns/records.ts';
import { normalizeScanned } from '../../dns/scanned.ts';
import { NAME_FIELDS } from '../../dns/summary.ts';
import { CliError, listNames } from '../../errors.ts';
import { groupBy } from '../../group-by.ts';
import { asArray, asObject, otherFields } from '../../json/values.ts';
import { maskSecrets } from '../../terminal/mask.ts';
import { plural } from '../../terminal/numbers.ts';
import { formatJsonValue } from '../../terminal/screen.ts';
import { parseNameserver, readNameservers } from './dns.ts';
import { getStatusCommand } from './move.ts';
import { limitLines } from './records.ts';

interface SentRecords {
  readonly domain: string;
  readonly records: readonly DnsRecord[];
}

/** Reads the fields of the answer to a staging, without its wrapper. */
export function readStagingAnswer(answer: unknown) {
  const { stagedRecords, nameservers }: StagedDomain = asObject(answer);
  // A host with its domain, or an address: others cannot be set.
  const isNameserver = (text: string) =>
    parseNameserver(text).some(({ host }) => /[.:]/.test(host));
  return {
    staged: stagedRecords ?? undefined,
    nameservers: readNameservers(nameservers).filter(isNameserver),
  };
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

  const open = `The answer does not confirm that the records of ${domain} are staged`;
  const howToResolve = {
    lines: [STAGING_MAY_HAVE_HAPPENED],
    hint: nameservers.length === 0 ? undefined : getStatusCommand(domain),
  };
  const sentences = { failed, doubtful: open, unclear: open };
  const doubtful = [whole, ...entries].find(({ verdict }) => verdict === 'doubtful');
  if (doubtful !== undefined) return toVerdictError(doubtful, sentences, howToResolve);

  const hasList = !isEmpty(staged) && typeof staged !== 'string';
  if (hasList) return undefined;
  return toVerdictError({ ...whole, verdict: 'silent' }, sentences, howToResolve);
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
