import { quoted } from '../errors.ts';
import { type Token, zoneError } from './zone-tokens.ts';
import { readName, readStrings } from './zone-values.ts';

/** The data of a record in the fields that staging has for it. */
export interface ZoneData {
  readonly value: string;
  readonly priority?: number;
}

/** How many words the data of a type has, and which; other types keep their data as written. */
const FORMS: Readonly<Record<string, readonly [words: number, names: string]>> = {
  CNAME: [1, 'a host name'],
  NS: [1, 'a host name'],
  MX: [2, 'a priority and a host name'],
  SRV: [4, 'priority, weight, port and a host name'],
};

/** Reads what follows the type of a record. Throws a usage error with line and column. */
export function readData(type: Token, data: readonly Token[], origin: string): ZoneData {
  const name = type.text.toUpperCase();
  const [words, form] = FORMS[name] ?? [undefined, 'a text or several'];
  const wrong = (token: Token) => zoneError(token, `${name} takes ${form}`);
  const token = (index: number) => {
    const found = data[index];
    if (found === undefined) throw wrong(type);
    return found;
  };
  const extra = words === undefined ? undefined : data[words];
  if (extra !== undefined) throw wrong(extra);
  switch (name) {
    case 'CNAME':
    case 'NS':
      return { value: readName(token(0), origin) };
    case 'MX':
      return { priority: readNumber(token(0)), value: readName(token(1), origin) };
    case 'SRV': {
      const value = `${readNumber(token(1))} ${readNumber(token(2))} ${readName(token(3), origin)}`;
      return { priority: readNumber(token(0)), value };
    }
    case 'TXT':
      return { value: readStrings([token(0), ...data.slice(1)]) };
    default:
      return { value: data.map(({ kind, text }) => (kind === 'string' ? `"${text}"` : text)).join(' ') };
  }
}

function readNumber(token: Token): number {
  if (token.kind === 'word' && /^\d{1,5}$/.test(token.text) && Number(token.text) <= 65_535) return Number(token.text);
  throw zoneError(token, `a whole number from 0 to 65535 is expected here, not ${quoted(token.text)}`);
}
