import { domainToASCII } from 'node:url';
import { quoted } from '../errors.ts';
import { findLabelFault } from '../spec/host-name.ts';

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
export function punycodeHint(name: string): string {
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
