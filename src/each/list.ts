import { createHash } from 'node:crypto';
import { CliError, quoted, usageError } from '../errors.ts';
import type { Context } from '../kit/context.ts';
import { type Command, type LineValues, type ParsedLine, valuesOf } from '../kit/define.ts';
import { type Each, KINDS, optionsForEach } from '../kit/each.ts';
import { checkAgreement, longName, TABLE_KEYS, type Texts } from '../kit/read-values.ts';
import { parseApex } from '../kit/values/domain.ts';
import { bareItem, type Draft, headOf, readItem } from './lines.ts';

/** One of several that a command is carried out for. */
export interface Item extends Draft {
  /**
   * What a log calls it: its id, with a hash behind it if it has an organization or options of its own. Two items have the
   * same key if the same is sent for them, wherever they stand and however they are spelled.
   */
  readonly key: string;
}

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Reads all items of a line and checks them. Nothing is sent before, except to ask for all of them (`--all-orgs`).
 * @throws CliError `usage` for a list that cannot be read, and for the first item that is invalid or given twice.
 */
export async function readRunItems(
  { command, texts, items: ids = [] }: ParsedLine,
  each: Each,
  context: Context,
): Promise<readonly Item[]> {
  const { several, all } = KINDS[each];
  const [key = '', option] = Object.entries(all)[0] ?? [];
  const isArgument = Object.hasOwn(command.args, each);
  if (isArgument) checkAgreement(command.args, command.options, texts);
  const source = texts.get(key);
  const org = context.settings.org()?.value;
  const name = option === undefined ? '' : longName(key, option);
  if (source === undefined && ids.length === 0) {
    throw usageError(`No ${several} are named.`, isArgument ? `Give their ids, or ${name} <file>.` : `Add ${name}.`);
  }
  if (source !== undefined && ids.length > 0)
    throw usageError(`${name} and ${quoted(ids[0] ?? '')} cannot be used together.`, 'Use one of the two.');
  if (source === undefined)
    return check(
      command,
      each,
      texts,
      ids.map((id, index) => bareItem(index, id)),
      org,
      () => '',
    );
  if (option?.value === '') {
    const found = (await command.all?.(context)) ?? [];
    return found.map((id, index) => ({ ...bareItem(index, id), org: id, key: id }));
  }
  const file = String(option?.read(source, name));
  const bytes = await context.io.readFile(file, name, MAX_BYTES);
  const lines = linesOf(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  const at = (index: number) => `Line ${lines[index]?.number} of ${file === '-' ? 'standard input' : file}: `;
  const columns = within(at(0), () => headOf(each, lines[0]?.text ?? ''));
  const rows = columns === undefined ? lines : lines.slice(1);
  const where = (index: number) => at(index + lines.length - rows.length);
  const items = rows.map(({ text }, index) =>
    within(where(index), () => readItem(command, each, columns?.read(text) ?? text, index)),
  );
  return check(command, each, texts, items, org, where);
}

/** Returns the texts of a line as they would be for this item alone. */
export function textsOf(each: Each, texts: Texts, { id, own }: Pick<Draft, 'id' | 'own'>): Texts {
  const left = new Set([...TABLE_KEYS, ...Object.keys(optionsForEach(each))]);
  const kept = [...texts].filter(([key]) => !left.has(key));
  const added = [...own].map(([key, values]) => {
    // Parameters add up; of anything else, the line of the list says which one it is for this item.
    return [key, key === 'param' ? [...(texts.get(key) ?? []), ...values] : values] as const;
  });
  return new Map([...kept, ...added, ...(each === 'org' ? [] : [[each, [id]] as const])]);
}

/** Reads the values of a line for one item after the other; what they have in common is read once. */
export function valuesReader(command: Command, each: Each, texts: Texts): (item: Draft) => LineValues {
  const parameter = command.args[each] ?? command.options[each];
  let common: LineValues | undefined;
  return (item) => {
    if (common === undefined || item.own.size > 0) {
      const values = valuesOf(command, textsOf(each, texts, item));
      if (item.own.size === 0) common = values;
      return values;
    }
    return parameter === undefined ? common : { ...common, [each]: parameter.read([item.id], `The ${each}`) };
  };
}

/** Options that change nothing of what is sent. */
const LIMITS = new Set(['wait', 'waitTimeout']);

/** Identifies the options of a run that decide what is sent: a log is resumed with the same ones only. */
export function hashOfOptions(each: Each, texts: Texts): string {
  const common = [...textsOf(each, texts, { id: '', own: new Map() })].filter(([key]) => !LIMITS.has(key));
  return `sha256:${hashOf(common.map(([key, values]) => [key, [...values].sort()]).sort(byName))}`;
}

const HASH_LENGTH = 16;

function keyOf({ org, own }: Draft, name: string, commonOrg: string | undefined): string {
  const options = [...own].filter(([, values]) => values.length > 0).map(([key, values]) => [key, [...values].sort()]);
  const ownOrg = org === commonOrg ? undefined : org;
  if (ownOrg === undefined && options.length === 0) return name;
  return `${name} sha256:${hashOf([ownOrg, options.sort(byName)]).slice(0, HASH_LENGTH)}`;
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

function byName([one]: readonly unknown[], [other]: readonly unknown[]): number {
  return String(one) < String(other) ? -1 : 1;
}

async function check(
  command: Command,
  each: Each,
  texts: Texts,
  drafts: readonly Draft[],
  org: string | undefined,
  at: (index: number) => string,
): Promise<readonly Item[]> {
  const items = new Map<string, Item>();
  const read = valuesReader(command, each, texts);
  for (const [index, draft] of drafts.entries()) {
    within(at(index), () => read(draft));
    const key = keyOf(draft, each === 'domain' ? await apexOf(draft.id, at(index)) : draft.id, org);
    const before = items.get(key);
    if (before !== undefined) {
      const where = at(before.index) === '' ? '.' : `, first in line ${/\d+/.exec(at(before.index))?.[0]}.`;
      throw usageError(`${at(index)}${quoted(draft.id)} is given twice${where}`, 'Give each one once.');
    }
    // Field by field: V8 would make a hidden class for each copy.
    items.set(key, { index, id: draft.id, given: draft.given, org: draft.org, own: draft.own, key });
  }
  return [...items.values()];
}

async function apexOf(text: string, where: string): Promise<string> {
  const { ascii } = await parseApex(text, (domain) => `svc domains import ${domain}`).catch((error) => {
    throw located(where, error);
  });
  return ascii;
}

function within<T>(where: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw located(where, error);
  }
}

function located(where: string, error: unknown): unknown {
  return error instanceof CliError && where !== ''
    ? new CliError(error.code, `${where}${error.message}`, error.details)
    : error;
}

interface Line {
  readonly text: string;
  /** From 1. */
  readonly number: number;
}

function linesOf(text: string): readonly Line[] {
  return text
    .split('\n')
    .map((line, index) => ({ text: line.trim(), number: index + 1 }))
    .filter(({ text }) => text !== '' && !text.startsWith('#'));
}
