import type { Env } from '../environment.ts';
import { asOneLine } from '../errors.ts';
import type { LineOf } from '../spec/fields/documents.ts';
import { drawScreen } from './draw.ts';
import { stringifyDocument } from './json-text.ts';
import { maskText } from './mask-text.ts';
import type { OutputMode } from './progress.ts';
import { safeLine } from './safe-text.ts';
import { filePath, piecesOf, plainOf, type Text } from './screen.ts';
import type { Sink } from './sink.ts';
import { annotationOf } from './sink.ts';

/** Messages on stderr, in the order in which they were said. */
export interface Notes {
  /** Prints a line on stderr, except with `--json` or `--quiet`. */
  note(text: Text): Promise<void>;
  /**
   * Prints `Warning: …` on stderr, also with `--quiet`; with `--json` a line `{"warning", "code"}`.
   * @param code stable, in snake_case
   * @param lines details, one a line; in JSON they are appended to the warning
   */
  warn(text: Text, code: string, lines?: readonly Text[]): Promise<void>;
  /**
   * Shows a message beside the step of GitHub Actions, before what svc itself prints; elsewhere does nothing.
   * @param text without secrets
   */
  annotate(level: 'error' | 'warning', code: string, text: string): Promise<void>;
  /** Resolves when everything that was said so far is written. */
  said(): Promise<void>;
}

/** Prints messages on stderr. Write errors are ignored: they must not end the command. */
export function createNotes(err: Sink, mode: () => OutputMode, env: Env): Notes {
  let last = Promise.resolve();
  // The renderer is loaded with the first message, which must not let a later one overtake it.
  const inTurn = (write: () => Promise<void>) => {
    last = last.then(write).catch(() => {});
    return last;
  };
  const print = async (texts: readonly Text[]) => {
    const named = texts.map((text) =>
      piecesOf(text).map((piece) => (typeof piece === 'string' ? filePath(piece) : piece)),
    );
    await err.write(await drawScreen((screen) => named.forEach((text) => void screen.line(text)), mode().view(err)));
  };
  const annotate: Notes['annotate'] = async (level, code, text) => {
    const line = annotationOf(env, level, code, safeLine(text));
    // Its own text is escaped already.
    if (line !== undefined) await inTurn(() => err.write(line, 'raw'));
  };
  return {
    annotate,
    note: async (text) => {
      if (!mode().json && !mode().quiet) await inTurn(() => print([text]));
    },
    async warn(text, code, lines = []) {
      const { conceal = (said: string) => said } = mode().view(err);
      const warning = maskText(conceal(asOneLine(plainOf(text), lines.map(plainOf))));
      if (!mode().json) {
        void annotate('warning', code, warning);
        const details = lines.map((line): Text => ['  ', ...piecesOf(line)]);
        return inTurn(() => print([[{ text: 'Warning:', tone: 'warn' }, ' ', ...piecesOf(text)], ...details]));
      }
      return inTurn(() => err.write(`${stringifyDocument({ warning, code } satisfies LineOf<'warning'>)}\n`, 'json'));
    },
    said: () => last,
  };
}
