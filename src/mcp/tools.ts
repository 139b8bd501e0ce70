import { getOptions, type TypedLine } from '../cli/define/command.ts';
import { type Command, type Entry, isGroup, type ToolArgument } from '../cli/define/define.ts';
import { readLine } from '../cli/read/read-line.ts';
import { GLOBAL_OPTIONS } from '../cli/settings/globals.ts';
import { longName, type Option, type Options, type Parameter } from '../cli/values/parameters.ts';
import { closest } from '../cli/values/text.ts';
import { DOCUMENTS } from '../contract/fields/documents.ts';
import { listNames, quote, usageError } from '../errors.ts';
import { asObject, type JsonObject } from '../json/values.ts';
import { splitLine } from '../shell-line.ts';

/** The schema of an argument. */
type Property = ReturnType<typeof createProperty>;

/** A command as a tool. */
export type Tool = ReturnType<typeof createTool>[number];

interface Pins {
  readonly org: string | undefined;
  readonly service: string | undefined;
}

/** The server as a person has started it. */
export interface Serving {
  readonly tools: readonly Tool[];
  readonly tree: readonly Entry[];
  readonly pins: Pins;
  readonly globals: readonly string[];
}

/** Loads the commands that are tools. */
export async function loadTools(entries: readonly Entry[], pins: Pins): Promise<readonly Tool[]> {
  const tools = entries.map(async (entry) =>
    isGroup(entry) ? loadTools(entry.children, pins) : createTool(await entry.load(), pins),
  );
  return (await Promise.all(tools)).flat();
}

/** Whether the tool only looks. */
export function isReader({ command: { effect } }: Tool): boolean {
  return effect === 'reads' || effect === 'local';
}

/** Chooses tools by the first words of their commands. Throws a usage error for any other word. */
export function chooseTools(tools: readonly Tool[], words: readonly string[]): readonly Tool[] {
  // Signing in is always allowed: a person approves it on the platform's own page.
  const getWord = (tool: Tool) =>
    isReader(tool) || tool.command.path === 'login' ? undefined : tool.command.path.split(' ')[0];
  const known = [...new Set(tools.flatMap((tool) => getWord(tool) ?? []))];
  const unknown = words.find((word) => !known.includes(word));
  if (unknown !== undefined) {
    const hint = `svc mcp --allow ${closest(unknown, known) ?? 'restart'}`;
    throw usageError(`--allow ${quote(unknown)} is not one of ${known.join(', ')}.`, hint);
  }
  return tools.filter((tool) => [undefined, ...words].includes(getWord(tool)));
}

/** Makes the tool of a command, if it is one. */
function createTool(command: Command, pins: Pins) {
  const { path, tool: words } = command;
  if (words === undefined) return [];

  const takenArguments = Object.entries(words.arguments ?? {}).flatMap(([key, argument]) => {
    const option = command.options[key];
    const parameter = option ?? command.args[key];
    if (argument === undefined || parameter === undefined) return [];
    const own: ToolArgument = typeof argument === 'string' ? { description: argument } : argument;
    return [{ name: key, ...own, key, parameter, option }];
  });
  const shown = takenArguments.filter(({ key }) => pins.service === undefined || key !== 'service');
  const properties: Record<string, Property> = {
    ...Object.fromEntries(shown.map((one) => [one.name, createProperty(one, one.parameter)])),
    ...(pins.org === undefined && {
      org: { type: 'string', description: 'another organization' },
    }),
    jq: { type: 'string', description: 'jq filter' },
  };
  return [
    {
      name: path.replaceAll(' ', '_'),
      command,
      words,
      /** All arguments, with those that a person has fixed, which are no `properties`. */
      arguments: takenArguments,
      properties,
      required: shown.filter(({ key }) => command.args[key]?.required).map(({ name }) => name),
      /** Whether its answer is a document of svc, and not of the API. */
      isOwnAnswer: Object.hasOwn(DOCUMENTS, path),
    },
  ];
}

function createProperty({ description, type }: ToolArgument, parameter: Parameter) {
  const { choices } = parameter;
  const form = 'form' in parameter ? parameter.form : parameter.variadic && 'list';
  if (form === 'list') return { type: 'array', items: { type: 'string' }, description };
  if (form === 'switch' || form === 'negated') return { type: 'boolean', description };
  if (type === 'seconds') return { type: 'integer', description: `${description}, in seconds` };
  return { type: type ?? 'string', description, ...(choices && { enum: [...choices] }) };
}

/**
 * Writes a call as the words of a command line. Throws a usage error for an argument that the tool
 * does not take.
 */
export function toCommandWords(tool: Tool, args: unknown, pins: Pins) {
  const values = asObject(args);
  const { org, jq } = values;
  checkNames(tool, values);
  const optionWords: string[] = [];
  const operands: string[] = [];
  for (const taken of tool.arguments) {
    const { key, name, option } = taken;
    const value = key === 'service' && pins.service !== undefined ? pins.service : values[name];
    if (value === undefined || value === null) continue;
    if (option === undefined) operands.push(...toTexts(name, value));
    else optionWords.push(...toOptionWords(taken, option, value));
  }
  if (org !== undefined) optionWords.push(`--org=${toText('org', org)}`);
  const end = operands.some((word) => word.startsWith('-')) ? ['--'] : [];
  const commandWords = [...tool.command.path.split(' '), ...(tool.words.fixedOptions ?? [])];
  return {
    argv: [...commandWords, ...optionWords, ...end, ...operands],
    jq: jq === undefined ? undefined : toText('jq', jq),
  };
}

function checkNames({ name, properties, required }: Tool, values: JsonObject) {
  const known = Object.keys(properties);
  const unknown = Object.keys(values).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    const near = closest(unknown, known);
    const hint = near === undefined ? `It has ${known.join(', ')}.` : `Use ${near}.`;
    throw usageError(`${name} has no argument ${quote(unknown)}.`, hint);
  }
  const missing = required.filter((key) => values[key] === undefined);
  if (missing.length > 0) throw usageError(`${name} needs ${listNames(missing)}.`);
}

function toOptionWords(
  { name, key, type }: Tool['arguments'][number],
  option: Option<unknown>,
  value: unknown,
) {
  const typed = longName(key, option);
  if (option.form === 'switch' || option.form === 'negated') {
    if (typeof value !== 'boolean') throw usageError(`${name} is neither true nor false.`);
    return value === (option.form === 'switch') ? [typed] : [];
  }
  if (option.form === 'optional' && (value === true || value === '')) return [typed];
  const unit = type === 'seconds' && typeof value === 'number' ? 's' : '';
  const texts = option.form === 'list' ? toTexts(name, value) : [toText(name, value)];
  return texts.map((text) => `${typed}=${text}${unit}`);
}

function toTexts(name: string, value: unknown) {
  return [value].flat().map((item) => toText(name, item));
}

/** Takes numbers as well: models often write them without quotes. */
function toText(name: string, value: unknown) {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  throw usageError(`${name} is not a text.`);
}

/**
 * Makes a call of a line that an error proposes, if a tool does all of it and the error names
 * nobody to run it.
 */
export async function toNextCall(
  line: string,
  nextBy: unknown,
  serving: Serving,
): Promise<JsonObject> {
  const [program, ...words] = splitLine(line);
  const isOurs = program === 'svc' && nextBy === undefined;
  const read = isOurs ? await readLine(words, serving.tree).catch(() => undefined) : undefined;
  const call = read && 'line' in read ? toCall(read.line, serving) : undefined;
  // Tools run with --json, which people need not read.
  return call ?? { askPersonToRun: line.replace('svc --json ', 'svc ') };
}

/** Returns undefined for a line with an option that the tool does not have. */
function toCall({ command, texts, globals, items }: TypedLine, serving: Serving) {
  const tool = serving.tools.find((one) => one.command === command);
  if (tool === undefined || items !== undefined) return undefined;

  const fixedOptions = [...serving.globals, '--json', ...(tool.words.fixedOptions ?? [])];
  const options: Options = { ...getOptions(command), ...GLOBAL_OPTIONS };
  const args: Record<string, unknown> = {};
  for (const [key, values] of [...texts, ...globals]) {
    const option = options[key];
    const [text] = values;
    const word = option && toWord(longName(key, option), text);
    if (word !== undefined && fixedOptions.includes(word)) continue;
    if (key === 'service' && text === serving.pins.service) continue;
    const { name, parameter } = tool.arguments.find((one) => one.key === key) ?? { name: key };
    const type = tool.properties[name]?.type;
    if (type === undefined) return undefined;
    args[name] = toArgument(type, values, parameter);
  }
  return { tool: tool.name, arguments: args };
}

/** Makes one word of a line, such as `--service=svc_1`; a switch has an empty text. */
function toWord(name: string, text = '') {
  return text === '' ? name : `${name}=${text}`;
}

function toArgument(type: string, texts: readonly string[], parameter?: Parameter) {
  if (type === 'array') return texts;
  if (type === 'string') return texts[0];
  const value = parameter?.read(texts, '');
  return type === 'integer' ? Number(value) : value;
}

/**
 * Puts a text of svc into words for a model: options become arguments, and what speaks of the shell
 * is left out. Returns an empty text if nothing remains.
 */
export function toToolWords(text: string, tool: Tool, { tree }: Serving): string {
  const commands = tree.map(({ name }) => name).join('|');
  const shell = new RegExp(`(?<![\\w<-])--?[a-z]|\\bSVC_[A-Z]|\\bsvc (?:${commands})\\b`);
  const isForTools = (part: string) => !shell.test(part);

  const named = nameArguments(text, tool);
  const withoutAsides = named.replace(/ \([^()]*\)/g, (aside) => (isForTools(aside) ? aside : ''));
  return withoutAsides
    .split(/(?<=[.!?:]) (?=[A-Z"])/)
    .filter(isForTools)
    .join(' ');
}

/** Writes the options of a tool as the arguments that they are: `--skip-invalid` is `skipInvalid`. */
function nameArguments(text: string, tool: Tool) {
  const names = new Map([
    ['--org', 'org'],
    ['--jq', 'jq'],
  ]);
  for (const { key, name, option } of tool.arguments) {
    if (option !== undefined) names.set(longName(key, option), name);
  }
  return text.replace(/(?<![\w-])--[a-z-]+/g, (option) => names.get(option) ?? option);
}
