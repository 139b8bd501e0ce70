import widthOf from 'fast-string-width';

import { safeLine } from '../safe-text.ts';
import type { Terminal } from '../streams.ts';
import { getLeaveReason, listen, PASTE_IGNORED, type Style } from './listen.ts';

const CTRL_U = '\u0015';

/** Creates questions of one line without movement, for screen readers and simple terminals. */
export function createLineStyle(io: Terminal): Style {
  const print = (line: string) => void io.options.stderr.write(`${line}\n`);
  return {
    async read({ kind, message, placeholder = '', validate }) {
      const hint = kind === 'secret' ? ' (not shown)' : placeholder && ` [${placeholder}]`;
      for (;;) {
        const answer = await readLine(`${message}${hint}: `, kind, io);
        const problem = validate?.(answer);
        if (problem === undefined) return answer;
        print(problem);
      }
    },
    async choose(message, choices) {
      print(message);
      for (const [index, { label, hint }] of choices.entries()) {
        const explanation = hint && ` (${hint})`;
        print(`  ${index + 1}. ${label}${explanation}`);
      }
      const range = `1 to ${choices.length}`;
      for (;;) {
        const typed = await readLine(`Number from ${range}: `, 'text', io);
        const numbered = /^\d+$/.test(typed) ? choices[Number(typed) - 1] : undefined;
        const choice = numbered ?? choices.find(({ value }) => value === typed);
        if (choice !== undefined) return choice.value;
        print(`Please type a number from ${range}.`);
      }
    },
  };
}

/** Reads and echoes one line. */
async function readLine(question: string, kind: string, io: Terminal): Promise<string> {
  const { stderr, signal } = io.options;
  const isSecret = kind === 'secret';
  const line = new Line();
  const echo = (text: string) => void (isSecret || stderr.write(text));
  let end: { resolve(text: string): void; reject(reason: unknown): void };
  const answer = new Promise<string>((resolve, reject) => {
    end = { resolve, reject };
  });
  const leave = () => end.reject(getLeaveReason(signal));
  const press = (key: string) => {
    if (key === '\r' || key === '\n') end.resolve(isSecret ? line.text : line.text.trim());
    else if (key === '\u001b') end.reject(getLeaveReason(signal, true));
    else echo(line.press(key));
  };

  const stop = await listen(io.keys, {
    isConfirmation: kind === 'confirmation',
    onTyped: (typed) => typed.forEach(press),
    onPasted: (text) => echo(line.add(text)),
    onRefused() {
      line.text = '';
      stderr.write(`\n${PASTE_IGNORED}\n${question}`);
    },
    onLeft: leave,
    onContinued: () => stderr.write(question + (isSecret ? '' : safeLine(line.text))),
  });
  signal.addEventListener('abort', leave, { once: true });
  if (stop === undefined || signal.aborted) leave();
  else stderr.write(question);
  return answer.finally(() => {
    stop?.();
    signal.removeEventListener('abort', leave);
    stderr.write('\n');
  });
}

/** A line that is typed at its end. Each change returns what shows it. */
class Line {
  text = '';

  add(text: string): string {
    this.text += text;
    return safeLine(text);
  }

  press(key: string): string {
    if (key === '\u007f' || key === '\b') {
      return this.#erase([...new Intl.Segmenter('en').segment(this.text)].at(-1)?.index ?? 0);
    }
    if (key === CTRL_U) return this.#erase(0);
    return /^\p{Cc}/u.test(key) ? '' : this.add(key);
  }

  #erase(start: number): string {
    const width = widthOf(this.text.slice(start));
    this.text = this.text.slice(0, start);
    return '\b'.repeat(width) + ' '.repeat(width) + '\b'.repeat(width);
  }
}
