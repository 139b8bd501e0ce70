import { isIP, isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { quoted } from '../errors.ts';
import { findLabelFault, findNameFault, hasHalfCharacter } from '../spec/text.ts';
import type { RecordType } from '../spec/types.ts';

/** The longest name of the DNS, in characters. */
const LONGEST_NAME = 253;

/** The whole name of a record, without a last dot. */
export function fullName(subdomain: string, apex: string): string {
  return subdomain === '' ? apex : `${subdomain}.${apex}`;
}

/**
 * Why a text cannot be the subdomain of a record, in words that follow the field's name; `undefined` when it can.
 * A full name or `@` is refused and never shortened: whether `www.example.com` means itself or
 * `www.example.com.example.com` is for the user to say.
 */
export function findSubdomainFault(subdomain: string, apex: string): string | undefined {
  if (subdomain === '') return undefined;
  if (subdomain === '@') return 'is "@"; the apex itself is the empty string';
  const below = partBelow(subdomain, apex);
  if (below === '') return `${quoted(subdomain)} is the apex itself, which is the empty string`;
  if (below !== undefined)
    return `${quoted(subdomain)} is a full name; only the part before ${apex}, ${quoted(below)}, goes here`;
  if (subdomain.endsWith('.'))
    return `${quoted(subdomain)} ends with a dot, and only the part before ${apex} goes here`;
  const labels = subdomain.split('.');
  const fault = findLabelsFault(labels[0] === '*' ? labels.slice(1) : labels);
  if (fault !== undefined) return `${quoted(subdomain)} ${fault}${punycodeHint(subdomain)}`;
  if (fullName(subdomain, apex).length > LONGEST_NAME)
    return `${quoted(subdomain)} makes a name longer than ${LONGEST_NAME} characters`;
  return undefined;
}

/** What is left of a full name when the apex is taken off; `undefined` when it is no full name of this zone. */
export function partBelow(name: string, apex: string): string | undefined {
  const bare = (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase();
  if (bare === apex.toLowerCase()) return '';
  return bare.endsWith(`.${apex.toLowerCase()}`) ? name.slice(0, bare.length - apex.length - 1) : undefined;
}

/** How a name with letters beyond ASCII is written in the DNS, as a remark behind a message; nothing for other names. */
function punycodeHint(name: string): string {
  const ascii = /[^\x00-\x7f]/.test(name) ? domainToASCII(name) : '';
  return ascii === '' ? '' : `; in the DNS it is ${quoted(ascii)}`;
}

function findLabelsFault(labels: readonly string[]): string | undefined {
  if (labels.includes('*')) return 'has a * that is not its first label';
  for (const label of labels) {
    const fault = findLabelFault(label, { underscore: true });
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Bytes of a TXT record that fit beside the length byte of each 255. */
const LONGEST_TXT = 65_279;

/** Why a text cannot be the value of a record of this type, in words that follow the field's name. Values are never changed. */
export function findValueFault(type: RecordType, value: string): string | undefined {
  return CHECKS[type](value);
}

const CHECKS: Readonly<Record<RecordType, (value: string) => string | undefined>> = {
  A: (value) => (isIPv4(value) ? undefined : `${quoted(value)} is not an IPv4 address`),
  // Node also takes a zone index (fe80::1%eth0), which means something on one machine only.
  AAAA: (value) => (isIPv6(value) && !value.includes('%') ? undefined : `${quoted(value)} is not an IPv6 address`),
  CNAME: (value) => findTargetFault(value),
  NS: (value) => findTargetFault(value),
  MX: (value) => findMxFault(value),
  SRV: (value) => findSrvFault(value),
  TXT: (value) => findTxtFault(value),
};

/** The root (`.`) says that there is no such host: RFC 7505 for MX, RFC 2782 for SRV. */
function findMxFault(value: string): string | undefined {
  if (/^\d+\s/.test(value)) return `${quoted(value)} has a number in front; the priority has a field of its own`;
  return value === '.' ? undefined : findTargetFault(value);
}

/** The service's document does not show the form, so `weight port target` and a target alone are both taken as they are. */
function findSrvFault(value: string): string | undefined {
  const parts = value.split(/ +/);
  const target = parts.at(-1) ?? '';
  const numbers = parts.slice(0, -1);
  if (numbers.length === 3) return `${quoted(value)} has four parts; the priority has a field of its own`;
  const isForm = numbers.length === 0 || (numbers.length === 2 && numbers.every(isUint16));
  if (!isForm) return `${quoted(value)} is not "weight port target" with whole numbers from 0 to 65535`;
  return target === '.' ? undefined : findTargetFault(target);
}

function findTxtFault(value: string): string | undefined {
  if (hasHalfCharacter(value)) return 'has a damaged character in it';
  const bytes = Buffer.byteLength(value);
  return bytes > LONGEST_TXT ? `has ${bytes} bytes; a TXT record holds ${LONGEST_TXT}` : undefined;
}

function findTargetFault(value: string): string | undefined {
  if (value === '') return 'is empty';
  if (value === '@') return 'is "@"; a host name is written in full';
  if (value === '.') return 'is the root of the DNS, not a host name';
  if (isIP(value)) return `${quoted(value)} is an address, and this type takes a host name`;
  const fault = findNameFault(value.endsWith('.') ? value.slice(0, -1) : value, { underscore: true });
  return fault === undefined ? undefined : `${quoted(value)} ${fault}${punycodeHint(value)}`;
}

function isUint16(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
}
