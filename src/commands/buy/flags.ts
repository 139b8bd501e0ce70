import type { Declaration, Read } from '../../command/declaration.ts';
import { parseChoice } from '../../command/parse/choice.ts';
import { readText } from '../../command/parse/order-item.ts';
import { parsePhone } from '../../command/parse/phone.ts';
import { repeated } from '../../command/parse/repeated.ts';
import { parseUuid } from '../../command/parse/uuid.ts';
import { usageError } from '../../errors.ts';
import { parseKey } from '../../purchase/key.ts';

/** How an order may be paid; the service collects money by the first only. */
export const PAYMENTS = ['mobile_money', 'credit_card'] as const;
/** One of {@link PAYMENTS}. */
export type Payment = (typeof PAYMENTS)[number];
/** The currency charged. */
export const CURRENCIES = ['local', 'USD'] as const;
/** One of {@link CURRENCIES}. */
export type Currency = (typeof CURRENCIES)[number];
/** Languages of the payment page. */
export const LANGUAGES = ['fr', 'en'] as const;
/** One of {@link LANGUAGES}. */
export type Language = (typeof LANGUAGES)[number];

/** Adds the options that say what to buy. */
export function addItemOptions(command: Declaration): void {
  command
    .optionsGroup('What to buy:')
    .option('--plan <id>', 'plan to order', once('--plan', asText, SEVERAL))
    .option('--domain <name>', 'domain to order', once('--domain', asText, SEVERAL))
    .option('--label <text>', 'a name for what you order', once('--label', asText, SEVERAL))
    .option('--quantity <number>', 'how many to order, from 1 to 999', once('--quantity', asText, SEVERAL))
    .option('--renew', 'renew it instead of ordering a new one')
    .option('--item <key=value,…>', 'one of several items; keys: plan, domain, label, quantity, renew', repeated)
    .option('--items <file|->', 'read the items from a JSON array, as the API takes them', once('--items', asText));
}

/** Adds the options that say how it is paid. */
export function addPaymentOptions(command: Declaration): void {
  command
    .optionsGroup('How to pay:')
    .option('--payment <method>', `${PAYMENTS.join(' or ')} (free orders only)`, onceOneOf('--payment', PAYMENTS))
    .option('--network <code>', 'mobile money network', once('--network', readText))
    .option('--phone <number>', 'phone number to pay from', once('--phone', parsePhone))
    .option('--currency <code>', `currency to pay in: ${CURRENCIES.join(' or ')}`, onceOneOf('--currency', CURRENCIES))
    .option('--promo <uuid>', 'id of a promo code', once('--promo', parseUuid))
    .option('--autopay', 'save the number, and pay renewals from it automatically')
    .option(
      '--lang <language>',
      `language of the payment page: ${LANGUAGES.join(' or ')}`,
      onceOneOf('--lang', LANGUAGES),
    )
    .option('--no-browser', 'do not open the payment page');
}

/** Adds the options about the request itself, and about purchases that did not come to a known end. */
export function addRequestOptions(command: Declaration): void {
  command
    .optionsGroup('The request:')
    .option('--field <key=value>', 'set another field of the body; a.b=c nests, key:=json sends JSON', repeated)
    .option(
      '--idempotency-key <key>',
      'key under which the service places the order once (default: a new one)',
      once('--idempotency-key', parseKey),
    )
    .option('--dry-run', 'show the request without sending it')
    .optionsGroup('Purchases whose outcome is unknown:')
    .option('--pending', 'list them')
    .option('--resume [key]', 'send one of them again, with the same key')
    .option('--new-order', 'place a new order even if it looks like one of them');
}

const SEVERAL = '--item …, once for each item';

const asText = (text: string): string => text;

/** Where money is spent, the last of two values does not win: it is an error. */
function once<T>(flag: string, parse: (text: string, flag: string) => T, hint = `${flag} once`): Read {
  return (text: string, before: T | undefined): T => {
    if (before !== undefined) throw usageError(`${flag} is given twice.`, hint);
    return parse(text, flag);
  };
}

function onceOneOf(flag: string, choices: readonly string[]): Read {
  const read = once(flag, (text) => parseChoice(text, flag, choices));
  return Object.assign(read, { choices });
}
