// The command tree as completion scripts need it.

/** The comment at the top of every generated file. */
export const GENERATED = 'Generated from the command tree by "npm run docs"; do not edit.';

/**
 * Every command of the tree, the root first.
 * @returns {Array<{ words: string[], commands: object[], options: object[], arguments: object[], summary: string }>}
 * `words` lead to it; a group with a default command takes the options of that as well.
 */
export function commandsOf(tree) {
  const root = { words: [], summary: tree.description, commands: tree.commands, options: [], arguments: [] };
  return [root, ...tree.commands.flatMap(flatten)].map((command) => {
    const standIn = command.commands.find(({ isDefault }) => isDefault);
    return { ...command, options: [...command.options, ...(standIn?.options ?? []), ...tree.globalOptions] };
  });
}

function flatten(command) {
  return [{ ...command, words: command.path.split(' ').slice(1) }, ...command.commands.flatMap(flatten)];
}

/** The commands that do something. */
export function leavesOf(commands) {
  return commands.flatMap((command) => (command.commands.length === 0 ? [command] : leavesOf(command.commands)));
}

/** The topics of `svc help`. */
export function topicsOf(tree) {
  return tree.topics.map(({ name }) => name);
}

/** The last word of a command. */
export function nameOf({ path }) {
  return path.split(' ').at(-1);
}

/** The names of an option, the short one first. */
export function namesOf({ short, long }) {
  return [short, long].filter(Boolean);
}

/** Values that svc keeps in a file each, by the option or argument that takes them. */
const KNOWN = {
  '--profile': 'profiles',
  '--org': 'orgs',
  '--service': 'services',
  service: 'services',
  organization: 'orgs',
};

/**
 * What can be offered for the value of an option or an argument: `words`, `file`, `command`, `about`, names of a `known`
 * kind, or nothing (`any`).
 */
export function offerOf({ long, name, value, choices }, path = '') {
  if (choices.length > 0) return { kind: 'words', words: choices };
  if (/file/.test(value ?? name)) return { kind: 'file' };
  if (path === 'svc sandbox exec') return { kind: 'command' };
  if (path === 'svc help') return { kind: 'about' };
  const known = path.startsWith('svc profiles ') ? 'profiles' : KNOWN[long ?? name];
  return known === undefined ? { kind: 'any' } : { kind: 'known', known };
}

/** Whether an option has a value that must follow. */
export function takesValue({ flags, value }) {
  return value !== undefined && flags.endsWith('>');
}

/**
 * Every option that takes a value, by name. An option means the same wherever it stands; scripts rely on that.
 * @returns {Map<string, object>} name to option
 */
export function valueOptionsOf(tree) {
  const found = new Map();
  for (const option of commandsOf(tree).flatMap(({ options }) => options)) {
    for (const name of namesOf(option)) {
      const before = found.get(name) ?? option;
      const differ = takesValue(before) !== takesValue(option) || describeOffer(before) !== describeOffer(option);
      if (differ) throw new Error(`${name} does not take the same values everywhere`);
      found.set(name, option);
    }
  }
  return new Map([...found].filter(([, option]) => takesValue(option)));
}

function describeOffer(option) {
  return JSON.stringify(offerOf(option));
}
