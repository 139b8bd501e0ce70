import { resolve } from 'node:path';
import type { Context } from '../../command/context.ts';
import { ITEM_FIELDS, parseOrderItem } from '../../command/parse/order-item.ts';
import { usageError } from '../../errors.ts';
import type { OrderItem } from '../../spec/types.ts';
import { readUpTo } from '../../store/named-file.ts';
import { explain } from '../../store/problem.ts';
import { parseItems } from './items-file.ts';
import { type BuyOptions, isGiven } from './options.ts';

/** The most that a file of items may hold, in bytes. */
const LARGEST_INPUT = 5 * 1024 * 1024;

/** The flags that describe the one item of an order. */
const SINGLE = ['plan', 'domain', 'label', 'quantity', 'renew'] as const;

/** The items of the order as the command line or a file gives them; none where it says nothing. Throws a usage error. */
export async function readItems(context: Context, options: BuyOptions): Promise<readonly OrderItem[]> {
  const given = SINGLE.filter((name) => isGiven(options, name));
  const ways = [
    ...given.slice(0, 1).map((name) => `--${name}`),
    ...(options.item.length === 0 ? [] : ['--item']),
    ...(options.items === undefined ? [] : ['--items']),
  ];
  if (ways.length > 1) {
    throw usageError(`${ways.join(' and ')} do not mix.`, 'several items are several --item, or one --items <file>');
  }
  if (options.items !== undefined) return parseItems(...(await readSource(context, options.items)));
  if (options.item.length > 0) return options.item.map((text) => parseOrderItem(text, '--item'));
  if (given.length === 0) return [];
  const parts = given.map((name) => ITEM_FIELDS[name](String(options[name]), `--${name}`));
  return [Object.assign({}, ...parts) as OrderItem];
}

async function readSource(
  { io, system: { cwd, signal } }: Context,
  source: string,
): Promise<[text: string, name: string]> {
  if (source === '-') return [(await io.readInput(LARGEST_INPUT)).toString('utf8'), 'standard input'];
  const path = resolve(cwd, source);
  try {
    const bytes = await readUpTo(path, LARGEST_INPUT, signal);
    if (bytes !== undefined) return [bytes.toString('utf8').replace(/^\uFEFF/, ''), source];
  } catch (error) {
    throw usageError(`--items: ${path} cannot be read: ${explain(error)}.`, '--items <file>, or - for standard input');
  }
  throw usageError(`--items: ${path} holds more than ${LARGEST_INPUT} bytes.`);
}
