import { CliError } from '../../errors.ts';
import { asArray, asObject, fieldOf, isObject } from '../../json/values.ts';
import { readErrorObject } from '../../service/error-body.ts';
import { errorOf, unknownWord } from '../../service/judged-errors.ts';
import { STAGING_MAY_HAVE_HAPPENED } from '../../service/operations.ts';
import { failedBy, type Judgement, judge, type StatusWords, type Verdict } from '../../service/verdict.ts';
import type { DnsRecord, StagedDomain } from '../../spec/types.ts';
import { plural } from '../../terminal/numbers.ts';
import { shown } from '../../terminal/screen.ts';
import { diffRecords, type RecordDiff, recordIn } from '../../zone/diff.ts';
import { aboutOf } from '../../zone/records.ts';
import { readScanned } from '../../zone/scanned.ts';
import { statusCommand } from './next-commands.ts';
import { isNameserver, nameserversOf } from './resolver.ts';
import { firstLines } from './show-records.ts';

/** What the answer to a staging says, next to what was sent. */
export interface Judged {
  readonly verdict: Verdict;
  /** The status that decided, as the API wrote it. */
  readonly status: string | undefined;
  /** Those to set at the registrar. */
  readonly nameservers: readonly string[];
  /** The staged records, in any form. */
  readonly staged: unknown;
  /** Undefined if the staged records have another form than was sent. */
  readonly diff: RecordDiff | undefined;
  /** Undefined only if nothing speaks against the staging. */
  readonly failure: CliError | undefined;
  /** Sentences to warn of, each with its code. */
  readonly warnings: readonly Warning[];
}

interface Sent {
  readonly domain: string;
  readonly records: readonly DnsRecord[];
  readonly words: StatusWords;
}

/** Fields in which the answer may wrap what the document has at its top. */
const WRAPPERS = ['domain', 'staging', 'import'];
const COLLECTIONS = ['stagedRecords', 'records'];

/**
 * Judges the answer to operation 5 by its words, and by comparing it with what was sent: by subdomain, type and value, or
 * by number where its records have another form. A record whose TTL or priority the platform changed counts as staged.
 */
export function judgeStaging(answer: StagedDomain, sent: Sent): Judged {
  const { domain, records, words } = sent;
  const { field, staged, nameservers } = stagingIn(answer);
  const diff = diffRecords(records, staged, domain);
  const isHeld = (diff?.held ?? countEntries(staged)) >= records.length;
  // What the comparison found is a status like those of the platform, and the worst of all counts.
  const said = judge(isHeld ? { comparisonStatus: 'staged', ...answer } : answer, {
    words,
    wrappers: WRAPPERS,
    collections: COLLECTIONS,
  });
  const skipped = skippedOf(field('skipped', 'skippedRecords'), domain);
  const find = (): CliError | undefined => {
    if (said.verdict === 'failed' || skipped.length > 0)
      return refusal(said, [...faultsOf(staged, sent), ...skipped], sent);
    if (diff !== undefined && !isHeld) return shortfall(diff, sent);
    return isHeld && (said.verdict !== 'unclear' || said.isUnknownWord)
      ? undefined
      : unclear(said, domain, nameservers);
  };
  const failure = find();
  const failed = failure?.code === 'failed' ? 'failed' : 'unclear';
  const verdict = failure === undefined ? said.verdict : failed;
  const warnings = failure === undefined ? warningsOf(said, diff, nameservers) : [];
  return { verdict, status: said.status, nameservers, staged, diff, failure, warnings };
}

/** Finds what the answer to a staging has, whatever it is wrapped in. */
export function stagingIn(answer: unknown) {
  const field = (...names: readonly string[]) =>
    [answer, ...['data', 'result', ...WRAPPERS].map((name) => fieldOf(answer, name))]
      .flatMap((part) => names.map((name) => fieldOf(part, name)))
      .find((value) => value !== undefined && value !== null);
  const nameservers = nameserversOf(field('nameservers')).filter(isNameserver);
  return { field, staged: field(...COLLECTIONS), nameservers };
}

/** The error of an answer that leaves open whether the records are staged. The nameservers in it can tell. */
function unclear(said: Judgement, domain: string, nameservers: readonly string[]): CliError | undefined {
  const what = `the records of ${domain}`;
  const sentences = {
    failed: `The platform did not stage ${what}`,
    unclear: `The answer does not confirm that ${what} are staged`,
  };
  return errorOf({ ...said, verdict: 'unclear' }, sentences, {
    lines: [STAGING_MAY_HAVE_HAPPENED],
    hint: nameservers.length === 0 ? undefined : statusCommand(domain),
  });
}

type Warning = readonly [text: string, code: string];

const UNCOMPARED =
  'svc cannot compare the staged records with yours, because it does not know their form. There are as many as were sent.';
const WITHOUT_NAMESERVERS =
  "The answer has no nameservers, so nothing can be switched yet. Ask the platform's support for them.";

function warningsOf(said: Judgement, diff: RecordDiff | undefined, nameservers: readonly string[]): Warning[] {
  const found: Warning[] = [];
  if (diff === undefined) found.push([UNCOMPARED, 'staged_not_compared']);
  else if (diff.added.length + diff.changed.length > 0)
    found.push(['The platform staged other records than svc sent.', 'staged_otherwise']);
  for (const text of unknownWord(said, 'job.done')) found.push([text, 'unknown_status']);
  if (nameservers.length === 0) found.push([WITHOUT_NAMESERVERS, 'no_nameservers']);
  return found;
}

/** Counts entries that are something, in a list, in lists by name, or as the number itself. */
function countEntries(staged: unknown): number {
  if (typeof staged === 'number') return Number.isSafeInteger(staged) ? staged : 0;
  const isEntry = (entry: unknown) => isObject(entry) || (typeof entry === 'string' && entry !== '') || isId(entry);
  if (Array.isArray(staged)) return staged.filter(isEntry).length;
  return Object.values(asObject(staged))
    .map((value) => (Array.isArray(value) ? countEntries(value) : Number(isObject(value))))
    .reduce((sum, count) => sum + count, 0);
}

function isId(entry: unknown): boolean {
  return typeof entry === 'number' && entry > 0;
}

/** One line for each entry that says that it failed. */
function faultsOf(staged: unknown, { domain, words }: Sent): string[] {
  const entries = Array.isArray(staged) ? staged : Object.values(asObject(staged)).flat();
  return entries.flatMap((entry, index) => {
    if (!isObject(entry)) return [];
    const { verdict, part, status } = judge(entry, { words, wrappers: ['record'] });
    const why = readErrorObject(part).text ?? status ?? 'not staged';
    return verdict === 'failed' ? [`${nameIn(entry, domain) || `entry ${index + 1}`}: ${why}`] : [];
  });
}

/** One line for each record that the platform left out. */
function skippedOf(skipped: unknown, domain: string): string[] {
  if (typeof skipped === 'number') return skipped > 0 ? [`${plural(skipped, 'record')} skipped`] : [];
  return asArray(skipped).map((entry) => {
    const { reason } = asObject(entry);
    const why = readErrorObject(asObject(entry)).text ?? (typeof reason === 'string' ? reason : 'skipped');
    return `${nameIn(entry, domain) || shown(entry)}: ${why}`;
  });
}

function nameIn(entry: unknown, domain: string): string {
  return aboutOf(readScanned(recordIn(entry), domain), domain);
}

const STAY = 'Do not switch nameservers: what is missing would stop working.';

/** The error of a refusal, which names each record that the answer names, or has the platform's words. */
function refusal(said: Judgement, faults: readonly string[], { records, domain }: Sent): CliError {
  if (faults.length === 0) return failedBy(said, `The platform did not stage the records of ${domain}`).withLines(STAY);
  const count = `${faults.length} of ${plural(records.length, 'record')}`;
  return new CliError('failed', `The platform did not stage ${count} of ${domain}:`, {
    lines: [...firstLines(faults), STAY],
  });
}

/** The error of an answer with fewer records than were sent, each of which it names. */
function shortfall({ held, lost }: RecordDiff, { records, domain }: Sent): CliError {
  const sentence = `The platform confirmed only ${held} of ${plural(records.length, 'record')} of ${domain}. Missing:`;
  const lines = lost.map((record) => `${aboutOf(record, domain)}: ${shown(asObject(record)['value'])}`);
  return new CliError('failed', sentence, { lines: [...firstLines(lines), STAY] });
}
