import { type Domain, parseDomain } from '../../command/parse/domain.ts';
import { asArray, asObject, asText } from '../../spec/read.ts';

/** A domain as it goes over the wire, with the name that people read behind it where that is another. */
export function bothNames({ ascii, unicode }: Domain): string {
  return ascii === unicode ? ascii : `${ascii} (${unicode})`;
}

/** Whether a text in an answer means this domain, however it is spelt: in capitals, with a last dot, in its own letters. */
export function isNameOf({ ascii }: Domain, text: string): boolean {
  try {
    return parseDomain(text.trim(), 'apex').ascii === ascii;
  } catch {
    return false;
  }
}

/** The host names in a list of nameservers, whose form is not documented: texts, or objects with a name in them. */
export function nameserversOf(value: unknown): string[] {
  return asArray(value).flatMap((entry) => {
    const { hostname, host, name, nameserver } = asObject(entry);
    const text = asText(entry) ?? asText(hostname) ?? asText(host) ?? asText(name) ?? asText(nameserver);
    return text === undefined ? [] : [text];
  });
}
