import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { type PromptOptions, type Prompts, whyLeft } from './prompts.ts';

/** An accepted answer, or the reason to ask again. */
type Reading<T> = { readonly answer: T } | string;

/** Prompts of one line without movement, for screen readers and simple terminals. */
export function createLinePrompts(options: PromptOptions): Prompts {
  const print = (line: string) => void options.stderr.write(`${line}\n`);
  const askUntil = async <T>(question: string, secret: boolean, read: (typed: string) => Reading<T>): Promise<T> => {
    for (;;) {
      const reading = read(await readLine(question, secret, options));
      if (typeof reading !== 'string') return reading.answer;
      print(reading);
    }
  };
  return {
    confirm: (question) =>
      askUntil(`${question} [y/N] `, false, (typed) => {
        if (/^y(es)?$/i.test(typed)) return { answer: true };
        return /^(no?)?$/i.test(typed) ? { answer: false } : 'Please answer yes or no.';
      }),
    select: (question, choices) => {
      print(question);
      choices.forEach(({ value, label = value, hint }, index) => {
        print(`  ${index + 1}. ${label}${hint === undefined ? '' : ` (${hint})`}`);
      });
      return askUntil(`Number from 1 to ${choices.length}: `, false, (typed) => {
        const choice = /^\d+$/.test(typed) ? choices[Number(typed) - 1] : choices.find(({ value }) => value === typed);
        return choice ? { answer: choice.value } : `Please type a number from 1 to ${choices.length}.`;
      });
    },
    ask: (question, { placeholder, validate } = {}) =>
      askUntil(`${question}${placeholder === undefined ? '' : ` [${placeholder}]`}: `, false, (answer) => {
        return validate?.(answer) ?? { answer };
      }),
    askSecret: (question, { validate } = {}) =>
      askUntil(`${question} (not shown): `, true, (answer) => validate?.(answer) ?? { answer }),
  };
}

async function readLine(question: string, secret: boolean, { stdin, stderr, signal }: PromptOptions): Promise<string> {
  // Readline reports only an end that comes after it starts.
  if (stdin.readableEnded || stdin.destroyed) throw whyLeft(signal);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  // Readline turns the terminal's echo off, so it starts before the question is shown.
  const lines = createInterface({ input: stdin, output: silent, terminal: secret });
  let hasEnded = false;
  stderr.write(question);
  return new Promise<string>((resolve, reject) => {
    const leave = () => reject(whyLeft(signal));
    lines.once('line', (line) => {
      hasEnded = !secret;
      resolve(secret ? line : line.trim());
    });
    lines.once('SIGINT', leave);
    lines.once('close', leave);
    // After `fg`, a secret is read on only if asked to.
    lines.on('SIGCONT', () => {
      stderr.write(question);
      lines.resume();
    });
    signal?.addEventListener('abort', leave, { once: true });
  }).finally(() => {
    // No newline is echoed for a secret, or for a question that is left.
    if (!hasEnded) stderr.write('\n');
    lines.close();
  });
}
