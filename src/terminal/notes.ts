import type { LineOf } from '../contract/fields/documents.ts';
import type { Env } from '../environment.ts';
import { asOneLine } from '../errors.ts';
import { drawScreen } from './draw.ts';
import { maskText } from './mask.ts';
import { createAnnotation } from './output.ts';
import { safeLine, stringifyDocument } from './safe-text.ts';
import { type Text, toPieces, toPlainText } from './screen.ts';
import type { Terminal } from './streams.ts';
import type { Notes } from './terminal.ts';

/** Prints messages on stderr. Write errors are ignored: they must not end the command. */
export function createNotes(io: Terminal, env: Env): Notes {
  const { err } = io;
  let last = Promise.resolve();
  // The renderer is loaded with the first message, which must not let a later one overtake it.
  const inTurn = (write: () => Promise<void>) => {
    last = last.then(write).catch(() => {});
    return last;
  };
  const print = async (texts: readonly Text[]) => {
    const named = texts.map((text) =>
      toPieces(text).map((piece) => (piece.tone === 'plain' ? { ...piece, isPath: true } : piece)),
    );
    await err.write(
      await drawScreen((screen) => named.forEach((text) => void screen.line(text)), io.view(err)),
    );
  };
  const annotate: Notes['annotate'] = async (level, code, text) => {
    const line = createAnnotation(env, level, code, safeLine(text));
    // Its own text is escaped already.
    if (line !== undefined) await inTurn(() => err.write(line, 'raw'));
  };
  return {
    annotate,
    note: async (text) => {
      if (!io.json && !io.quiet) await inTurn(() => print([text]));
    },
    async warn(text, code, lines = []) {
      const plain = asOneLine(toPlainText(text), lines.map(toPlainText));
      const warning = maskText(io.view(err).conceal(plain));
      if (!io.json) {
        void annotate('warning', code, warning);
        const details = lines.map((line): Text => ['  ', ...toPieces(line)]);
        return inTurn(() =>
          print([[{ text: 'Warning:', tone: 'warn' }, ' ', ...toPieces(text)], ...details]),
        );
      }
      return inTurn(() =>
        err.write(`${stringifyDocument({ warning, code } satisfies LineOf<'warning'>)}\n`, 'json'),
      );
    },
    said: () => last,
  };
}
