import { domainToASCII } from 'node:url';

/**
 * Writes a name, or data that ends in one, as the DNS does (RFC 5891): labels beyond ASCII become
 * Punycode. What cannot be converted stays as it is.
 */
export function toAsciiName(name: string): string {
  return name.replaceAll(/[^\s.]*[^\x00-\x7f][^\s.]*/g, (label) => domainToASCII(label) || label);
}
