import { widthOf } from '../layout/text.ts';
import { safeLine } from '../safe-text.ts';
import type { Prompts } from '../terminal.ts';
import { confirmation, listen, mayConfirm, PASTE_IGNORED, type PromptOptions, whyLeft, withBack } from './prompts.ts';

const CTRL_U = '\u0015';

type Reading<T> = { readonly answer: T } | string;

/** Prompts of one line without movement, for screen readers and simple terminals. */
export function createLinePrompts(options: PromptOptions): Prompts {
  const print = (line: string) => void options.stderr.write(`${line}\n`);
  const askUntil = async <T>(question: string, look: LineOptions, read: (typed: string) => Reading<T>): Promise<T> => {
    for (;;) {
      const reading = read(await readLine(question, look, options));
      if (typeof reading !== 'string') return reading.answer;
      print(reading);
    }
  };
  return {
    async confirm(message, given) {
      const { question, isYes, findFault } = confirmation(message, given);
      return askUntil(
        `${question}: `,
        { isConfirmation: true },
        (typed) => findFault(typed) ?? { answer: isYes(typed) },
      );
    },
    select: (question, choices, options) => {
      print(withBack(question, options));
      choices.forEach(({ value, label = value, hint }, index) => {
        print(`  ${index + 1}. ${label}${hint === undefined ? '' : ` (${hint})`}`);
      });
      return askUntil(`Number from 1 to ${choices.length}: `, {}, (typed) => {
        const choice = /^\d+$/.test(typed) ? choices[Number(typed) - 1] : choices.find(({ value }) => value === typed);
        return choice ? { answer: choice.value } : `Please type a number from 1 to ${choices.length}.`;
      });
    },
    ask: (question, { placeholder, validate, back } = {}) =>
      askUntil(
        `${withBack(question, { back })}${placeholder === undefined ? '' : ` [${placeholder}]`}: `,
        {},
        (answer) => validate?.(answer) ?? { answer },
      ),
    askSecret: (question, { validate } = {}) =>
      askUntil(`${question} (not shown): `, { isSecret: true }, (answer) => validate?.(answer) ?? { answer }),
  };
}

interface LineOptions {
  readonly isSecret?: boolean;
  readonly isConfirmation?: boolean;
}

/** Reads and echoes one line. A confirmation is typed key by key: it drops what was pasted. */
async function readLine(question: string, look: LineOptions, { keys, stderr, signal }: PromptOptions): Promise<string> {
  const { isSecret = false, isConfirmation = false } = look;
  const line = createLine((text) => void (isSecret || stderr.write(text)));
  let [resolve, reject]: [(line: string) => void, (reason: unknown) => void] = [() => {}, () => {}];
  const answer = new Promise<string>((...both) => {
    [resolve, reject] = both;
  });
  const leave = () => reject(whyLeft(signal));
  const refuse = () => {
    line.clear();
    stderr.write(`\n${PASTE_IGNORED}\n${question}`);
  };
  const press = (key: string) => {
    if (key === '\r' || key === '\n') resolve(isSecret ? line.text() : line.text().trim());
    else if (key === '\u001b') reject(whyLeft(signal, true));
    else line.press(key);
  };
  const stop = await listen(keys, {
    typed: (typed, isInSight) => (isConfirmation && !mayConfirm(typed, isInSight) ? refuse() : typed.forEach(press)),
    pasted: (text) => (isConfirmation ? refuse() : line.take(text)),
    left: leave,
    continued: () => stderr.write(question + (isSecret ? '' : safeLine(line.text()))),
  });
  signal?.addEventListener('abort', leave, { once: true });
  if (stop === undefined || signal?.aborted) leave();
  else stderr.write(question);
  return answer.finally(() => {
    stop?.();
    signal?.removeEventListener('abort', leave);
    stderr.write('\n');
  });
}

/** A line that is typed at its end, without moving the cursor. `echo` shows it. */
function createLine(echo: (text: string) => void) {
  let line = '';
  const eraseFrom = (start: number) => {
    const width = widthOf(line.slice(start));
    line = line.slice(0, start);
    echo('\b'.repeat(width) + ' '.repeat(width) + '\b'.repeat(width));
  };
  const lastCharacter = () => [...new Intl.Segmenter('en').segment(line)].at(-1)?.index ?? 0;
  const take = (text: string) => {
    line += text;
    echo(safeLine(text));
  };
  return {
    text: () => line,
    take,
    clear() {
      line = '';
    },
    press(key: string) {
      if (key === '\u007f' || key === '\b') eraseFrom(lastCharacter());
      else if (key === CTRL_U) eraseFrom(0);
      else if (!/^\p{Cc}/u.test(key)) take(key);
    },
  };
}
