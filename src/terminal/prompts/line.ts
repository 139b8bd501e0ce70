import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import { cancelled, type PromptOptions, type Prompts } from './prompts.ts';

/**
 * Questions without movement, for screen readers and simple terminals: a line, and the answer typed behind it. An answer
 * that is not understood is asked for again.
 */
export function createLinePrompts(options: PromptOptions): Prompts {
  const { stderr } = options;
  const say = (line: string) => void stderr.write(`${line}\n`);
  const until = async <T>(question: string, secret: boolean, read: (answer: string) => T | Refusal): Promise<T> => {
    for (;;) {
      const answer = read(await readLine(question, secret, options));
      if (!(answer instanceof Refusal)) return answer;
      say(answer.reason);
    }
  };
  return {
    confirm: (question, { default: usual = false } = {}) =>
      until(`${question} [${usual ? 'Y/n' : 'y/N'}] `, false, (answer) => {
        if (answer === '') return usual;
        if (/^y(es)?$/i.test(answer)) return true;
        return /^no?$/i.test(answer) ? false : new Refusal('Please answer yes or no.');
      }),
    select: (question, choices, { default: usual } = {}) => {
      say(question);
      choices.forEach(({ value, label = value, hint }, index) => {
        say(`  ${index + 1}. ${label}${hint === undefined ? '' : ` (${hint})`}`);
      });
      const first = usual === undefined ? '' : ` [${choices.findIndex(({ value }) => value === usual) + 1}]`;
      return until(`Number from 1 to ${choices.length}${first}: `, false, (answer) => {
        if (answer === '' && usual !== undefined) return usual;
        const choice = /^\d+$/.test(answer)
          ? choices[Number(answer) - 1]
          : choices.find(({ value }) => value === answer);
        return choice?.value ?? new Refusal(`Please type a number from 1 to ${choices.length}.`);
      });
    },
    ask: (question, { default: usual, placeholder, validate } = {}) => {
      const hint = usual ?? placeholder;
      return until(`${question}${hint === undefined ? '' : ` [${hint}]`}: `, false, (typed) =>
        checked(typed || usual || '', validate),
      );
    },
    askSecret: (question, { validate } = {}) =>
      until(`${question} (not shown): `, true, (typed) => checked(typed, validate)),
  };
}

class Refusal {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

function checked(answer: string, validate: ((answer: string) => string | undefined) | undefined): string | Refusal {
  const reason = validate?.(answer);
  return reason === undefined ? answer : new Refusal(reason);
}

async function readLine(question: string, secret: boolean, { stdin, stderr, signal }: PromptOptions): Promise<string> {
  // An input that has ended before the question never says so again.
  if (stdin.readableEnded || stdin.destroyed) throw cancelled();
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  // The question comes when the terminal has stopped to echo.
  const lines = createInterface({ input: stdin, output: silent, terminal: secret });
  stderr.write(question);
  return new Promise<string>((resolve, reject) => {
    const leave = () => reject(signal?.aborted ? signal.reason : cancelled());
    lines.once('line', (line) => resolve(secret ? line : line.trim()));
    lines.once('SIGINT', leave);
    lines.once('close', leave);
    signal?.addEventListener('abort', leave, { once: true });
  }).finally(() => end(lines, secret, stderr));
}

function end(lines: Interface, secret: boolean, stderr: Writable): void {
  // Nothing was echoed, the newline neither.
  if (secret) stderr.write('\n');
  lines.close();
}
