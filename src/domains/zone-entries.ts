import { type Place, readTokens, type Token, zoneError } from './zone-tokens.ts';

/** What stands on one line of a zone file, or on several within parentheses; never empty. */
export interface Entry {
  /** Whether the line starts with white space: its record has the name of the one before. */
  readonly hasBlankOwner: boolean;
  readonly tokens: readonly Token[];
}

/** The entries of a zone file, in order. Throws a usage error with line and column. */
export function* readEntries(text: string): Generator<Entry> {
  const open: Place[] = [];
  let tokens: Token[] = [];
  for (const token of readTokens(text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'))) {
    if (token.kind === '(') open.push(token);
    else if (token.kind === ')') {
      if (open.pop() === undefined) throw zoneError(token, 'this parenthesis closes nothing');
    } else if (token.kind !== 'newline') tokens.push(token);
    else if (open.length === 0) {
      yield* toEntry(tokens);
      tokens = [];
    }
  }
  const unclosed = open.at(-1);
  if (unclosed !== undefined) throw zoneError(unclosed, 'this parenthesis is not closed');
  yield* toEntry(tokens);
}

function toEntry(tokens: readonly Token[]): Entry[] {
  const first = tokens[0];
  return first === undefined ? [] : [{ hasBlankOwner: first.column > 1, tokens }];
}
