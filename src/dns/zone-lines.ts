import { type Position, readTokens, type Token, ZoneFault } from './zone-tokens.ts';

/** One line of a zone file, or several within parentheses. */
export class ZoneLine {
  readonly tokens: Token[] = [];
  readonly comments: Token[] = [];
  /** The parentheses that are not closed yet. */
  readonly open: Token[] = [];
  fault: ZoneFault | undefined;

  /** The name of a record; undefined for one that begins with a blank: it has the one before. */
  get owner(): Token | undefined {
    const [first] = this.tokens;
    return first?.column === 1 ? first : undefined;
  }

  /** The tokens behind the name. */
  get words(): readonly Token[] {
    return this.owner === undefined ? this.tokens : this.tokens.slice(1);
  }

  add(token: Token): void {
    if (token.kind === 'newline') return;
    if (token.kind === '(') this.open.push(token);
    else if (token.kind === 'comment') this.comments.push(token);
    else if (token.kind === 'fault') this.refuse(token, token.text);
    else if (token.kind !== ')') this.tokens.push(token);
    else if (this.open.pop() === undefined) {
      this.refuse(token, 'this parenthesis closes nothing. Remove it, or write it in quotes');
    }
  }

  refuse(place: Position, reason: string): void {
    this.fault ??= new ZoneFault(place, reason);
    this.fault.isOfWholeFile = true;
  }
}

/** Puts the tokens of a zone file together to lines. */
export function* readZoneLines(text: string): Generator<ZoneLine> {
  let line = new ZoneLine();
  for (const token of readTokens(text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'))) {
    line.add(token);
    if (token.kind !== 'newline' || line.open.length > 0) continue;
    yield line;
    line = new ZoneLine();
  }
  const unclosed = line.open.at(-1);
  if (unclosed) line.refuse(unclosed, 'this parenthesis is not closed. Write ) where it ends');
  yield line;
}
