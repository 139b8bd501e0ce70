// The command tree as completion scripts need it.

/** Every command of the tree, the root first, with the words behind `svc` that lead to it. */
export function commandsOf(tree) {
  const root = { words: [], summary: tree.summary, commands: tree.commands, options: [], arguments: [] };
  return [root, ...tree.commands.flatMap(flatten)].map((command) => ({
    ...command,
    // A group with a default takes the options of that command as well.
    options: [...command.options, ...(defaultOf(command)?.options ?? []), ...tree.globalOptions],
  }));
}

function flatten(command) {
  const words = command.path.split(' ').slice(1);
  return [{ ...command, words }, ...command.commands.flatMap(flatten)];
}

function defaultOf(command) {
  return command.commands.find((child) => child.isDefault);
}

/** What an option's or argument's value is: one of a list, a file, or anything. */
export function valueKind({ value, name, choices }) {
  if (choices.length > 0) return { kind: 'choices', choices };
  if (/file/.test(value ?? name ?? '')) return { kind: 'file' };
  return { kind: 'any' };
}

/** The first sentence of a description, on one line. */
export function brief(text) {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** The comment at the top of every generated script. */
export const GENERATED = 'Generated from the command tree by "npm run docs"; do not edit.';
