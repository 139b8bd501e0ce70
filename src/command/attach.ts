import { Command } from 'commander';
import { type Attach, type CommandSpec, camelCase, type Declaration, declareSpec } from './declaration.ts';
import type { Perform } from './perform.ts';

/** What of a command's specification the generated documentation needs. */
export type CommandNotes = Pick<CommandSpec<never, never>, 'examples' | 'exitCodes'>;

const notes = new WeakMap<Declaration, CommandNotes>();

/** The examples and exit codes of a command, as its file wrote them. */
export function notesOf(command: Command): CommandNotes {
  return notes.get(command) ?? { examples: [] };
}

/** Makes the `attach` for commands of commander. */
export function createAttach(perform: Perform): Attach {
  return (command, spec) => {
    if (!(command instanceof Command)) throw new TypeError('not a command of commander');
    notes.set(command, spec);
    declareSpec(command, spec);
    command.action(() => perform(spec, command.optsWithGlobals(), readOptions(command)));
  };
}

/** The arguments by name beside the options: what `XOptions` describes. */
function readOptions(command: Command): Readonly<Record<string, unknown>> {
  const options: Record<string, unknown> = { ...command.opts() };
  command.registeredArguments.forEach((argument, index) => {
    const value: unknown = command.processedArgs[index];
    if (value !== undefined) options[camelCase(argument.name())] = value;
  });
  return options;
}
