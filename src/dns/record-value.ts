import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import type { RecordType } from '../contract/operations.ts';
import { findLabelProblem, findNameProblem, hasHalfCharacter } from '../contract/text.ts';
import { quote } from '../errors.ts';
import { hasOtherBytes } from './zone-tokens.ts';

const MAX_NAME_LENGTH = 253;

/** Returns the full name of a record without the final dot. */
export function joinName(subdomain: string, apex: string): string {
  return subdomain === '' ? apex : `${subdomain}.${apex}`;
}

/**
 * Says what is wrong with the subdomain of a record, in words that follow the field's name. Full
 * names are refused and never shortened: only the user knows whether `www.example.com` means itself
 * or `www.example.com.example.com`.
 */
export function findSubdomainFault(subdomain: string, apex: string): string | undefined {
  if (subdomain === '') return undefined;
  if (subdomain === '@') return 'is "@"; the apex itself is the empty string';
  const below = getSubdomain(subdomain, apex);
  if (below !== undefined) {
    return `${quote(subdomain)} is a full name; only the part before ${apex}, ${quote(below)}, goes here`;
  }
  const labels = subdomain.split('.').filter((label, index) => index > 0 || label !== '*');
  const [odd] = labels.flatMap((label) => findLabelProblem(label, '_') ?? []);
  const fault = labels.includes('*') ? 'has a * that is not its first label' : odd;
  if (fault !== undefined) return `${quote(subdomain)} ${fault}${describePunycode(subdomain)}`;
  if (joinName(subdomain, apex).length > MAX_NAME_LENGTH) {
    return `${quote(subdomain)} makes a name longer than ${MAX_NAME_LENGTH} characters`;
  }
  return undefined;
}

/** Returns the part of a full name before the apex; undefined if it is not in this zone. */
export function getSubdomain(name: string, apex: string): string | undefined {
  const bare = (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase();
  if (bare === apex.toLowerCase()) return '';
  return bare.endsWith(`.${apex.toLowerCase()}`)
    ? name.slice(0, bare.length - apex.length - 1)
    : undefined;
}

/** Says how the DNS writes a name beyond ASCII; empty for other names. */
export function describePunycode(name: string): string {
  const ascii = /[^\x00-\x7f]/.test(name) ? domainToASCII(name) : '';
  return ascii === '' ? '' : `; in the DNS it is ${quote(ascii)}`;
}

/** The most bytes of a text: 65535, less the length byte of each string of 255. */
const MAX_TXT_BYTES = 65_279;

/**
 * Functions that say what is wrong with a value of a type, in words that follow the field's name.
 */
export const VALUE_FAULTS: Readonly<Record<RecordType, (value: string) => string | undefined>> = {
  A: (value) => (isIPv4(value) ? undefined : `${quote(value)} is not an IPv4 address`),
  // Node also accepts a zone index (fe80::1%eth0), which is valid on one machine only.
  AAAA: (value) =>
    isIPv6(value) && !value.includes('%') ? undefined : `${quote(value)} is not an IPv6 address`,
  CNAME: findTargetFault,
  NS: findTargetFault,
  // The root (`.`) means that the domain takes no mail (RFC 7505).
  MX: (value) => (value === '.' ? undefined : findTargetFault(value)),
  SRV: findSrvFault,
  TXT: findTxtFault,
};

/**
 * Checks `weight port target`, for which the record table has no other place. The root (`.`) is no
 * host (RFC 2782).
 */
function findSrvFault(value: string): string | undefined {
  const numbers = value.split(/ +/);
  const target = numbers.pop();
  if (numbers.length !== 2 || !numbers.every(isUint16)) {
    return `${quote(value)} is not "weight port target" with whole numbers from 0 to 65535`;
  }
  return target === undefined || target === '.' ? undefined : findTargetFault(target);
}

function findTxtFault(value: string): string | undefined {
  if (hasHalfCharacter(value)) return 'has a damaged character in it';
  if (hasOtherBytes(value)) return 'has bytes that are not UTF-8, which JSON cannot carry';
  const bytes = Buffer.byteLength(value);
  return bytes > MAX_TXT_BYTES
    ? `has ${bytes} bytes, and a TXT record can have ${MAX_TXT_BYTES}`
    : undefined;
}

function findTargetFault(value: string): string | undefined {
  const fault = findNameProblem(value.endsWith('.') ? value.slice(0, -1) : value, '_');
  return fault === undefined ? undefined : `${quote(value)} ${fault}${describePunycode(value)}`;
}

/** Whether a text is a whole number from 0 to 65535. */
export function isUint16(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535;
}

/** Whether records of a type have a priority of their own. */
export function mayHavePriority(type: string): boolean {
  return type === 'MX' || type === 'SRV';
}
