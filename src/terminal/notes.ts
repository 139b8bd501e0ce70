import type { WarningLine } from '../spec/fields/documents.ts';
import { stringifyDocument } from './json-text.ts';
import type { OutputMode } from './progress.ts';
import { filePath, piecesOf, type Text } from './screen.ts';
import type { Sink } from './sink.ts';

export interface Notes {
  /** Prints a line on stderr, except with `--json` or `--quiet`. */
  note(text: Text): Promise<void>;
  /**
   * Prints `Warning: …` on stderr; with `--json` a line `{"warning", "code"}`.
   * @param code stable, in snake_case
   */
  warn(text: Text, code: string): Promise<void>;
}

/** Prints messages on stderr. Write errors are ignored: they must not end the command. */
export function createNotes(err: Sink, mode: () => OutputMode): Notes {
  const print = async (text: Text) => {
    // Most runs print no messages and need no renderer.
    const { render } = await import('./render.ts');
    const view = mode().view(err);
    // A message that is searched with `grep` stays on one line.
    const columns = view.tty ? view.columns : Number.POSITIVE_INFINITY;
    const named = piecesOf(text).map((piece) => (typeof piece === 'string' ? filePath(piece) : piece));
    await err.write(await render([{ kind: 'line', text: named }], { ...view, columns })).catch(() => {});
  };
  return {
    note: async (text) => {
      if (!mode().json && !mode().quiet) await print(text);
    },
    warn: async (text, code) => {
      if (!mode().json) return print([{ text: 'Warning:', tone: 'warn' }, ' ', ...piecesOf(text)]);
      const { conceal = (said: string) => said } = mode().view(err);
      const warning = piecesOf(text)
        .map((piece) => (typeof piece === 'string' ? piece : piece.text))
        .join('');
      await err
        .write(`${stringifyDocument({ warning: conceal(warning), code } satisfies WarningLine)}\n`)
        .catch(() => {});
    },
  };
}
