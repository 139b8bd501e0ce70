import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import {
  findInvisible,
  findLookalike,
  findNameProblem,
  hasControl,
  hasHalfCharacter,
} from '../../contract/text.ts';
import { quote, usageError } from '../../errors.ts';
import { lazy } from '../../lazy.ts';
import { unicodePattern } from '../../once.ts';
import { example } from './text.ts';

/** A name whose forms differ beyond ASCII. */
export interface Domain {
  /** Lower case, Punycode if needed, without a trailing dot. */
  readonly ascii: string;
  readonly unicode: string;
}

/** Characters that the conversion decodes or drops: `%41` becomes `A`, a soft hyphen disappears. */
const notInAName = unicodePattern(
  '[\\s\\p{Cc}\\p{Cs}\\p{Default_Ignorable_Code_Point}%/@:\\\\?#[\\]<>^|]',
);

/** Parses a name of two labels or more (RFC 1035, RFC 5891). Throws a usage error. */
export function parseDomain(text: string, field: string): Domain {
  const usualHint = example(field, 'example.com');
  if (text === '') throw usageError(`${field} is empty.`, usualHint);
  const refuse = (why: string, hint = usualHint) =>
    usageError(`${field} ${quote(text)} ${why}.`, hint);
  if (isIP(text)) throw refuse('is an IP address, not a domain');
  const odd = notInAName().exec(text)?.[0];
  if (odd !== undefined) {
    const meant = findJoinedName(text) ?? findHost(text);
    throw refuse(
      `is not a domain name: it contains ${describeCharacter(odd)}`,
      example(field, meant ?? 'example.com'),
    ).withMeantText(text, meant);
  }
  const converted = domainToASCII(text);
  if (converted === '') throw refuse('is not a domain name');
  const ascii = converted.endsWith('.') ? converted.slice(0, -1) : converted;
  // The conversion also completes short addresses: 1.2.3 comes back as 1.2.0.3.
  if (isIP(ascii)) throw refuse('is an IP address, not a domain');
  const fault = findNameProblem(ascii);
  if (fault !== undefined) throw refuse(fault);
  if (!ascii.includes('.')) {
    throw refuse('has no dot; a domain has at least one', 'Add its ending, such as .com.');
  }
  const unicode = domainToUnicode(ascii);
  // Some versions of Node accept a label that is not valid Punycode, and return it unchanged.
  if (unicode === '' || /(^|\.)xn--/.test(unicode)) throw refuse('is not a domain name');
  return { ascii, unicode };
}

/**
 * Parses a name right below a public suffix, be it a registry's (`co.uk`) or a company's (`uk.com`), or
 * below an unknown top level.
 */
export async function parseApex(
  text: string,
  commandFor: (domain: string) => string,
): Promise<Domain> {
  const domain = parseDomain(text, 'The domain');
  const { parse } = await lazy.tldts();
  const registry = parse(domain.ascii, { validateHostname: false });
  const company = parse(domain.ascii, { validateHostname: false, allowPrivateDomains: true });
  const isKnown = registry.isIcann === true || registry.isPrivate === true;
  if (!isKnown || [registry.domain, company.domain].includes(domain.ascii)) return domain;
  const apex = company.domain ?? registry.domain;
  if (apex !== null) throw usageError(`${quote(text)} is not an apex domain.`, commandFor(apex));
  throw usageError(
    `${quote(text)} is a public suffix, below which many people register names.`,
    commandFor(`example.${domain.ascii}`),
  );
}

function describeCharacter(char: string): string {
  if (char === ' ') return 'a space';
  return /[!-~]/.test(char) ? quote(char) : `the character ${describeCodePoint(char)}`;
}

/** Joiners cannot be seen, and some names have them (RFC 5892, appendix A). */
const JOINERS = /[\u200c\u200d]/g;

/**
 * The name that is meant by one with joiners, as the DNS writes it: there everybody sees which of
 * two names it is. Where a joiner cannot belong to the name, it is that without it.
 */
function findJoinedName(text: string): string | undefined {
  const withoutJoiners = text.replaceAll(JOINERS, '');
  if (withoutJoiners === text || notInAName().test(withoutJoiners)) return undefined;
  const ascii = (domainToASCII(text) || domainToASCII(withoutJoiners)).replace(/\.$/, '');
  return ascii.includes('.') && findNameProblem(ascii) === undefined ? ascii : undefined;
}

/** Finds the host of a web or mail address. */
function findHost(text: string): string | undefined {
  const host =
    /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/@\s]*@)?([a-z0-9-]+(?:\.[a-z0-9-]+){1,126})(?:[:/?#].*)?$/i
      .exec(text)?.[1]
      ?.toLowerCase();
  return host !== undefined && findNameProblem(host) === undefined ? host : undefined;
}

const MAX_LENGTH = 512;

/** Throws a usage error for an id that could change the path, or is another than people read. */
export function parseIdentifier(given: string, field: string): string {
  const text = given.trim();
  if (text === '') throw usageError(`${field} is empty.`, 'Give an id.');
  const refuse = (
    why: string,
    hint = 'Copy the id again, from the dashboard or from the output of svc.',
  ) => usageError(`${field} ${quote(text)} ${why}.`, hint);
  if (text === '.' || text === '..') throw refuse('is not an id: it would lead to another path');
  if (/^(['"`]).*\1$/s.test(text)) {
    const hint = `Leave them out: ${text.slice(1, -1)}`;
    throw refuse('has quotes around it, which the shell has left there', hint);
  }
  if (/^https?:\/\//i.test(text)) throw refuse('is an address, not an id', 'Give the id alone.');
  if (text.length > MAX_LENGTH) throw refuse(`is longer than ${MAX_LENGTH} characters`);
  if (hasControl(text)) throw refuse('has a control character in it');
  if (text.includes('\ufffd') || hasHalfCharacter(text)) {
    const hint = 'Use a UTF-8 locale, such as LC_ALL=C.UTF-8.';
    throw refuse('has a damaged character in it', hint);
  }
  const unseen = findInvisible(text);
  if (unseen !== undefined) {
    throw refuse(`has an invisible character in it, ${describeCodePoint(unseen)}`);
  }
  const odd = findLookalike(text);
  if (odd !== undefined) {
    const plain = JSON.stringify(odd.normalize('NFKC'));
    throw refuse(`has a character in it that only looks like ${plain}, ${describeCodePoint(odd)}`);
  }
  // `--json` and `-q` follow an option whose value was forgotten; `-x7Gh` may well be an id.
  if (field.startsWith('-') && (text.startsWith('--') || /^-.$/.test(text))) {
    throw usageError(
      `${field} needs an id, and ${quote(text)} looks like an option.`,
      `${example(field, '<id>')} (one that starts with a hyphen goes after --, or into the environment)`,
    );
  }
  return text;
}

/** Describes a character as `U+200B`. */
function describeCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Throws a usage error. */
export function parseService(text: string): string {
  return parseIdentifier(text, 'The service id');
}
