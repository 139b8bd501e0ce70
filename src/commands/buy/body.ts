import { parseFields } from '../../command/parse/key-value.ts';
import { usageError } from '../../errors.ts';
import type { Assume } from '../../spec/assumptions.ts';
import type { JsonObject } from '../../spec/read.ts';
import type { OrderItem } from '../../spec/types.ts';
import { type BuyOptions, isGiven, type Language } from './options.ts';
import { paymentFields, readAsFlag } from './payment-fields.ts';

/** What the body depends on beside the flags. */
export interface BodySurroundings {
  readonly assume: Assume;
  /** The locale's variables are looked at. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The body of operation 3. What equals the service's documented default is left out, so that the usual order consists
 * of documented fields only. Throws a usage error for a field that would contradict a flag,
 * or has a value that its flag would not take.
 */
export function buildBody(
  items: readonly OrderItem[],
  options: BuyOptions,
  { assume, env }: BodySurroundings,
): JsonObject {
  const fields = paymentFields(assume);
  const given = fields.filter(({ option }) => isGiven(options, option));
  const sent = given.filter(({ option, usual }) => options[option] !== usual);
  const extra = Object.entries(parseFields(options.field, '--field', { nested: true })).map(([name, value]) => {
    refuseContradiction(name, given.find((field) => field.name === name)?.flag);
    const documented = fields.find((field) => field.name === name);
    return [name, documented === undefined ? value : readAsFlag(documented, value)] as const;
  });
  return {
    items,
    ...localeLanguage(options, assume, env),
    ...Object.fromEntries(sent.map(({ name, option }) => [name, options[option]])),
    ...Object.fromEntries(extra),
  };
}

function refuseContradiction(name: string, flag: string | undefined): void {
  if (name === 'idempotencyKey') {
    throw usageError('--field idempotencyKey: the key travels in a header.', '--idempotency-key <key>');
  }
  if (name === 'items')
    throw usageError('--field items: items have options of their own.', '--item, or --items <file>');
  if (flag !== undefined) throw usageError(`--field ${name} contradicts ${flag}.`, `--field or ${flag}, not both`);
}

/** Only an order by card leads to a payment page; only French is not its language in any case. */
function localeLanguage({ payment }: BuyOptions, assume: Assume, env: BodySurroundings['env']): JsonObject {
  const locale = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '';
  const french: Language = 'fr';
  return payment === 'credit_card' && /^fr([._-]|$)/i.test(locale) ? { [assume('checkout.language')]: french } : {};
}
