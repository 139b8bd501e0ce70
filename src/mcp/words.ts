import { isObject, type JsonObject } from '../json/values.ts';
import { optionsOf } from '../kit/define.ts';
import { longName } from '../kit/read-values.ts';
import { safeLine } from '../terminal/safe-text.ts';
import type { Called, Tool } from './tools.ts';

/** What leads a command line that a tool cannot run. */
const FOR_A_PERSON = 'Ask the person to run:';

/** Global options that are arguments of every tool. */
const ARGUMENTS_OF_ALL: Readonly<Record<string, string>> = { '--org': 'org', '--jq': 'jq' };

/** Sentences that list the ways of a shell. */
const IN_OTHER_WORDS: ReadonlyArray<readonly [RegExp, string]> = [
  [/^This command needs a service\b.*$/s, 'This tool needs the argument service, the id of a service.'],
  [/\bthis command\b/gi, 'this tool'],
];

/** Rewrites the error object of a command for the agent that called it as a tool, without flags and command lines. */
export function errorForTool(error: JsonObject, called: Called): JsonObject {
  const lines = Array.isArray(error['next']) ? error['next'].map(String) : [];
  const next = lines.map(
    (line) => (error['nextBy'] === undefined && asCall(line, called.tools)) || `${FOR_A_PERSON} ${line}`,
  );
  const { hint } = error;
  return {
    ...error,
    ...(typeof error['error'] === 'string' && { error: textForTool(error['error'], called) }),
    // A hint that is the command line itself says no more than `next`.
    hint: typeof hint === 'string' && !lines.includes(hint) ? textForTool(hint, called) : undefined,
    next: next.length > 0 ? next : undefined,
  };
}

/** Rewrites sentences: flags become arguments, commands become tools, and what no tool does is left to the person. */
export function textForTool(text: string, called: Called): string {
  const said = IN_OTHER_WORDS.reduce((before, [from, to]) => before.replace(from, to), text);
  return said
    .split(/(?<=[.;:!?]) +(?=\S)/)
    .map((sentence) => sentenceForTool(sentence, called))
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function sentenceForTool(sentence: string, { tool, tools, commands }: Called): string {
  const named = byLength(tools).reduce(
    (before, [line, { name }]) => before.replaceAll(new RegExp(`\\bsvc ${line}\\b`, 'g'), name),
    sentence,
  );
  const start = named.search(new RegExp(`\\bsvc (?:${commands.join('|')})\\b`));
  const line = named.slice(start);
  if (start >= 0) return `${FOR_A_PERSON} ${line.replace(/[.;]$/, '')}`;
  return named
    .replaceAll(/(^|[\s("'])(--[a-z][a-z-]*)(?: <[^>]*>)?/g, (_, before, flag) => before + argumentOf(flag, tool))
    .replaceAll(/\bSVC_([A-Z_]+)/g, (_, name: string) => `the server's ${wordsOf(name.toLowerCase())} setting`);
}

/** An option as the argument of the tool; in words if it is none, such as "retry unknown". */
function argumentOf(flag: string, tool: Tool): string {
  return takenBy(tool, flag) ?? `"${wordsOf(flag.slice(2))}"`;
}

function wordsOf(name: string): string {
  return name.replaceAll(/[-_]/g, ' ');
}

function takenBy({ command, takes }: Tool, flag: string): string | undefined {
  const options = optionsOf(command);
  const own = takes.find(({ key }) => options[key] !== undefined && longName(key, options[key]) === flag);
  return own?.name ?? ARGUMENTS_OF_ALL[flag];
}

/** Writes a command line as the call of a tool; undefined if no tool that is served takes all of it. */
function asCall(line: string, tools: readonly Tool[]): string | undefined {
  const [typed, tool] = byLength(tools).find(([words]) => `${line} `.startsWith(`svc ${words} `)) ?? [];
  if (typed === undefined || tool === undefined) return undefined;
  const rest = line.slice(`svc ${typed}`.length).match(/'[^']*'|[^\s'=]+/g) ?? [];
  const given = argumentsFrom(
    rest.map((word) => word.replace(/^'(.*)'$/, '$1')),
    tool,
  );
  if (given === undefined) return undefined;
  return `Call ${tool.name}${Object.keys(given).length === 0 ? '' : ` with ${JSON.stringify(given)}`}.`;
}

/** Undefined for a word that is no argument of the tool. */
function argumentsFrom(words: readonly string[], tool: Tool): JsonObject | undefined {
  const { command, takes, properties } = tool;
  const operands = takes.filter(({ key }) => Object.hasOwn(command.args, key));
  const given: Record<string, unknown> = {};
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const isFlag = word.startsWith('--');
    const name = isFlag ? takenBy(tool, word) : operands.shift()?.name;
    const type = name === undefined ? undefined : properties[name]?.type;
    if (name === undefined || type === undefined) return undefined;
    const value = isFlag && type !== 'boolean' ? (rest.shift() ?? '') : word;
    given[name] = asArgument(type, value, given[name]);
  }
  return given;
}

function asArgument(type: string, text: string, before: unknown): unknown {
  if (type === 'boolean') return true;
  if (type === 'integer') return Number.parseInt(text, 10);
  return type === 'array' ? [...(Array.isArray(before) ? before : []), text] : text;
}

/** Every command line that a tool stands for, longer ones first: `svc domains status` is not `svc domains`. */
function byLength(tools: readonly Tool[]): ReadonlyArray<readonly [line: string, tool: Tool]> {
  const all = tools.flatMap((tool) => tool.lines.map((line) => [line, tool] as const));
  return all.toSorted(([one], [other]) => other.length - one.length);
}

/** Says whose account the answers are from, from what `whoami` printed; undefined if it did not say. */
export function accountIn(answer: unknown): string | undefined {
  const { user, organization } = isObject(answer) ? answer : {};
  const [email, name] = [user, organization].map((one) => (isObject(one) ? (one['email'] ?? one['name']) : undefined));
  if (typeof email !== 'string') return undefined;
  return safeLine(`Account: ${email}${typeof name === 'string' ? `, organization ${name}` : ''}.`);
}
