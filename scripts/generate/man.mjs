import { leavesOf } from './model.mjs';

/** @typedef {import('./model.mjs').Command} Command */

/**
 * man/svc.1, in the man macros that every system has.
 * @param {import('./model.mjs').Tree} tree
 */
export function manPage(tree) {
  return `${[
    `.TH SVC 1 "" "svc ${tree.version}" "User Commands"`,
    '.SH NAME',
    `svc \\- ${text(tree.description.replace(/^M/, 'm'))}`,
    '.SH SYNOPSIS',
    '.B svc\n.I command\n.RI [ options ]',
    '.SH DESCRIPTION',
    '.B svc sandbox tour\nshows every command at work; no account is needed.',
    '.br\n.B svc login --api-url\n.I url\nsigns in.'.replaceAll('--', '\\-\\-'),
    '.SH COMMANDS',
    ...leavesOf(tree.commands).map(section),
    '.SH GLOBAL OPTIONS',
    'They work before and after a command.',
    ...tree.globalOptions.map(option),
    '.SH ENVIRONMENT',
    ...tree.environment.map(({ name, meaning }) => term(name, meaning)),
    '.SH EXIT STATUS',
    ...tree.exitCodes.map(({ exit, meaning }) => term(String(exit), meaning)),
  ].join('\n')}\n`;
}

/** @param {Command} command */
function section({ usage, description, arguments: args, options, examples, exitCodes }) {
  return [
    `.SS ${text(usage)}`,
    prose(`${description}.`),
    ...args.map(({ name, description }) => term(name, description)),
    ...options.map(option),
    ...exitCodes.map(({ code, meaning }) => term(`Exit status ${code}`, meaning)),
    ...examples.map(
      ({ command, meaning }) =>
        `.PP\n${prose(capital(meaning))}:\n.PP\n.RS\n.nf\n${text(command)}\n.fi\n.RE`,
    ),
  ].join('\n');
}

/** @param {import('./model.mjs').Option} option */
function option({ flags, description }) {
  return term(flags, description);
}

/**
 * @param {string} head
 * @param {string} meaning
 */
function term(head, meaning) {
  return `.TP\n\\fB${text(head)}\\fR\n${prose(meaning)}`;
}

/** @param {string} words */
function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Text that troff fills itself, in short lines.
 * @param {string} words
 */
function prose(words) {
  return text(words.replaceAll(/(.{1,72})(?: +|$)/g, '$1\n').trimEnd());
}

/**
 * A backslash, a hyphen, and a dot or quote at the start of a line mean something to troff; not all
 * speak UTF-8.
 * @param {string} words
 */
function text(words) {
  return words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replaceAll(/^(?=[.'])/gm, '\\&');
}
