import { parseChoice } from '../../command/parse/choice.ts';
import { readText } from '../../command/parse/order-item.ts';
import { parsePhone } from '../../command/parse/phone.ts';
import { parseUuid } from '../../command/parse/uuid.ts';
import { CliError, usageError } from '../../errors.ts';
import type { Assume } from '../../spec/assumptions.ts';
import { type BuyOptions, CURRENCIES, type Currency, LANGUAGES, PAYMENTS, type Payment } from './options.ts';

/** How an order is paid where its body says nothing. */
export const DEFAULT_PAYMENT: Payment = 'mobile_money';
/** The currency that is charged where a body says nothing. */
export const DEFAULT_CURRENCY: Currency = 'local';

/** A documented field of the body beside the items. */
export interface PaymentField {
  /** On the wire. */
  readonly name: string;
  readonly option: keyof BuyOptions;
  readonly flag: string;
  /** What the service takes where the field is missing, as its document says. */
  readonly usual?: string;
  /** The value in the form that is sent. Throws a usage error in which it is called `called`. */
  readonly read: (value: unknown, called: string) => unknown;
}

/** The documented fields, each with its flag. */
export function paymentFields(assume: Assume): readonly PaymentField[] {
  return [
    {
      name: assume('checkout.paymentMethod'),
      option: 'payment',
      flag: '--payment',
      usual: DEFAULT_PAYMENT,
      read: text((value, called) => parseChoice(value, called, PAYMENTS)),
    },
    { name: 'mobileMoneyNetwork', option: 'network', flag: '--network', read: text(readText) },
    { name: 'mobileMoneyPhone', option: 'phone', flag: '--phone', read: text(parsePhone) },
    {
      name: assume('checkout.currency'),
      option: 'currency',
      flag: '--currency',
      usual: DEFAULT_CURRENCY,
      read: text((value, called) => parseChoice(value, called, CURRENCIES)),
    },
    { name: 'enableAutopay', option: 'autopay', flag: '--autopay', read: trueOrFalse },
    { name: 'appliedPromoCodeId', option: 'promo', flag: '--promo', read: text(parseUuid) },
    {
      name: assume('checkout.language'),
      option: 'lang',
      flag: '--lang',
      read: text((value, called) => parseChoice(value, called, LANGUAGES)),
    },
  ];
}

/** A value of `--field` for a documented field, by the rules of the flag, which the error names. */
export function readAsFlag({ name, flag, read }: PaymentField, value: unknown): unknown {
  const called = `--field ${name}`;
  try {
    return read(value, called);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw usageError(error.message, error.details.hint?.replace(called, flag) ?? flag);
  }
}

function text(parse: (value: string, called: string) => unknown): PaymentField['read'] {
  return (value, called) => {
    if (typeof value !== 'string') throw usageError(`${called} is not a text.`);
    return parse(value, called);
  };
}

function trueOrFalse(value: unknown, called: string): boolean {
  if (typeof value === 'boolean') return value;
  throw usageError(`${called} is neither true nor false, which are written ${called.replace('--field ', '')}:=true.`);
}
