import { parseFields } from '../../cli/values/key-value.ts';
import { parseChoice } from '../../cli/values/text.ts';
import type { Assume } from '../../contract/assumptions.ts';
import { ORDER_BODY } from '../../contract/fields/operations.ts';
import type { OrderBody, OrderItem } from '../../contract/types.ts';
import { usageError } from '../../errors.ts';
import { type BuyOptions, isGiven, paymentFields, readAsFlag } from './options.ts';

/**
 * Builds the body of operation 3, without what equals the documented defaults: the usual order has
 * documented fields only. Throws a usage error for a `--field` that contradicts a flag, or has a
 * value that its flag would refuse.
 * @param lang of the payment page, as set for all orders
 */
export function buildBody(
  items: readonly OrderItem[],
  options: BuyOptions,
  assume: Assume,
  lang: string | undefined,
): OrderBody {
  const fields = paymentFields(assume);
  const given = fields.filter(({ option }) => isGiven(options, option));
  const sent = given.filter(({ option, usual }) => options[option] !== usual);
  const extra = Object.entries(parseFields(options.field, '--field', { nested: true })).map(
    ([name, value]) => {
      refuseContradiction(name, given.find((field) => field.name === name)?.option);
      const documented = fields.find((field) => field.name === name);
      return [name, documented === undefined ? value : readAsFlag(documented, value)] as const;
    },
  );
  // Only an order by card has a payment page.
  const usualLanguage = options.payment === 'credit_card' ? lang : undefined;
  if (usualLanguage !== undefined && options.lang === undefined) {
    parseChoice(usualLanguage, 'lang in the configuration file', ORDER_BODY.language.enum);
  }
  return {
    items,
    ...(usualLanguage !== undefined && { [assume('checkout.language')]: usualLanguage }),
    ...Object.fromEntries(sent.map(({ name, option }) => [name, options[option]])),
    ...Object.fromEntries(extra),
  };
}

function refuseContradiction(name: string, option: string | undefined): void {
  if (name === 'idempotencyKey') {
    throw usageError(
      '--field idempotencyKey: the key travels in a header.',
      'Use --idempotency-key <key>.',
    );
  }
  if (name === 'items') {
    throw usageError(
      '--field items: items have options of their own.',
      'Use --item, or --items <file>.',
    );
  }
  if (option === undefined) return;
  throw usageError(
    `--field ${name} contradicts --${option}.`,
    `Use --field or --${option}, not both.`,
  );
}
