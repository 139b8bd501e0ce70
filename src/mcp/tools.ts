import { listed, quoted, usageError } from '../errors.ts';
import { isObject, type JsonObject } from '../json/values.ts';
import { type Command, type Entry, isGroup, optionsOf } from '../kit/define.ts';
import { GLOBAL_OPTIONS } from '../kit/globals.ts';
import type { Option, Parameter } from '../kit/parameters.ts';
import { longName } from '../kit/read-values.ts';
import { closest } from '../kit/values/choice.ts';

/** A JSON schema of one argument of a tool. */
type Property = {
  type: 'string' | 'boolean' | 'array';
  description: string;
  enum?: string[];
  items?: { type: 'string' };
};

/** A command as a tool. */
export interface Tool {
  readonly name: string;
  readonly command: Command;
  readonly properties: Record<string, Property>;
  readonly required: readonly string[];
}

/** What a person has fixed for all calls; the tools lose those arguments. */
export interface Pins {
  readonly org: string | undefined;
  readonly service: string | undefined;
}

/** Loads the commands that are tools. */
export async function loadTools(entries: readonly Entry[], pins: Pins): Promise<readonly Tool[]> {
  const found = await Promise.all(
    entries.map(async (entry) => {
      if (isGroup(entry)) return loadTools(entry.children, pins);
      const command = (await entry.load()).default;
      return command.tool === undefined ? [] : [toolOf(command, pins)];
    }),
  );
  return found.flat();
}

/** The first word of a command's path: what `--allow` takes. */
function wordOf({ command: { path } }: Tool): string {
  return path.split(' ')[0] ?? path;
}

/** Signing in is always allowed: a person approves it on the service's own page. */
function isAlwaysAllowed({ command: { effect, path } }: Tool): boolean {
  return effect === 'reads' || path === 'login';
}

/** Returns the tools that a person has allowed. Throws a usage error for a word that allows nothing. */
export function allowed(tools: readonly Tool[], words: readonly string[]): readonly Tool[] {
  const known = [...new Set(tools.filter((tool) => !isAlwaysAllowed(tool)).map(wordOf))];
  for (const word of words) {
    if (known.includes(word)) continue;
    const meant = closest(word, known);
    throw usageError(
      `--allow ${quoted(word)} is not one of ${known.join(', ')}.`,
      `svc mcp --allow ${meant ?? 'restart'}`,
    );
  }
  return tools.filter((tool) => isAlwaysAllowed(tool) || words.includes(wordOf(tool)));
}

const JQ: Property = { type: 'string', description: 'a jq filter for the answer' };

function toolOf(command: Command, pins: Pins): Tool {
  const shown = (command.tool ?? []).filter((key) => pins.service === undefined || key !== 'service');
  const own = shown.flatMap((key) => {
    const parameter = parameterOf(command, key);
    return parameter === undefined ? [] : ([[key, propertyOf(parameter)]] as const);
  });
  const org = pins.org === undefined ? [['org', propertyOf(GLOBAL_OPTIONS.org)] as const] : [];
  return {
    name: command.path.replaceAll(' ', '_'),
    command,
    properties: Object.fromEntries([...own, ...org, ['jq', JQ]]),
    required: shown.filter((key) => command.args[key]?.required),
  };
}

function parameterOf({ args, options }: Command, key: string): Parameter | undefined {
  return options[key] ?? args[key];
}

function propertyOf(parameter: Parameter): Property {
  const { meaning: description, choices } = parameter;
  const isList = 'form' in parameter ? parameter.form === 'list' : parameter.variadic;
  if (isList) return { type: 'array', items: { type: 'string' }, description };
  if ('form' in parameter && (parameter.form === 'switch' || parameter.form === 'negated')) {
    return { type: 'boolean', description };
  }
  return { type: 'string', description, ...(choices !== undefined && { enum: [...choices] }) };
}

/** The words of a call, and the filter for its answer. */
export interface ToolCall {
  readonly argv: readonly string[];
  readonly jq: string | undefined;
}

/**
 * Writes the arguments of a call as a command line.
 * @throws CliError `usage` for an argument that the tool does not have, or of another type
 */
export function callOf(tool: Tool, given: unknown, pins: Pins): ToolCall {
  const values = isObject(given) ? given : {};
  checkNames(tool, values);
  const options = optionsOf(tool.command);
  const words: string[] = [];
  const operands: string[] = [];
  for (const key of tool.command.tool ?? []) {
    const value = key === 'service' && pins.service !== undefined ? pins.service : values[key];
    if (value === undefined || value === null) continue;
    const option = options[key];
    if (option !== undefined) words.push(...optionWords(key, option, value));
    else if (tool.command.args[key] !== undefined) operands.push(...textsOf(key, value));
  }
  if (pins.org === undefined && values['org'] !== undefined) words.push(`--org=${textOf('org', values['org'])}`);
  const isPlain = operands.every((word) => !word.startsWith('-'));
  return {
    argv: [...tool.command.path.split(' '), ...words, ...(isPlain ? [] : ['--']), ...operands],
    jq: values['jq'] === undefined ? undefined : textOf('jq', values['jq']),
  };
}

function checkNames({ name, properties, required }: Tool, values: JsonObject): void {
  const unknown = Object.keys(values).filter((key) => !Object.hasOwn(properties, key));
  if (unknown.length > 0) {
    const known = Object.keys(properties).join(', ');
    throw usageError(`${name} has no argument ${listed(unknown.map(quoted))}.`, `It has: ${known}.`);
  }
  const missing = required.filter((key) => values[key] === undefined);
  if (missing.length > 0) throw usageError(`${name} needs ${listed(missing)}.`);
}

function optionWords(key: string, option: Option<unknown>, value: unknown): readonly string[] {
  const name = longName(key, option);
  if (option.form === 'switch' || option.form === 'negated') {
    if (typeof value !== 'boolean') throw usageError(`${key} is neither true nor false.`);
    return value === (option.form === 'switch') ? [name] : [];
  }
  if (option.form === 'optional' && (value === true || value === '')) return [name];
  return (option.form === 'list' ? textsOf(key, value) : [textOf(key, value)]).map((text) => `${name}=${text}`);
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
