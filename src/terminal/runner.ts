import { type Env, isOn } from '../environment.ts';

/** What is written: text for people, JSON, or data that another program reads byte by byte, such as CSV. */
export type Form = 'text' | 'json' | 'raw';

/** GitHub Actions, Azure Pipelines and TeamCity: they carry out commands that they find in what a step prints. */
const RUNNERS = ['GITHUB_ACTIONS', 'TF_BUILD', 'TEAMCITY_VERSION'];

/** Characters that comparisons of .NET do not see; safe text has no others of them. */
const UNSEEN = /[\ufe0e\ufe0f]/g;
/** What may be `##[`, `##vso[` or `##teamcity[`, anywhere in a line. */
const WITHIN = /#[\ufe0e\ufe0f]*#[^[#\n\r]*\[/g;
const COMMAND = /^##(?:vso|teamcity)?\[$/i;
/** What may be `::` at the start of a line, after white space as .NET trims it. */
const AT_START = /^([^:\n\r\u2028\u2029]*):(?=[\ufe0e\ufe0f]*:)/gm;
const BEFORE_TEXT = /\u001b\[[\d;]*m|[\ufe0e\ufe0f\u0085]/g;

/** Shows what would be a command in the way of other characters that are not printed as they are. */
function breakCommands(text: string): string {
  return text
    .replace(WITHIN, (found) => (COMMAND.test(found.replace(UNSEEN, '')) ? `\\u{23}${found.slice(1)}` : found))
    .replace(AT_START, (found, before) => (before.replace(BEFORE_TEXT, '').trim() === '' ? `${before}\\u{3a}` : found));
}

const BREAK: Readonly<Record<Form, (text: string) => string>> = {
  text: breakCommands,
  // The same value. In JSON these stand inside strings only, apart from single colons; a chunk may end anywhere.
  json: (text) => text.replaceAll('#', '\\u0023').replaceAll('::', '\\u003a\\u003a'),
  raw: (text) => text,
};

/**
 * Makes what keeps a runner from taking text of the service for a command of its own; undefined outside of one.
 */
export function guardOf(env: Env): ((text: string, form: Form) => string) | undefined {
  return RUNNERS.some((name) => isOn(env[name])) ? (text, form) => BREAK[form](text) : undefined;
}

/**
 * The line with which GitHub Actions shows a message beside the step; undefined elsewhere.
 * @param code stable, in snake_case
 * @param text without secrets and control characters
 */
export function annotationOf(env: Env, level: 'error' | 'warning', code: string, text: string): string | undefined {
  if (!isOn(env['GITHUB_ACTIONS'])) return undefined;
  const data = breakCommands(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return `::${level} title=svc%3A ${code}::${data}\n`;
}
