import { safeLine } from '../safe-text.ts';
import type { Prompts } from '../terminal.ts';
import { createClackStyle } from './clack.ts';
import { createLineStyle } from './line.ts';
import type { Style, StyleOptions } from './listen.ts';

/** Prompts that redraw themselves if the terminal `moves`, or are single lines. */
export function createPrompts(moves: boolean, options: StyleOptions): Prompts {
  const style: Style = moves ? createClackStyle(options) : createLineStyle(options);
  const withBack = (question: string, isBack = false) =>
    safeLine(question) + (isBack ? ' (Esc: back)' : '');
  return {
    async confirm(question, { word = false } = {}) {
      const answer = await style.read({
        kind: 'confirmation',
        message: safeLine(question) + (word ? ' Type yes to confirm' : ' [y/N]'),
        check: (typed) => (word && !isYesOrNo(typed) ? 'Type yes, or press Esc.' : undefined),
      });
      return (word ? YES : /^y(es)?$/i).test(answer.trim());
    },
    async select(question, choices, { back } = {}) {
      const safe = choices.map(({ value, label = value, hint = '' }) => ({
        value,
        label: safeLine(label),
        hint: safeLine(hint),
      }));
      return style.choose(withBack(question, back), safe);
    },
    ask: (question, { placeholder = '', validate = () => undefined, seen = [], back } = {}) =>
      style.read({
        kind: 'text',
        message: withBack(question, back),
        placeholder,
        seen: seen.map(safeLine),
        check: validate,
      }),
    askSecret: (question, { validate = () => undefined } = {}) =>
      style.read({ kind: 'secret', message: safeLine(question), check: validate }),
  };
}

const YES = /^yes$/i;

/** Enter alone is No. */
function isYesOrNo(typed: string): boolean {
  return YES.test(typed.trim()) || /^(?:no?)?$/i.test(typed.trim());
}
