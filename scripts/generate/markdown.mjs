import { GENERATED } from './model.mjs';

const NOTE = `<!-- ${GENERATED} -->`;

/** docs/commands.md: every command with its arguments, options and examples. */
export function commandReference(tree) {
  const leaves = leavesOf(tree.commands);
  return `${NOTE}

# Commands

${leaves.map(({ path, summary }) => `- [\`${path}\`](#${path.replaceAll(' ', '-')}): ${summary}`).join('\n')}

## Global options

They work before and after a subcommand.

${optionTable(tree.globalOptions)}

${leaves.map(section).join('\n\n')}
`;
}

/** docs/exit-codes.md */
export function exitCodes({ exitCodes }) {
  const rows = exitCodes.map(({ exit, code, meaning }) => [exit, code === '' ? '' : `\`${code}\``, meaning]);
  return `${NOTE}\n\n# Exit codes\n\n${table(['Exit', '`code` in the JSON error', 'Meaning'], rows)}\n`;
}

/** docs/assumptions.md */
export function assumptions({ assumptions }) {
  const rows = assumptions.map(({ name, value, note }) => [
    `\`${name}\``,
    value === '' ? '(found)' : `\`${value}\``,
    note,
  ]);
  return `${NOTE}

# What svc assumes about the service

The API document does not show these. Change one with \`SVC_ASSUME=name=value,...\` or \`svc config set assume.<name> <value>\`.

${table(['Name', 'Value', 'Where it is used'], rows)}
`;
}

/** The README's table of commands. */
export function readmeTable(tree) {
  const rows = leavesOf(tree.commands).map(({ path, summary }) => [
    `[\`${path}\`](docs/commands.md#${path.replaceAll(' ', '-')})`,
    summary,
  ]);
  return `\n${table(['Command', 'What it does'], rows)}\n`;
}

function section({ path, summary, usage, arguments: args, options, examples, exitCodes }) {
  return [
    `## ${path}`,
    `${summary}.`,
    `\`\`\`\n${usage}\n\`\`\``,
    args.length > 0 &&
      table(
        ['Argument', ''],
        args.map(({ name, description }) => [`\`${name}\``, description]),
      ),
    options.length > 0 && optionTable(options),
    examples.length > 0 &&
      `\`\`\`sh\n${examples.map(({ command, meaning }) => `# ${meaning}\n${command}`).join('\n')}\n\`\`\``,
    exitCodes.length > 0 &&
      table(
        ['Exit code', 'Meaning here'],
        exitCodes.map(({ code, meaning }) => [String(code), meaning]),
      ),
  ]
    .filter(Boolean)
    .join('\n\n');
}

function optionTable(options) {
  return table(
    ['Option', ''],
    options.map(({ flags, description, choices }) => [`\`${flags}\``, describe(description, choices)]),
  );
}

function describe(description, choices) {
  return choices.length === 0 ? description : `${description} (${choices.map((choice) => `\`${choice}\``).join(', ')})`;
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${head.map(() => ' --- ').join('|')}|`, ...rows.map(line)].join('\n');
}

function leavesOf(commands) {
  return commands.flatMap((command) => (command.commands.length === 0 ? [command] : leavesOf(command.commands)));
}
