import { usageError } from '../errors.ts';
import type { Choice, PromptOptions, Prompts } from './questions.ts';
import { safeLine } from './safe-text.ts';

/** Questions on stderr, answered on stdin. Most runs ask nothing, so what asks is loaded with the first question. */
export function createPrompts(options: PromptOptions): Prompts {
  const ready = async (): Promise<Prompts> => {
    if (!options.allowed()) throw usageError('This needs an answer, but svc cannot ask questions here.');
    options.signal?.throwIfAborted();
    return options.moves()
      ? (await import('./prompt-clack.ts')).createClackPrompts(options)
      : (await import('./prompt-line.ts')).createLinePrompts(options);
  };
  return {
    confirm: async (question, given) => (await ready()).confirm(safeLine(question), given),
    select: async (question, choices, given) =>
      (await ready()).select(safeLine(question), choices.map(safeChoice), given),
    ask: async (question, given) => (await ready()).ask(safeLine(question), given),
    askSecret: async (question, given) => (await ready()).askSecret(safeLine(question), given),
  };
}

function safeChoice<T extends string>({ value, label = value, hint }: Choice<T>): Choice<T> {
  const safe = { value, label: safeLine(label) };
  return hint === undefined ? safe : { ...safe, hint: safeLine(hint) };
}
