import { domainToASCII } from 'node:url';

/**
 * Writes a name, or data that ends in one, as the DNS does (RFC 5891): labels beyond ASCII become
 * Punycode. What cannot be converted stays as it is.
 */
export function toAsciiName(name: string): string {
  const labels = name.split(/([\s.])/).map((label) => {
    return /[^\x00-\x7f]/.test(label) ? domainToASCII(label) || label : label;
  });
  return labels.join('');
}
