import { listed } from '../errors.ts';
import type { DnsRecord } from '../spec/types.ts';
import { fullName } from './record-name.ts';

const SHORT_TTL_SECONDS = 60;
const LONG_TTL_SECONDS = 86_400;

/** Sentences about records that can be staged but may not do what is meant; one for each kind of doubt. */
export function findWarnings(records: readonly DnsRecord[], apex: string): string[] {
  const names = (keep: (record: DnsRecord) => boolean) => [
    ...new Set(records.filter(keep).map((record) => `${fullName(record.subdomain, apex)} ${record.type}`)),
  ];
  const doubts: ReadonlyArray<readonly [names: readonly string[], text: string]> = [
    [names(({ ttl }) => ttl < SHORT_TTL_SECONDS), `the TTL is below ${SHORT_TTL_SECONDS} seconds`],
    [names(({ ttl }) => ttl > LONG_TTL_SECONDS), 'the TTL is above one day, and a mistake stays in caches as long'],
    [findCrowdedAliases(records, apex), 'a CNAME allows no other record of the same name'],
    [names(({ subdomain, type }) => type === 'CNAME' && subdomain === ''), 'a CNAME is not allowed at the apex'],
    [
      names(({ subdomain, type }) => type === 'NS' && subdomain === ''),
      'NS at the apex usually names the nameservers that you leave',
    ],
    [names(hasShortTarget), 'the target has one label, and host names are written in full'],
  ];
  return doubts.flatMap(([found, text]) => (found.length === 0 ? [] : [`${listed(found)}: ${text}.`]));
}

/** The names that have a CNAME and anything else; the DNS does not tell upper from lower case. */
function findCrowdedAliases(records: readonly DnsRecord[], apex: string): string[] {
  const counts = new Map<string, { all: number; aliases: number }>();
  for (const { subdomain, type } of records) {
    const name = subdomain.toLowerCase();
    const count = counts.get(name) ?? { all: 0, aliases: 0 };
    counts.set(name, { all: count.all + 1, aliases: count.aliases + (type === 'CNAME' ? 1 : 0) });
  }
  const crowded = [...counts].filter(([, { all, aliases }]) => aliases > 0 && all > 1);
  return crowded.map(([name]) => `${fullName(name, apex)} CNAME`);
}

function hasShortTarget({ type, value }: DnsRecord): boolean {
  if (type === 'A' || type === 'AAAA' || type === 'TXT') return false;
  const target = value.split(/ +/).at(-1) ?? '';
  return target !== '.' && !target.includes('.');
}
