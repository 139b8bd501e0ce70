import { GENERATED } from './model.mjs';

/** man/svc.1, in the man macros that every system has. */
export function manPage(tree) {
  const leaves = leavesOf(tree.commands);
  return `.\\" ${GENERATED}
.TH SVC 1 "" "svc ${tree.version}" "svc"
.SH NAME
svc \\- ${escape(lower(tree.summary))}
.SH SYNOPSIS
.B svc
.I command
.RI [ options ]
.SH COMMANDS
${leaves.map(section).join('\n')}
.SH GLOBAL OPTIONS
${tree.globalOptions.map(option).join('\n')}
.SH ENVIRONMENT
${tree.environment.map(({ name, meaning }) => term(`\\fB${escape(name)}\\fR`, meaning)).join('\n')}
.SH EXIT STATUS
${tree.exitCodes.map(({ exit, meaning }) => term(`\\fB${exit}\\fR`, meaning)).join('\n')}
`;
}

function section({ usage, summary, options, examples }) {
  return [
    `.SS ${escape(usage)}`,
    escape(`${summary}.`),
    ...options.map(option),
    ...examples.map(({ command, meaning }) => `.PP\n${escape(meaning)}:\n.PP\n.RS\n.nf\n${escape(command)}\n.fi\n.RE`),
  ].join('\n');
}

function option({ flags, description }) {
  return term(`\\fB${escape(flags)}\\fR`, description);
}

function term(head, text) {
  return `.TP\n${head}\n${escape(text)}`;
}

/** A backslash, a hyphen, and a dot or quote at the start of a line mean something to troff. */
function escape(text) {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=[.'])/gm, '\\&');
}

function lower(text) {
  return `${text.charAt(0).toLowerCase()}${text.slice(1).replace(/\.$/, '')}`;
}

function leavesOf(commands) {
  return commands.flatMap((command) => (command.commands.length === 0 ? [command] : leavesOf(command.commands)));
}
