// The command tree as the reference and the man page need it.

/** The comment at the top of every generated file. */
export const GENERATED = 'Generated from the commands by "npm run docs"; do not edit.';

/** The commands that do something. */
export function leavesOf(commands) {
  return commands.flatMap((command) => (command.commands.length === 0 ? [command] : leavesOf(command.commands)));
}
