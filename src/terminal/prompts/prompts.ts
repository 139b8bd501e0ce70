import { safeLine } from '../safe-text.ts';
import type { Prompts } from '../terminal.ts';
import type { Style } from './listen.ts';

/** Creates prompts; `ask` opens the style for one question. */
export function createPrompts(
  ask: <T>(question: (style: Style) => Promise<T>) => Promise<T>,
): Prompts {
  const withBack = (question: string, isBack = false) =>
    safeLine(question) + (isBack ? ' (Esc: back)' : '');
  return {
    async confirm(question, { word = false } = {}) {
      const answer = await ask(({ read }) =>
        read({
          kind: 'confirmation',
          message: safeLine(question) + (word ? ' Type yes to confirm' : ' [y/N]'),
          check: (typed) => (word && !isYesOrNo(typed) ? 'Type yes, or press Esc.' : undefined),
        }),
      );
      return (word ? YES : /^y(es)?$/i).test(answer.trim());
    },
    select(question, choices, { back } = {}) {
      const safe = choices.map(({ value, label = value, hint = '' }) => ({
        value,
        label: safeLine(label),
        hint: safeLine(hint),
      }));
      return ask(({ choose }) => choose(withBack(question, back), safe));
    },
    ask: (question, { placeholder, validate = () => undefined, seen = [], back } = {}) =>
      ask(({ read }) =>
        read({
          kind: 'text',
          message: withBack(question, back),
          placeholder,
          seen: seen.map(safeLine),
          check: validate,
        }),
      ),
    askSecret: (question, { validate = () => undefined } = {}) =>
      ask(({ read }) => read({ kind: 'secret', message: safeLine(question), check: validate })),
  };
}

const YES = /^yes$/i;

/** Enter alone is No. */
function isYesOrNo(typed: string): boolean {
  return YES.test(typed.trim()) || /^(?:no?)?$/i.test(typed.trim());
}
