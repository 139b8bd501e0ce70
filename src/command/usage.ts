import type { Argument, Command } from 'commander';

/** commander keeps the default subcommand's name on its parent, without a public reader. */
export function isDefault(command: Command): boolean {
  const parent = command.parent as (Command & { readonly _defaultCommandName?: string | null }) | null;
  return parent?._defaultCommandName === command.name();
}

/** The words that are typed to reach a command. */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

/** How a command is typed, with its options behind its arguments. */
export function usageOf(command: Command): string {
  const hasDefault = command.commands.some(isDefault);
  const subcommand = command.commands.length === 0 ? '' : hasDefault ? '[command]' : '<command>';
  const words = command.registeredArguments.map(argumentTerm);
  const written = command.usage().includes('--') ? [command.usage()] : [subcommand, ...words, '[options]'];
  return [pathOf(command), ...written].filter(Boolean).join(' ');
}

function argumentTerm(argument: Argument): string {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
}
