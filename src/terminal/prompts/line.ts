import widthOf from 'fast-string-width';

import { safeLine } from '../safe-text.ts';
import {
  getLeaveReason,
  listen,
  mayConfirm,
  PASTE_IGNORED,
  type Style,
  type StyleOptions,
} from './listen.ts';

const CTRL_U = '\u0015';

/** Questions of one line without movement, for screen readers and simple terminals. */
export function createLineStyle(options: StyleOptions): Style {
  const print = (line: string) => void options.stderr.write(`${line}\n`);
  return {
    async read({ kind, message, placeholder = '', check }) {
      const hint = kind === 'secret' ? ' (not shown)' : placeholder && ` [${placeholder}]`;
      for (;;) {
        const answer = await readLine(`${message}${hint}: `, kind, options);
        const fault = check(answer);
        if (fault === undefined) return answer;
        print(fault);
      }
    },
    async choose(message, choices) {
      print(message);
      for (const [index, { label, hint }] of choices.entries()) {
        print(`  ${index + 1}. ${label}${hint && ` (${hint})`}`);
      }
      const chosenBy = (typed: string) =>
        /^\d+$/.test(typed)
          ? choices[Number(typed) - 1]
          : choices.find(({ value }) => value === typed);
      const range = `1 to ${choices.length}`;
      for (;;) {
        const choice = chosenBy(await readLine(`Number from ${range}: `, 'text', options));
        if (choice !== undefined) return choice.value;
        print(`Please type a number from ${range}.`);
      }
    },
  };
}

/** Reads and echoes one line. */
async function readLine(
  question: string,
  kind: string,
  { keys, stderr, signal }: StyleOptions,
): Promise<string> {
  const [isSecret, isConfirmation] = [kind === 'secret', kind === 'confirmation'];
  const line = createLine((text) => void (isSecret || stderr.write(text)));
  let [resolve, reject]: [(line: string) => void, (reason: unknown) => void] = [() => {}, () => {}];
  const answer = new Promise<string>((...both) => {
    [resolve, reject] = both;
  });
  const leave = () => reject(getLeaveReason(signal));
  const refuse = () => {
    line.clear();
    stderr.write(`\n${PASTE_IGNORED}\n${question}`);
  };
  const press = (key: string) => {
    if (key === '\r' || key === '\n') resolve(isSecret ? line.text() : line.text().trim());
    else if (key === '\u001b') reject(getLeaveReason(signal, true));
    else line.press(key);
  };
  const stop = await listen(keys, {
    typed: (typed, isInSight) =>
      isConfirmation && !mayConfirm(typed, isInSight) ? refuse() : typed.forEach(press),
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

/** A line that is typed at its end. */
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
