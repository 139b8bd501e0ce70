import type { Domain } from '../../command/parse/domain.ts';
import { asArray, asObject, asText } from '../../spec/read.ts';

/** A domain as it goes over the wire, with the name that people read behind it where that is another. */
export function bothNames({ ascii, unicode }: Domain): string {
  return ascii === unicode ? ascii : `${ascii} (${unicode})`;
}

/** The host names in a list of nameservers, whose form is not documented: texts, or objects with a name in them. */
export function nameserversOf(value: unknown): string[] {
  return asArray(value).flatMap((entry) => {
    const { hostname, host, name, nameserver } = asObject(entry);
    const text = asText(entry) ?? asText(hostname) ?? asText(host) ?? asText(name) ?? asText(nameserver);
    return text === undefined ? [] : [text];
  });
}
