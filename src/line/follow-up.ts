import { shellWord } from '../shell-line.ts';
import type { Block, NextStep } from '../terminal/screen.ts';

/** Commands about this machine: their flags mean something else, or choose nothing. */
const LOCAL = /^svc (?:login|logout|link|unlink|profiles|config|completion|sandbox|help)\b/;
const TARGETED = / --(?:profile|api-url|org) /;

/**
 * Suggests commands for the account and organization that this one was for.
 * @param flags those that chose them, as they were typed
 */
export function followUps(blocks: readonly Block[], flags: readonly string[]): readonly Block[] {
  const more = flags.map((word) => shellWord(word));
  const same = (line: string) =>
    line.startsWith('svc ') && !LOCAL.test(line) && !TARGETED.test(line) ? [line, ...more].join(' ') : line;
  const targeted = (step: NextStep): NextStep => (typeof step === 'string' ? same(step) : [same(step[0]), step[1]]);
  return blocks.map((block) => (block.kind === 'next' ? { ...block, steps: block.steps.map(targeted) } : block));
}
