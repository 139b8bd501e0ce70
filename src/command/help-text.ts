import type { Command, Help } from 'commander';
import {
  type CommandDescription,
  describeCommand,
  describeGlobalOptions,
  nameOf,
  type OptionDescription,
} from './describe.ts';
import { drawSections, type Row, type Section, wrapText } from './help-layout.ts';
import { usageOf } from './usage.ts';

/**
 * The help text of a command: how it is typed, what belongs to it, the options of every command, examples.
 * `more` are the last sections.
 */
export function helpText(command: Command, help: Help, more: readonly Section[]): string {
  const sections = [...(command.parent ? sectionsOf(command) : rootSections(command)), ...more];
  const head = [`Usage: ${usageOf(command)}`, wrapText(`${command.description()}.`, 0, help).join('\n')];
  return `${[...head, ...drawSections(sections, help)].join('\n\n')}\n`;
}

function rootSections(program: Command): Section[] {
  const groups = grouped(program.commands.map(describeCommand));
  const commands = groups.map(([title, members]) => ({ title, column: 'commands', rows: members.map(summaryRow) }));
  return [...commands, globalOptions(program)];
}

function sectionsOf(command: Command): Section[] {
  const described = describeCommand(command);
  const standIn = described.commands.find(({ isDefault }) => isDefault);
  const { examples, exitCodes } = standIn ?? described;
  return [
    { title: 'Commands', rows: described.commands.map(commandRow) },
    {
      title: 'Arguments',
      column: 'options',
      rows: described.arguments.map(({ name, description }) => [name, description]),
    },
    ...grouped(described.options).map(([title, members]) => optionSection(title, members)),
    ...(standIn ? [optionSection(`Options of "${standIn.path}"`, standIn.options)] : []),
    globalOptions(rootOf(command)),
    { title: 'Examples', lines: examples.flatMap(({ command, meaning }) => [`  # ${meaning}`, `  $ ${command}`]) },
    { title: 'Exit codes', rows: exitCodes.map(({ code, meaning }) => [String(code), meaning]) },
  ];
}

function globalOptions(program: Command): Section {
  return { ...optionSection('Global options', describeGlobalOptions(program)), column: 'global' };
}

function optionSection(title: string, options: readonly OptionDescription[]): Section {
  return { title, column: 'options', rows: options.map(({ flags, description }) => [flags, description]) };
}

function summaryRow(command: CommandDescription): Row {
  return [nameOf(command), command.summary];
}

/** A subcommand with the arguments that it needs. */
function commandRow(command: CommandDescription): Row {
  const needed = command.arguments.filter(({ required }) => required).map(({ name }) => `<${name}>`);
  return [[nameOf(command), ...needed].join(' '), command.isDefault ? `${command.summary} (default)` : command.summary];
}

function rootOf(command: Command): Command {
  return command.parent ? rootOf(command.parent) : command;
}

function grouped<Member extends { readonly group: string }>(members: readonly Member[]): Array<[string, Member[]]> {
  const groups = new Map<string, Member[]>();
  for (const member of members) groups.set(member.group, [...(groups.get(member.group) ?? []), member]);
  return [...groups];
}
