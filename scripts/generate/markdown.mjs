import { GENERATED, leavesOf } from './model.mjs';

const NOTE = `<!-- ${GENERATED} -->`;

/** docs/commands.md: every command with its arguments, options, examples and exit codes. */
export function commandReference(tree) {
  return `${NOTE}

# Commands

${headingsOf(tree)
  .map(([heading, leaves]) => `**${heading}**\n\n${leaves.map(indexRow).join('\n')}`)
  .join('\n\n')}

See also [exit codes](exit-codes.md), [JSON](json.md), [completion](completion.md), and
[what svc assumes about the service](assumptions.md).

## Global options

They work before and after a command.

${optionTable(tree.globalOptions)}

## Environment

A flag wins over the environment, then \`.svc.json\`, the profile, \`svc config\`, and the default.

${table(
  ['Variable', 'Meaning'],
  tree.environment.map(({ name, meaning }) => [codes(name), meaning]),
)}

${leavesOf(tree.commands).map(section).join('\n\n')}
`;
}

/** The exit codes, for docs/exit-codes.md and the README. */
export function exitCodeTable({ exitCodes }) {
  const rows = exitCodes.map(({ exit, code, meaning }) => [String(exit), code === '' ? '' : `\`${code}\``, meaning]);
  return table(['Exit', '`code` in the JSON error', 'Meaning'], rows);
}

/** docs/exit-codes.md */
export function exitCodes({ exitCodes, commands }) {
  const special = leavesOf(commands).flatMap(({ path, exitCodes }) =>
    exitCodes.map(({ code, meaning }) => [linkTo(path, 'commands.md'), String(code), meaning]),
  );
  return `${NOTE}

# Exit codes

Scripts can depend on them, and on the codes of the JSON error.

${exitCodeTable({ exitCodes })}

With a meaning of their own:

${table(['Command', 'Exit', 'Meaning'], special)}
`;
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

The public API reference does not specify everything. These are svc's defaults. Change one with \`SVC_ASSUME=name=value,...\` or \`svc config set assume.<name> <value>\`. \`SVC_ASSUME=job.done=+word\` adds a word to a list of words.

${table(['Name', 'Value', 'Where it is used'], rows)}
`;
}

/** The README's table of commands. */
export function readmeTable(tree) {
  const rows = leavesOf(tree.commands).map(({ path, summary }) => [linkTo(path, 'docs/commands.md'), summary]);
  return `\n${table(['Command', 'What it does'], rows)}\n`;
}

/** The commands that do something, under the headings of the help. */
function headingsOf({ commands }) {
  const headings = new Map();
  for (const command of commands) {
    headings.set(command.group, [...(headings.get(command.group) ?? []), ...leavesOf([command])]);
  }
  return [...headings];
}

function indexRow({ path, summary }) {
  return `- ${linkTo(path, '')}: ${summary}`;
}

function section({ path, description, usage, arguments: args, options, examples, exitCodes }) {
  return [
    `## ${path}`,
    `${description}.`,
    `\`\`\`\n${usage}\n\`\`\``,
    args.length > 0 &&
      table(
        ['Argument', 'Meaning'],
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
    ['Option', 'Meaning'],
    options.map(({ flags, description }) => [`\`${flags}\``, description]),
  );
}

function linkTo(path, file) {
  return `[\`${path}\`](${file}#${path.replaceAll(' ', '-')})`;
}

function codes(names) {
  return names
    .split(', ')
    .map((name) => `\`${name}\``)
    .join(', ');
}

function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => escaped(cell)).join(' | ')} |`;
  return [line(head), `|${head.map(() => ' --- ').join('|')}|`, ...rows.map(line)].join('\n');
}

/** A bar would end the cell; outside of code an angle bracket would begin a tag. */
function escaped(cell) {
  return cell.replaceAll('|', '\\|').replaceAll(/`[^`]*`|</g, (part) => (part === '<' ? '&lt;' : part));
}
