import type { JsonObject } from '../json/values.ts';
import type { TypedLine } from '../kit/command.ts';
import { GLOBAL_OPTIONS } from '../kit/globals.ts';
import type { Option, Parameter } from '../kit/parameters.ts';
import { longName, type Texts } from '../kit/read-values.ts';
import { readLine } from '../line/commander.ts';
import { wordsIn } from '../shell-line.ts';
import type { Property, Serving } from './tools.ts';

/** What an agent can do next: call a tool, or ask the person to run a command line. */
export type Next = { readonly tool: string; readonly arguments: JsonObject } | { readonly askPersonToRun: string };

/**
 * Turns a command line that an error proposes into the call of a tool, if one that is served does all of it.
 * @param by who the error leaves it to
 */
export async function nextOf(line: string, by: unknown, serving: Serving): Promise<Next> {
  const [program, ...words] = wordsIn(line);
  const read =
    program === 'svc' && by === undefined ? await readLine(words, serving.tree).catch(() => undefined) : undefined;
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

function argumentOf(type: Property['type'], texts: readonly string[], parameter: Parameter | undefined): unknown {
  if (type === 'array') return texts;
  if (type === 'string') return texts[0];
  const value = parameter?.read(texts, '');
  return type === 'integer' ? Number(value) : value;
}

type Given = readonly [key: string, texts: readonly string[]];

/** The options of every command, without those that each call has anyway. */
function ownGlobals(globals: Texts, serving: Serving): readonly Given[] {
  const isCommon = ([key, option]: readonly [string, Option<unknown>]) => {
    const [typed, [text = ''] = []] = [longName(key, option), globals.get(key)];
    return key === 'json' || serving.globals.includes(text === '' ? typed : `${typed}=${text}`);
  };
  const common = Object.entries(GLOBAL_OPTIONS).filter(isCommon);
  return [...globals].filter(([key]) => !common.some(([name]) => name === key));
}
