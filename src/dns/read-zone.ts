import { RECORD_TYPES } from '../contract/operations.ts';
import { listNames, quote, tryOr } from '../errors.ts';
import { describePunycode, getSubdomain } from './record-value.ts';
import { readData } from './zone-data.ts';
import {
  createMissingDotFault,
  findEscapeDoubt,
  findTargetFault,
  findZoneDoubts,
  isWithin,
  type ZoneEntry,
  ZoneNames,
} from './zone-doubts.ts';
import {
  readName,
  readTtl,
  readZoneLines,
  type Token,
  ZoneFault,
  type ZoneLine,
} from './zone-tokens.ts';

/**
 * Reads a zone file (RFC 1035, section 5; `$TTL` of RFC 2308) into records below the apex, which is
 * also the first origin. The libraries on npm do not decode TXT escapes and do not say where an
 * error is. SOA records are left out, since the platform's DNS has its own.
 */
export function readZoneFile(text: string, apex: string) {
  const reader = new ZoneReader(apex);
  for (const line of readZoneLines(text)) reader.read(line);
  return reader.finish();
}

class ZoneReader {
  readonly #apex: string;
  readonly #faults: ZoneFault[] = [];
  readonly #entries: ZoneEntry[] = [];
  /** Records of names elsewhere: glue if they are addresses of nameservers. */
  readonly #outside: { readonly owner: string; readonly type: string; readonly place: Token }[] =
    [];
  readonly #nameservers = new Set<string>();
  readonly #names: ZoneNames;
  #origin: string;
  #defaultTtl: number | undefined;
  #lastTtl: number | undefined;
  /** The last number of the SOA record, and whether a record has it. */
  #soaTtl: number | undefined;
  #isSoaTtlUsed = false;
  #owner: string | undefined;
  /** True after a name that cannot be read: the records below it have none. */
  #isOwnerUnread = false;

  constructor(apex: string) {
    this.#apex = apex;
    this.#origin = apex;
    this.#names = new ZoneNames(apex);
  }

  read(line: ZoneLine): void {
    const { owner, fault } = line;
    const [first] = line.tokens;
    const isDirective = owner?.kind === 'word' && owner.text.startsWith('$');
    try {
      if (fault !== undefined) {
        if (owner !== undefined) this.#readOwner(owner);
        throw fault;
      }
      if (isDirective) this.#applyDirective(owner, line.words);
      else if (first !== undefined) this.#readRecord(line, first);
    } catch (error) {
      if (!(error instanceof ZoneFault)) throw error;
      error.isOfWholeFile ||= isDirective;
      this.#faults.push(error);
    }
  }

  #applyDirective(directive: Token, [value, extra]: readonly Token[]): void {
    const name = directive.text.toUpperCase();
    if (name !== '$ORIGIN' && name !== '$TTL') {
      throw new ZoneFault(
        directive,
        `${quote(directive.text)} is not supported. Write its records into the file itself`,
      );
    }
    if (value === undefined) throw new ZoneFault(directive, `${name} has no value`);
    if (extra !== undefined) throw new ZoneFault(extra, `${name} takes one value`);

    if (name === '$TTL') {
      // After a fault the file is refused, and its records shall not be faulty as well.
      this.#defaultTtl = 0;
      this.#defaultTtl = requireTtl(value);
      return;
    }
    this.#origin = readName(value, this.#origin);
  }

  #readRecord({ owner: ownerToken, words: allWords, comments }: ZoneLine, first: Token): void {
    refuseForeignComment(first);
    if (findTypeWord(allWords)?.text.toUpperCase() === 'SOA') {
      this.#leaveOutSoa(allWords, first, ownerToken);
      return;
    }

    if (ownerToken !== undefined) this.#readOwner(ownerToken);
    const owner = this.#requireOwner(first);
    const { ttl, type, words } = readHead(allWords, first);
    if (ownerToken === undefined) refuseIndentedName(type, words);
    if (ttl !== undefined) this.#lastTtl = ttl;

    const name = type.text.toUpperCase();
    const subdomain = getSubdomain(owner, this.#apex);
    const isApexNs = name === 'NS' && subdomain === '';
    this.#names.add(owner, isApexNs ? '' : name);
    if (subdomain === undefined) {
      this.#outside.push({ owner, type: name, place: first });
      return;
    }

    if (ownerToken !== undefined) this.#refuseMissingDot(first, owner, subdomain);
    const { data, target } = readData({
      owner: ownerToken?.text ?? (subdomain || '@'),
      type,
      words,
      comments,
      origin: this.#origin,
    });
    if (name === 'NS') this.#nameservers.add((target?.written ?? data.value).toLowerCase());
    const record = { subdomain, type: name, ...data, ttl: this.#chooseTtl(type, ttl) };
    const strings = name === 'TXT' ? words : [];
    const comment = comments.map(({ text }) => text).join(' ; ');
    this.#entries.push({ record, line: first.line, target, strings, comment });
  }

  /** A relative name that ends in the apex was meant to be a full name. */
  #refuseMissingDot(first: Token, owner: string, subdomain: string): void {
    const isRelative = !first.text.endsWith('.') && subdomain !== '';
    if (isRelative && isWithin(subdomain, this.#apex)) {
      const written = readName(first, '.');
      throw createMissingDotFault({ token: first, written, full: owner, origin: this.#origin });
    }
  }

  #requireOwner(first: Token): string {
    if (this.#isOwnerUnread) {
      throw new ZoneFault(first, 'the name of this record, in a line above, cannot be read');
    }
    if (this.#owner !== undefined) return this.#owner;
    throw new ZoneFault(
      first,
      'the first record has no name, since its line begins with a blank. Begin it with the name, or with @',
    );
  }

  #readOwner(token: Token): void {
    this.#isOwnerUnread = true;
    this.#owner = readName(token, this.#origin);
    this.#isOwnerUnread = false;
  }

  /** The name of an SOA record does not matter: some exports write only the root. */
  #leaveOutSoa(allWords: readonly Token[], first: Token, owner: Token | undefined): void {
    if (owner !== undefined) tryOr(() => this.#readOwner(owner), undefined);
    const { ttl, words } = readHead(allWords, first);
    if (ttl !== undefined) this.#lastTtl = ttl;
    const minimum = words[6];
    if (minimum?.kind === 'word') this.#soaTtl = readTtl(minimum.text);
  }

  /**
   * Chooses the TTL of a record. Without one it is that of `$TTL`, of the record before (RFC 1035,
   * section 5.1), or, as BIND does, the last number of the SOA record, which RFC 2308 has given
   * another meaning.
   */
  #chooseTtl(type: Token, ownTtl: number | undefined): number {
    const seconds = ownTtl ?? this.#defaultTtl ?? this.#lastTtl;
    if (seconds !== undefined) return seconds;
    if (this.#soaTtl === undefined) {
      throw new ZoneFault(type, 'the record has no TTL. Put a line such as $TTL 3600 at the top');
    }
    this.#isSoaTtlUsed = true;
    return this.#soaTtl;
  }

  finish() {
    const glue = new Set<string>();
    for (const { owner, type, place } of this.#outside) {
      const isAddress = type === 'A' || type === 'AAAA';
      if (isAddress && this.#nameservers.has(owner.toLowerCase())) glue.add(owner);
      else {
        const punycode = describePunycode(owner);
        const reason = punycode
          ? `${quote(owner)} is not as the DNS writes it${punycode}`
          : `${quote(owner)} is not ${this.#apex} or below it. Remove the line, or add the final dot or the part that its name lacks`;
        this.#faults.push(new ZoneFault(place, reason));
      }
    }

    const entries = this.#entries.filter((entry) => {
      const fault = findTargetFault(entry, this.#apex, this.#names);
      if (fault !== undefined) this.#faults.push(fault);
      return fault === undefined;
    });
    const records = entries.map(({ record }) => record);
    const soaTtlDoubt = `The file has no $TTL, so records without a TTL get ${this.#soaTtl} seconds, the last number of its SOA record. Write $TTL at the top for another one.`;
    // These are no records of the zone.
    const glueDoubt = `${listNames([...glue])}: addresses of nameservers outside ${this.#apex} are left out. They belong to the zone of those names.`;
    return {
      records,
      lines: entries.map(({ line }) => line),
      faults: this.#faults.sort((one, other) => one.line - other.line),
      doubts: [
        ...(this.#isSoaTtlUsed ? [soaTtlDoubt] : []),
        ...(glue.size === 0 ? [] : [glueDoubt]),
        ...findZoneDoubts(entries, this.#apex),
        ...findEscapeDoubt(records, this.#apex),
      ],
    };
  }
}

/** Comments of other formats would be read as owners. */
function refuseForeignComment(first: Token): void {
  const sign = first.kind === 'word' && /^(?:#|\/\/|--)/.exec(first.text)?.[0];
  if (!sign) return;
  throw new ZoneFault(first, `a comment begins with ; in a zone file. Write ; for ${sign}`);
}

/** Finds the first word that is neither a TTL nor the class. */
function findTypeWord(words: readonly Token[]): Token | undefined {
  return words.find(({ text }) => !/^(?:\d.*|IN)$/i.test(text));
}

/** Types that svc does not stage, whose data may begin with the name of another type. */
const COVERING_TYPES = /^(?:HTTPS|SVCB|AFSDB|KX|RT|RRSIG|SIG|NXT|NSEC|PTR|DNAME|ALIAS|ANAME|AWS)$/i;

/** Refuses a name in an indented line, which stands where the type of a record is expected. */
function refuseIndentedName(type: Token, words: readonly Token[]): void {
  const isType = (token: Token | undefined) =>
    RECORD_TYPES.some((name) => name === token?.text.toUpperCase());
  if (isType(type) || !isType(findTypeWord(words)) || COVERING_TYPES.test(type.text)) return;
  throw new ZoneFault(
    type,
    `${quote(type.text)} stands where a type is expected: its line begins with a blank. If it is a name, remove the blank`,
  );
}

function readHead(tokens: readonly Token[], first: Token) {
  let ttl: number | undefined;
  let hasClass = false;
  for (const [index, token] of tokens.entries()) {
    const isWord = token.kind === 'word';
    if (isWord && !hasClass && /^(?:IN|CH|HS|CS|ANY|CLASS\d+)$/i.test(token.text)) {
      if (token.text.toUpperCase() !== 'IN') {
        throw new ZoneFault(token, `class ${token.text} is not supported, only IN`);
      }
      hasClass = true;
      continue;
    }
    if (isWord && /^[A-Za-z][A-Za-z0-9-]*$/.test(token.text)) {
      return { ttl, type: token, words: tokens.slice(index + 1) };
    }
    const isTtl = isWord && ttl === undefined && /^\d/.test(token.text);
    if (!isTtl) {
      throw new ZoneFault(token, `the type of a record is expected here, not ${quote(token.text)}`);
    }
    ttl = requireTtl(token);
  }
  throw new ZoneFault(first, 'the record has no type');
}

function requireTtl(token: Token): number {
  const ttl = token.kind === 'word' ? readTtl(token.text) : undefined;
  if (ttl === undefined) {
    throw new ZoneFault(token, `a TTL is expected here, not ${quote(token.text)}`);
  }
  return ttl;
}
