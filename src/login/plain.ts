import { onOneLine } from '../spec/plain-text.ts';

/** Longest piece of a server's text that a message repeats, in characters. */
const LONGEST = 200;

/** Text of the service on one line: without control, format and direction characters, cut after `longest` characters. */
export function plain(text: string, longest = LONGEST): string {
  // A first cut keeps the work small; the second one counts what is left.
  const visible = onOneLine(text.slice(0, longest * 4));
  const characters = [...visible];
  return characters.length <= longest ? visible : `${characters.slice(0, longest - 1).join('')}…`;
}

/** Longest name of a client, in characters. */
const LONGEST_NAME = 64;

/** The name of this client, which the user compares with the approval page: that given, else the machine's. */
export function clientNameOf(given: string | undefined, hostname: string): string {
  return plain(given ?? '', LONGEST_NAME) || plain(hostname, LONGEST_NAME) || 'svc';
}
