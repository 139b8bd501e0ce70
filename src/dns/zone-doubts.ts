import type { ZoneRecord } from '../contract/operations.ts';
import { findNameProblem } from '../contract/text.ts';
import { quote } from '../errors.ts';
import { asObject } from '../json/values.ts';
import { getSubdomain } from './record-value.ts';
import { describeRecords, getType, toText } from './scanned.ts';
import type { RelativeTarget } from './zone-data.ts';
import { findStrings, readStringBytes, type Token, ZoneFault } from './zone-tokens.ts';

/** A record of a zone file, and what stands around it there. */
export interface ZoneEntry {
  readonly record: ZoneRecord;
  readonly line: number;
  readonly target: RelativeTarget | undefined;
  /** The strings of a TXT record. */
  readonly strings: readonly Token[];
  readonly comment: string;
}

/**
 * Finds the fault of a target without its final dot, which means a name below the origin (RFC
 * 1035, section 5.1): exports of GoDaddy, Azure and Route 53 leave out the dot of full names. It is
 * one where the name ends in the domain twice, or has a dot and nothing in the file.
 */
export function findTargetFault(
  { record, target }: ZoneEntry,
  apex: string,
  names: ZoneNames,
): ZoneFault | undefined {
  const isApexNs = record.type === 'NS' && record.subdomain === '';
  if (target === undefined || isApexNs) return undefined;
  const { written, full, origin } = target;
  const endsTwice = isWithin(getSubdomain(full, apex) ?? '', apex);
  const isFullAlready = endsTwice || isWithin(written, origin.toLowerCase());
  const isElsewhere = !isWithin(full, apex);
  const isFine = !written.includes('.') || isElsewhere || names.has(full);
  if (!isFullAlready && isFine) return undefined;

  // An address or a URL is no name in either reading.
  const problem = findNameProblem(written, '_');
  if (problem !== undefined) return new ZoneFault(target.token, `${quote(written)} ${problem}`);
  return createMissingDotFault(target);
}

/** Finds the domain in which a name ends twice, such as `example.com.example.com`. */
function findDoubledEnd(name: string): string | undefined {
  const labels = name.toLowerCase().split('.');
  for (let count = 2; count <= labels.length / 2; count += 1) {
    const end = labels.slice(-count).join('.');
    if (end === labels.slice(-2 * count, -count).join('.')) return end;
  }
  return undefined;
}

/**
 * Creates the fault with both readings of a name that does not end in a dot, though it seems to be
 * a full one.
 */
export function createMissingDotFault({ token, written, full, origin }: RelativeTarget): ZoneFault {
  const doubled = findDoubledEnd(origin);
  if (doubled !== undefined) {
    return new ZoneFault(
      token,
      `${quote(token.text)} stands below the origin ${quote(origin)}, which has the domain twice, since a $ORIGIN above has no final dot`,
      `$ORIGIN ${doubled}.`,
    );
  }
  return new ZoneFault(
    token,
    `${quote(written)} has no final dot, so a zone file means ${quote(full)}. Write ${quote(`${written}.`)} for the host itself, or ${quote(`${full}.`)} for the name below ${origin}`,
  );
}

/** Whether a name is the apex of a zone or below it; `zone` is in lower case. */
export function isWithin(name: string, zone: string): boolean {
  return `.${name}`.toLowerCase().endsWith(`.${zone}`);
}

/** The names that a zone answers for. */
export class ZoneNames {
  readonly #apex: string;
  readonly #own = new Set<string>();
  /** Names with everything below them: wildcards, delegations and DNAME. */
  readonly #branches = new Set<string>();

  constructor(apex: string) {
    this.#apex = apex;
  }

  add(owner: string, type: string): void {
    const name = owner.toLowerCase();
    this.#own.add(name);
    if (name.startsWith('*.')) this.#branches.add(name.slice(2));
    if (type === 'NS' || type === 'DNAME') this.#branches.add(name);
  }

  /**
   * The wildcard of the apex covers any name, also one to which a dot is missing: it counts for
   * names of two labels only.
   */
  has(host: string): boolean {
    const name = host.toLowerCase();
    if (this.#own.has(name)) return true;
    const labels = name.split('.');
    const isShort = labels.length <= this.#apex.split('.').length + 2;
    const parents = labels.map((_, index) => labels.slice(index + 1).join('.'));
    return parents.some(
      (parent) => this.#branches.has(parent) && (isShort || parent !== this.#apex),
    );
  }
}

/**
 * Finds what records of a zone file meant to the program that wrote them, and staging cannot keep.
 */
export function findZoneDoubts(entries: readonly ZoneEntry[], apex: string): string[] {
  const kinds: readonly (readonly [isMeant: (entry: ZoneEntry) => boolean, text: string])[] = [
    [
      ({ record, strings }) => record.type === 'TXT' && hasLostBounds(record.value, strings),
      'the text has several strings, which are joined to one. Check whether its reader wants them apart',
    ],
    [
      ({ record }) => record.ttl === 1,
      'a TTL of 1 means "automatic" at Cloudflare (300 seconds), and is one second elsewhere. Write the TTL that you want',
    ],
    [
      ({ comment }) => /\bcf-proxied:true\b/i.test(comment),
      'Cloudflare answered with its own addresses (cf-proxied), and these will be seen by all. Check that the server may be reached without that proxy',
    ],
    [
      ({ comment }) => hasOtherTag(comment),
      'a setting of Cloudflare stands in the comment, and is lost. Check what it did',
    ],
    [
      ({ comment }) => /\bAWS\s+(?:routing|healthCheckId)\s*=/i.test(comment),
      'Route 53 chose among these records (AWS routing), and now all of them answer always. Keep those that you want',
    ],
  ];
  return kinds.flatMap(([isMeant, text]) => {
    const records = entries.filter(isMeant).map(({ record }) => record);
    return describeRecords(records, apex, text);
  });
}

/** Tags stand behind `cf_tags=`, with commas between them. */
function hasOtherTag(comment: string): boolean {
  const words = comment.toLowerCase().split(/[\s,=]/);
  const isTag = (word: string) => word.startsWith('cf-') && word.endsWith(':true');
  return words.some((word) => isTag(word) && word !== 'cf-proxied:true');
}

const MAX_STRING_BYTES = 255;

/**
 * Whether strings that are joined may have been apart on purpose, as those of DNS-SD (RFC 6763,
 * section 6.1): one before the last could hold more. A text that begins with `v=` is read joined
 * (SPF, DKIM, DMARC, MTA-STS, TLS-RPT).
 */
function hasLostBounds(value: string, strings: readonly Token[]): boolean {
  if (/^v=/i.test(value)) return false;
  return strings.slice(0, -1).some((string) => readStringBytes(string).length < MAX_STRING_BYTES);
}

/** Names both readings of a backslash in the text of a record of a file. */
export function findEscapeDoubt(records: readonly unknown[], apex: string): string[] {
  const escaped = records.filter((entry) => {
    const text = toText(asObject(entry)['value']);
    return getType(entry) === 'TXT' && /\\[;"]/.test(text) && findStrings(text) === undefined;
  });
  return describeRecords(
    escaped,
    apex,
    'the text is sent with its backslashes as it stands. In a zone file "\\;" is only the semicolon: if it comes from one, remove the backslashes',
  );
}
