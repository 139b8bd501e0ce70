import { type Position, readTokens, type Token, ZoneFault } from './zone-tokens.ts';

/** One line of a zone file, or several within parentheses. */
export interface TokenLine {
  /** A record that begins with a blank has the name of the one before. */
  readonly hasBlankOwner: boolean;
  readonly tokens: readonly Token[];
  readonly comments: readonly Token[];
  readonly fault: ZoneFault | undefined;
}

/** Puts the tokens of a zone file together to lines. */
export function* readEntries(text: string): Generator<TokenLine> {
  let line = new OpenLine();
  for (const token of readTokens(text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n'))) {
    line.add(token);
    if (token.kind !== 'newline' || line.isWithinParentheses) continue;
    yield line.close();
    line = new OpenLine();
  }
  yield line.close();
}

class OpenLine {
  readonly #tokens: Token[] = [];
  readonly #comments: Token[] = [];
  readonly #open: Position[] = [];
  #fault: ZoneFault | undefined;

  get isWithinParentheses(): boolean {
    return this.#open.length > 0;
  }

  add(token: Token): void {
    if (token.kind === 'newline') return;
    if (token.kind === '(') this.#open.push(token);
    else if (token.kind === 'comment') this.#comments.push(token);
    else if (token.kind === 'fault') this.#refuse(token, token.text);
    else if (token.kind !== ')') this.#tokens.push(token);
    else if (this.#open.pop() === undefined) {
      this.#refuse(token, 'this parenthesis closes nothing. Remove it, or write it in quotes');
    }
  }

  close(): TokenLine {
    const unclosed = this.#open.at(-1);
    if (unclosed !== undefined) {
      this.#refuse(unclosed, 'this parenthesis is not closed. Write ) where it ends');
    }
    return {
      hasBlankOwner: (this.#tokens[0]?.column ?? 1) > 1,
      tokens: this.#tokens,
      comments: this.#comments,
      fault: this.#fault,
    };
  }

  #refuse(place: Position, reason: string): void {
    this.#fault ??= new ZoneFault(place, reason).ofWholeFile();
  }
}
