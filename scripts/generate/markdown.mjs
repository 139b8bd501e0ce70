import { GENERATED, leavesOf } from './model.mjs';

/** @typedef {import('./model.mjs').Command} Command */
/** @typedef {import('./model.mjs').Tree} Tree */

const NOTE = `<!-- ${GENERATED} -->`;

/**
 * docs/commands.md: every command with its arguments, options, examples and exit codes.
 * @param {Tree} tree
 */
export function commandReference(tree) {
  return `${NOTE}

# Commands

${headingsOf(tree)
  .map(([heading, leaves]) => `**${heading}**\n\n${leaves.map(indexRow).join('\n')}`)
  .join('\n\n')}

[JSON](json.md) describes what the commands print with \`--json\`. \`svc help assumptions\` lists what svc assumes about the API, and how to change it.

## Global options

They work before and after a command.

${optionTable(tree.globalOptions)}

## Environment

A flag wins over the environment, then \`.svc.json\`, the profile, \`svc config\`, and the default.

${table(
  ['Variable', 'Meaning'],
  tree.environment.map(({ name, meaning }) => [codes(name), meaning]),
)}

## Exit codes

Scripts can depend on them, and on the codes of the JSON error. Where a code has a meaning of its own, the command says so below.

${exitCodeTable(tree)}

${leavesOf(tree.commands).map(section).join('\n\n')}
`;
}

/**
 * The exit codes, as a table.
 * @param {Pick<Tree, 'exitCodes'>} tree
 */
function exitCodeTable({ exitCodes }) {
  const rows = exitCodes.map(({ exit, code, meaning }) => [
    String(exit),
    code === '' ? '' : `\`${code}\``,
    meaning,
  ]);
  return table(['Exit', '`code` in the JSON error', 'Meaning'], rows);
}

/**
 * The commands that do something, under the headings of the help.
 * @param {Tree} tree
 */
function headingsOf({ commands }) {
  /** @type {Map<string, readonly Command[]>} */
  const headings = new Map();
  for (const command of commands) {
    headings.set(command.group, [...(headings.get(command.group) ?? []), ...leavesOf([command])]);
  }
  return [...headings];
}

/** @param {Command} command */
function indexRow({ path, summary }) {
  return `- ${linkTo(path, '')}: ${summary}`;
}

/** @param {Command} command */
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

/** @param {readonly import('./model.mjs').Option[]} options */
function optionTable(options) {
  return table(
    ['Option', 'Meaning'],
    options.map(({ flags, description }) => [`\`${flags}\``, description]),
  );
}

/**
 * @param {string} path
 * @param {string} file
 */
function linkTo(path, file) {
  return `[\`${path}\`](${file}#${path.replaceAll(' ', '-')})`;
}

/** @param {string} names */
function codes(names) {
  return names
    .split(', ')
    .map((name) => `\`${name}\``)
    .join(', ');
}

/**
 * @param {readonly string[]} head
 * @param {ReadonlyArray<readonly string[]>} rows
 */
function table(head, rows) {
  const line = (/** @type {readonly string[]} */ cells) =>
    `| ${cells.map((cell) => escaped(cell)).join(' | ')} |`;
  return [line(head), `|${head.map(() => ' --- ').join('|')}|`, ...rows.map(line)].join('\n');
}

/**
 * A bar would end the cell; outside of code an angle bracket would begin a tag.
 * @param {string} cell
 */
function escaped(cell) {
  return cell
    .replaceAll('|', '\\|')
    .replaceAll(/`[^`]*`|</g, (part) => (part === '<' ? '&lt;' : part));
}
