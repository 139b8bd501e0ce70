// The command tree as the reference and the man page need it.

/** @typedef {import('../../src/cli/help/describe.ts').CommandDescription} Command */
/** @typedef {import('../../src/cli/help/describe.ts').OptionDescription} Option */

/**
 * What `svc help --json` prints.
 * @typedef {object} Tree
 * @property {string} version
 * @property {string} description
 * @property {readonly Option[]} globalOptions
 * @property {ReadonlyArray<{ name: string, meaning: string }>} environment
 * @property {ReadonlyArray<{ exit: number, code: string, meaning: string }>} exitCodes
 * @property {ReadonlyArray<{ name: string, value: string, note: string }>} assumptions
 * @property {readonly Command[]} commands
 */

/** The comment at the top of every generated file. */
export const GENERATED = 'Generated from the commands by "npm run docs"; do not edit.';

/**
 * The commands that do something.
 * @param {readonly Command[]} commands
 * @returns {readonly Command[]}
 */
export function leavesOf(commands) {
  return commands.flatMap((command) =>
    command.commands.length === 0 ? [command] : leavesOf(command.commands),
  );
}
