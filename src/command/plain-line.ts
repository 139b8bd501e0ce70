import { type CommandSpec, declareSpec, type Entry, isGroup, type Leaf } from './declaration.ts';
import { addGlobalOptions } from './globals.ts';
import { PlainCommand } from './plain-command.ts';

/** A command line as it was understood. */
export interface PlainLine {
  readonly spec: CommandSpec<unknown, unknown>;
  /** The options of the command and the global ones. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** The options and the arguments of the command. */
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * Reads a command line that leaves no doubt: the names of a command, and options and values as they are declared.
 * commander could say no more of it, and to load it takes as long as the request of most commands. It is for all others:
 * help, mistakes, abbreviations, `--`. Both read a plain line alike, which a test makes sure of.
 * @returns what commander would hand over; `undefined` where the line is not plain.
 */
export async function readPlainLine(argv: readonly string[], tree: readonly Entry[]): Promise<PlainLine | undefined> {
  const globals = new PlainCommand();
  addGlobalOptions(globals);
  let entries = tree;
  let command: PlainCommand | undefined;
  const words = [...argv];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word.startsWith('-')) {
      if (!(command?.take(word, words) || globals.take(word, words))) return undefined;
    } else if (command === undefined) {
      const entry = entries.find(({ name }) => name === word);
      if (entry === undefined) return undefined;
      if (isGroup(entry)) entries = entry.children;
      else command = await declared(entry);
    } else command.words.push(word);
  }
  const given = command?.argumentsGiven();
  if (command?.spec === undefined || given === undefined) return undefined;
  return {
    spec: command.spec,
    flags: { ...command.values, ...globals.values },
    options: { ...command.values, ...given },
  };
}

async function declared(leaf: Leaf): Promise<PlainCommand | undefined> {
  const parent = new PlainCommand();
  const { define } = await leaf.load();
  define(parent, (command, spec) => {
    declareSpec(command, spec);
    parent.child?.runs(spec);
  });
  return parent.child;
}
