import type { LineOf } from '../contract/fields/documents.ts';
import { asOneLine, usageError } from '../errors.ts';
import { drawScreen } from './draw.ts';
import { maskText } from './mask.ts';
import { createAnnotation } from './output.ts';
import { ProgressDisplay } from './progress.ts';
import type { Choice, Question, Style } from './prompts/listen.ts';
import { safeLine, stringifyDocument } from './safe-text.ts';
import { type Text, toPieces, toPlainText } from './screen.ts';
import { type IoOptions, Terminal } from './streams.ts';

export { OutputClosed } from './output.ts';

/** The streams of a command, with prompts, notes and progress. */
export type Io = Omit<
  ReturnType<typeof createIo>,
  'options' | 'flags' | 'keys' | 'screens' | 'configure'
>;

/** Wraps the streams of a process. No flag is set until `configure` is called. */
export function createIo(options: IoOptions) {
  const io = new Terminal(options);
  const progresses = new ProgressDisplay(io);
  return Object.assign(io, createNotes(io), createPrompts(io, progresses), {
    ...progresses,
    /** Gives the terminal back, even in the middle of a prompt. */
    restoreTerminal() {
      for (const screen of io.screens) screen.close();
      progresses.restoreTerminal();
      io.keys.close();
    },
  });
}

/**
 * Creates what prints messages on stderr, in the order in which they were said. Write errors are
 * ignored: they must not end the command.
 */
function createNotes(io: Terminal) {
  const { err, options } = io;
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
  /** Shows a text without secrets beside the step of GitHub Actions; elsewhere does nothing. */
  const annotate = async (level: 'error' | 'warning', code: string, text: string) => {
    const line = createAnnotation(options.env, level, code, safeLine(text));
    // Its own text is escaped already.
    if (line !== undefined) await inTurn(() => err.write(line, 'raw'));
  };
  return {
    annotate,
    /** Prints a line on stderr, except with `--json` or `--quiet`. */
    note: async (text: Text) => {
      if (!io.json && !io.quiet) await inTurn(() => print([text]));
    },
    /**
     * Prints `Warning: …` on stderr, also with `--quiet`; with `--json` a line `{"warning", "code"}`.
     * @param lines details, one a line; a part of the warning in JSON
     */
    async warn(text: Text, code: string, lines: readonly Text[] = []) {
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

interface AskOptions extends Omit<Question, 'kind' | 'message'> {
  /** Whether Esc leads to the question before, which is then said. */
  readonly back?: boolean | undefined;
}

/**
 * Creates questions. Each throws CliError `interrupted` if it is cancelled, with `isBack` if by
 * Esc, and `usage` if nobody can be asked.
 */
function createPrompts(io: Terminal, progresses: ProgressDisplay) {
  // Asks while nothing else draws or reads keys.
  const show = <T>(question: (style: Style) => Promise<T>) =>
    progresses.whileHidden(async () => question(await openQuestions(io)));
  const withBack = (question: string, isBack = false) =>
    safeLine(question) + (isBack ? ' (Esc: back)' : '');
  return {
    /**
     * Asks for `y`, or with `word` for the word `yes` before what cannot be undone. Everything else
     * is No; pasted text is no answer.
     */
    async confirm(question: string, { word = false } = {}) {
      const answer = await show(({ read }) =>
        read({
          kind: 'confirmation',
          message: safeLine(question) + (word ? ' Type yes to confirm' : ' [y/N]'),
          validate: (typed) =>
            word && !YES_OR_NO.test(typed.trim()) ? 'Type yes, or press Esc.' : undefined,
        }),
      );
      return (word ? YES : /^y(es)?$/i).test(answer.trim());
    },
    select<T extends string>(
      question: string,
      choices: readonly Choice<T>[],
      { back }: AskOptions = {},
    ) {
      const safe = choices.map(({ value, label = value, hint = '' }) => ({
        value,
        label: safeLine(label),
        hint: safeLine(hint),
      }));
      return show(({ choose }) => choose(withBack(question, back), safe));
    },
    ask: (question: string, { back, seen = [], ...options }: AskOptions = {}) =>
      show(({ read }) =>
        read({
          ...options,
          kind: 'text',
          message: withBack(question, back),
          seen: seen.map(safeLine),
        }),
      ),
    askSecret: (question: string) =>
      show(({ read }) => read({ kind: 'secret', message: safeLine(question) })),
  };
}

const YES = /^yes$/i;

/** Enter alone is No. */
const YES_OR_NO = /^(?:yes|no?)?$/i;

/** @throws CliError `usage` where nobody can be asked */
async function openQuestions(io: Terminal): Promise<Style> {
  if (!io.interactive) {
    throw usageError('This needs an answer, but svc cannot ask questions here.');
  }
  io.options.signal.throwIfAborted();
  if (io.unicode && io.canMove && io.err.realColumns > 0) {
    return (await import('./prompts/clack.ts')).createClackStyle(io);
  }
  return (await import('./prompts/line.ts')).createLineStyle(io);
}
