import { RESERVED_HEADERS } from '../../api/request.ts';
import { quote, usageError } from '../../errors.ts';
import { example } from './choice.ts';

const HINTS: Readonly<Record<string, string>> = {
  authorization: 'Set SVC_TOKEN instead, or sign in with svc login.',
  cookie: 'Set SVC_SESSION_TOKEN to use a dashboard session.',
  host: 'Choose the address with --api-url.',
};
const LEAVE_OUT = 'Leave it out: svc sets what the connection needs.';

/**
 * Parses `Name: value` in printable ASCII (RFC 9110, section 5). Throws a usage error, which never repeats
 * a value: it may be a secret.
 */
export function parseHeaders(list: readonly string[], flag: string): Record<string, string> {
  const headers = Object.create(null) as Record<string, string>;
  const seen = new Set<string>();
  const form = example(flag, "'Name: value'");
  for (const text of list) {
    const [, name, given = ''] = /^([^:]*):(.*)$/s.exec(text) ?? [];
    if (name === undefined) {
      throw usageError(`${flag} needs a name and a value with a colon between them.`, form);
    }
    const lowerName = name.toLowerCase();
    const title = `${flag} ${quote(name)}`;
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(lowerName)) {
      throw usageError(`${title} is not the name of a header.`, form);
    }
    if (RESERVED_HEADERS.has(lowerName)) {
      throw usageError(`${flag} cannot set ${name}.`, HINTS[lowerName] ?? LEAVE_OUT);
    }
    const value = given.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '');
    if (value === '') throw usageError(`${title} has no value.`, form);
    if (!/^[\x20-\x7e]+$/.test(value)) {
      throw usageError(`${title} has a value with characters other than printable ASCII.`, form);
    }
    if (seen.has(lowerName)) {
      throw usageError(`${title} is given twice.`, 'Give every header once.');
    }
    seen.add(lowerName);
    headers[lowerName] = value;
  }
  return headers;
}
