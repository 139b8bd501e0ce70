import { parseFields } from '../../command/parse/key-value.ts';
import { usageError } from '../../errors.ts';
import type { Assume } from '../../spec/assumptions.ts';
import type { JsonObject } from '../../spec/read.ts';
import type { OrderItem } from '../../spec/types.ts';
import type { BuyOptions } from '../buy.ts';
import type { Currency, Language, Payment } from './flags.ts';

/** What the service does where a body says nothing. */
export const DEFAULT_PAYMENT: Payment = 'mobile_money';
export const DEFAULT_CURRENCY: Currency = 'local';

/** What the body depends on beside the flags. */
export interface BodySurroundings {
  readonly assume: Assume;
  /** The locale's variables are looked at. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The body of operation 3. What equals the service's documented default is left out, so that the usual order consists
 * of documented fields only. Throws a usage error for a field that would contradict a flag.
 */
export function buildBody(
  items: readonly OrderItem[],
  options: BuyOptions,
  { assume, env }: BodySurroundings,
): JsonObject {
  const fromFlags: ReadonlyArray<readonly [flag: string, field: string, value: unknown, isDefault?: boolean]> = [
    ['--payment', assume('checkout.paymentMethod'), options.payment, options.payment === DEFAULT_PAYMENT],
    ['--network', 'mobileMoneyNetwork', options.network],
    ['--phone', 'mobileMoneyPhone', options.phone],
    ['--currency', assume('checkout.currency'), options.currency, options.currency === DEFAULT_CURRENCY],
    ['--autopay', 'enableAutopay', options.autopay],
    ['--promo', 'appliedPromoCodeId', options.promo],
    ['--lang', assume('checkout.language'), options.lang],
  ];
  const given = fromFlags.filter(([, , value]) => value !== undefined);
  const extra = parseFields(options.field ?? [], '--field', { nested: true });
  for (const name of Object.keys(extra)) refuseContradiction(name, given.find(([, field]) => field === name)?.[0]);
  const sent = given.filter(([, , , isDefault]) => isDefault !== true).map(([, field, value]) => [field, value]);
  return { items, ...localeLanguage(options, assume, env), ...Object.fromEntries(sent), ...extra };
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
