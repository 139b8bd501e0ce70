import { getOptions } from '../cli/define/command.ts';
import { longName } from '../cli/values/parameters.ts';
import type { Serving, Tool } from './tools.ts';

/**
 * Puts a text of svc into words for a model: options become arguments, and what speaks of the shell
 * is left out. Returns an empty text if nothing remains.
 */
export function toToolWords(text: string, tool: Tool, { tree }: Serving): string {
  const commands = tree.map(({ name }) => name).join('|');
  const shell = new RegExp(`(?<![\\w<-])--?[a-z]|\\bSVC_[A-Z]|\\bsvc (?:${commands})\\b`);
  const isForTools = (part: string) => !shell.test(part);

  const named = nameArguments(text, tool);
  const withoutAsides = named.replace(/ \([^()]*\)/g, (aside) => (isForTools(aside) ? aside : ''));
  return withoutAsides
    .split(/(?<=[.!?:]) (?=[A-Z"])/)
    .filter(isForTools)
    .join(' ');
}

/** Writes the options of a tool as the arguments that they are: `--skip-invalid` is `skipInvalid`. */
function nameArguments(text: string, { command, arguments: taken }: Tool) {
  const names = new Map([
    ['--org', 'org'],
    ['--jq', 'jq'],
  ]);
  const options = getOptions(command);
  for (const { key, name } of taken) {
    const option = options[key];
    if (option !== undefined) names.set(longName(key, option), name);
  }
  return text.replace(/(?<![\w-])--[a-z-]+/g, (option) => names.get(option) ?? option);
}
