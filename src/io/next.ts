import { lineWidth, safePieces, wrap } from './flow.ts';
import { INDENT, type Kit } from './kit.ts';
import type { NextStep } from './screen.ts';
import { code, dim } from './text.ts';

/** Commands are never broken, to be copied; what they are for stands behind them, or below where one has no room. */
export function drawNext(steps: readonly NextStep[], { view, paint }: Kit): string[] {
  if (!view.tty || steps.length === 0) return [];
  const lines = steps.map((step) => {
    const [command, purpose = ''] = typeof step === 'string' ? [step] : step;
    return { command: safePieces(code(command), view), purpose: safePieces(dim(purpose), view) };
  });
  const widest = Math.max(...lines.map(({ command }) => lineWidth(command))) + INDENT.length;
  const fits = lines.every(({ purpose }) => INDENT.length + widest + lineWidth(purpose) <= view.columns);
  const drawn = lines.flatMap(({ command, purpose }) => {
    if (lineWidth(purpose) === 0) return [INDENT + paint(command)];
    if (fits) return [INDENT + paint(command) + ' '.repeat(widest - lineWidth(command)) + paint(purpose)];
    const below = wrap(purpose, view.columns - 2 * INDENT.length);
    return [INDENT + paint(command), ...below.map((words) => INDENT + INDENT + paint(words))];
  });
  return [paint([{ text: 'Next', tone: 'dim' }]), ...drawn];
}
