import { optionsOf, type TypedLine } from '../cli/define/command.ts';
import { type Command, type Entry, isGroup, type ToolArgument } from '../cli/define/define.ts';
import { readLine } from '../cli/read/read-line.ts';
import { GLOBAL_OPTIONS } from '../cli/settings/globals.ts';
import { closest } from '../cli/values/choice.ts';
import type { Option, Parameter } from '../cli/values/parameters.ts';
import { longName, type Texts } from '../cli/values/read-values.ts';
import { DOCUMENTS } from '../contract/fields/documents.ts';
import { listed, quoted, usageError } from '../errors.ts';
import { isObject, type JsonObject } from '../json/values.ts';
import { wordsIn } from '../shell-line.ts';

type Property = {
  type: 'string' | 'boolean' | 'integer' | 'array';
  description: string;
  enum?: string[];
  items?: { type: 'string' };
};

interface Taken extends ToolArgument {
  readonly name: string;
  readonly key: string;
  readonly parameter: Parameter;
}

/** A command as a tool. */
export interface Tool {
  readonly name: string;
  readonly command: Command;
  readonly words: NonNullable<Command['tool']>;
  /** With those that a person has fixed, which are no `properties`. */
  readonly takes: readonly Taken[];
  readonly properties: Record<string, Property>;
  readonly required: readonly string[];
  /** Set if its answer is svc's own, and not the API's. */
  readonly isOwnAnswer: boolean;
}

interface Pins {
  readonly org: string | undefined;
  readonly service: string | undefined;
}

/** What a person has started. */
export interface Serving {
  readonly tools: readonly Tool[];
  readonly tree: readonly Entry[];
  readonly pins: Pins;
  readonly globals: readonly string[];
}

/** Loads the commands that are tools. */
export async function loadTools(entries: readonly Entry[], pins: Pins): Promise<readonly Tool[]> {
  const found = entries.map(async (entry) => {
    if (isGroup(entry)) return loadTools(entry.children, pins);
    const command = (await entry.load()).default;
    return command.tool === undefined ? [] : [toolOf(command, command.tool, pins)];
  });
  return (await Promise.all(found)).flat();
}

/** Whether the tool only looks. */
export function isReader({ command: { effect } }: Tool): boolean {
  return effect === 'reads' || effect === 'local';
}

/** Chooses tools by the first words of their commands. Throws a usage error for any other word. */
export function allowed(tools: readonly Tool[], words: readonly string[]): readonly Tool[] {
  // Signing in is always allowed: a person approves it on the platform's own page.
  const wordOf = (tool: Tool) =>
    isReader(tool) || tool.command.path === 'login' ? undefined : tool.command.path.split(' ')[0];
  const known = [...new Set(tools.flatMap((tool) => wordOf(tool) ?? []))];
  const stray = words.find((word) => !known.includes(word));
  if (stray !== undefined) {
    const hint = `svc mcp --allow ${closest(stray, known) ?? 'restart'}`;
    throw usageError(`--allow ${quoted(stray)} is not one of ${known.join(', ')}.`, hint);
  }
  return tools.filter((tool) => [undefined, ...words].includes(wordOf(tool)));
}

const ORG: Property = { type: 'string', description: 'another organization' };
const JQ: Property = { type: 'string', description: 'jq filter' };

function toolOf(command: Command, words: Tool['words'], pins: Pins): Tool {
  const takes = Object.entries(words.takes).flatMap(([key, given]): Taken[] => {
    const parameter = command.options[key] ?? command.args[key];
    const more = typeof given === 'string' ? { says: given } : given;
    return more === undefined || parameter === undefined
      ? []
      : [{ name: key, ...more, key, parameter }];
  });
  const shown = takes.filter(({ key }) => pins.service === undefined || key !== 'service');
  const own = Object.fromEntries(shown.map((one) => [one.name, propertyOf(one)]));
  return {
    name: command.path.replaceAll(' ', '_'),
    command,
    words,
    takes,
    properties: { ...own, ...(pins.org === undefined && { org: ORG }), jq: JQ },
    required: shown.filter(({ key }) => command.args[key]?.required).map(({ name }) => name),
    isOwnAnswer: Object.hasOwn(DOCUMENTS, command.path),
  };
}

function propertyOf({ says: description, type, parameter }: Taken): Property {
  const { choices } = parameter;
  const form = 'form' in parameter ? parameter.form : parameter.variadic && 'list';
  if (form === 'list') return { type: 'array', items: { type: 'string' }, description };
  if (form === 'switch' || form === 'negated') return { type: 'boolean', description };
  if (type === 'seconds') return { type: 'integer', description: `${description}, in seconds` };
  return {
    type: type ?? 'string',
    description,
    ...(choices !== undefined && { enum: [...choices] }),
  };
}

/**
 * Writes a call as a command line. Throws a usage error for an argument that the tool does not
 * take.
 */
export function lineOf(tool: Tool, given: unknown, pins: Pins) {
  const values = isObject(given) ? given : {};
  checkNames(tool, values);
  const options = optionsOf(tool.command);
  const words: string[] = [];
  const operands: string[] = [];
  for (const one of tool.takes) {
    const value =
      one.key === 'service' && pins.service !== undefined ? pins.service : values[one.name];
    if (value === undefined || value === null) continue;
    const option = options[one.key];
    if (option !== undefined) words.push(...optionWords(one, option, value));
    else operands.push(...textsOf(one.name, value));
  }
  if (values['org'] !== undefined) words.push(`--org=${textOf('org', values['org'])}`);
  const end = operands.some((word) => word.startsWith('-')) ? ['--'] : [];
  const argv = [
    ...tool.command.path.split(' '),
    ...(tool.words.always ?? []),
    ...words,
    ...end,
    ...operands,
  ];
  return { argv, jq: values['jq'] === undefined ? undefined : textOf('jq', values['jq']) };
}

function checkNames({ name, properties, required }: Tool, values: JsonObject): void {
  const known = Object.keys(properties);
  const stray = Object.keys(values).find((key) => !known.includes(key));
  if (stray !== undefined) {
    const meant = closest(stray, known);
    const hint = meant === undefined ? `It has ${known.join(', ')}.` : `Use ${meant}.`;
    throw usageError(`${name} has no argument ${quoted(stray)}.`, hint);
  }
  const missing = required.filter((key) => values[key] === undefined);
  if (missing.length > 0) throw usageError(`${name} needs ${listed(missing)}.`);
}

function optionWords(
  { name, key, type }: Taken,
  option: Option<unknown>,
  value: unknown,
): readonly string[] {
  const typed = longName(key, option);
  if (option.form === 'switch' || option.form === 'negated') {
    if (typeof value !== 'boolean') throw usageError(`${name} is neither true nor false.`);
    return value === (option.form === 'switch') ? [typed] : [];
  }
  if (option.form === 'optional' && (value === true || value === '')) return [typed];
  const unit = type === 'seconds' && typeof value === 'number' ? 's' : '';
  const texts = option.form === 'list' ? textsOf(name, value) : [textOf(name, value)];
  return texts.map((text) => `${typed}=${text}${unit}`);
}

function textsOf(key: string, value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map((item) => textOf(key, item)) : [textOf(key, value)];
}

/** Models often write a number without quotes. */
function textOf(key: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  throw usageError(`${key} is not a text.`);
}

type Next =
  | { readonly tool: string; readonly arguments: JsonObject }
  | { readonly askPersonToRun: string };

/**
 * Makes a call of a line that an error proposes, if a tool does all of it and the error names
 * nobody to run it (`by`).
 */
export async function nextOf(line: string, by: unknown, serving: Serving): Promise<Next> {
  const [program, ...words] = wordsIn(line);
  const isOurs = program === 'svc' && by === undefined;
  const read = isOurs ? await readLine(words, serving.tree).catch(() => undefined) : undefined;
  const call = read !== undefined && 'line' in read ? callOf(read.line, serving) : undefined;
  // Tools run with --json, which people need not read.
  return call ?? { askPersonToRun: line.replace('svc --json ', 'svc ') };
}

function callOf({ command, texts, globals, items }: TypedLine, serving: Serving): Next | undefined {
  const tool = serving.tools.find((one) => one.command === command);
  if (tool === undefined || items !== undefined) return undefined;
  const given: Record<string, unknown> = {};
  for (const [key, value] of [...texts, ...ownGlobals(globals, serving)]) {
    if (key === 'service' && value[0] === serving.pins.service) continue;
    const { name, parameter } = tool.takes.find((one) => one.key === key) ?? { name: key };
    const type = tool.properties[name]?.type;
    if (type === undefined) return undefined;
    given[name] = argumentOf(type, value, parameter);
  }
  return { tool: tool.name, arguments: given };
}

function argumentOf(
  type: Property['type'],
  texts: readonly string[],
  parameter: Parameter | undefined,
): unknown {
  if (type === 'array') return texts;
  if (type === 'string') return texts[0];
  const value = parameter?.read(texts, '');
  return type === 'integer' ? Number(value) : value;
}

/** The options of every command, without those that each call has anyway. */
function ownGlobals(globals: Texts, serving: Serving): Texts {
  const options: Readonly<Record<string, Option<unknown>>> = GLOBAL_OPTIONS;
  const isOwn = ([key, [text = '']]: readonly [string, readonly string[]]) => {
    const option = options[key];
    const typed = option && longName(key, option) + (text === '' ? '' : `=${text}`);
    return key !== 'json' && (typed === undefined || !serving.globals.includes(typed));
  };
  return new Map([...globals].filter(isOwn));
}
