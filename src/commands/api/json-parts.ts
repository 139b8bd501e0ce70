import { endOfString } from '../../spec/json-tokens.ts';

/** A member of a JSON object as text, so that nothing of it changes: the value with what stands before and after it. */
export interface Member {
  readonly name: string;
  /** White space, the name and the colon. */
  readonly before: string;
  readonly value: string;
  /** White space. */
  readonly after: string;
}

/** The members of an object, of which the text is valid JSON. */
export function membersOf(object: string): Member[] {
  return partsOf(object).map((part) => {
    const start = part.indexOf('"');
    const nameEnd = endOfString(part, start + 1) + 1;
    const colon = part.indexOf(':', nameEnd);
    const rest = part.slice(colon + 1);
    const value = rest.trim();
    const valueStart = colon + 1 + rest.indexOf(value);
    return {
      name: JSON.parse(part.slice(start, nameEnd)) as string,
      before: part.slice(0, valueStart),
      value,
      after: part.slice(valueStart + value.length),
    };
  });
}

/** The object that members make. */
export function objectOf(members: readonly Member[]): string {
  return `{${members.map(({ before, value, after }) => before + value + after).join(',')}}`;
}

/** One array of the elements of several, of which the texts are valid JSON. */
export function joinArrays(arrays: readonly string[]): string {
  const contents = arrays.map((array) => array.trim().slice(1, -1).trim()).filter((content) => content !== '');
  return `[${contents.join(',')}]`;
}

/** What stands between the brackets of an object, divided at its commas. */
function partsOf(object: string): string[] {
  const inside = object.trim().slice(1, -1);
  if (inside.trim() === '') return [];
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < inside.length; at += 1) {
    const character = inside[at];
    if (character === '"') at = endOfString(inside, at + 1);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === ',' && depth === 0) {
      parts.push(inside.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, inside.slice(start)];
}
