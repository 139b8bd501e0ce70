import { type Command, Option } from 'commander';
import { parseChoice } from '../../command/parse/choice.ts';
import { readText } from '../../command/parse/order-item.ts';
import { parsePhone } from '../../command/parse/phone.ts';
import { repeated } from '../../command/parse/repeated.ts';
import { parseUuid } from '../../command/parse/uuid.ts';
import { usageError } from '../../errors.ts';
import { parseKey } from '../../purchase/key.ts';

/** How an order may be paid; the service collects money by the first only. */
export const PAYMENTS = ['mobile_money', 'credit_card'] as const;
export type Payment = (typeof PAYMENTS)[number];
/** The currency charged. */
export const CURRENCIES = ['local', 'USD'] as const;
export type Currency = (typeof CURRENCIES)[number];
/** Languages of the payment page. */
export const LANGUAGES = ['fr', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

type Parse<T> = (text: string, flag: string) => T;

const asText: Parse<string> = (text) => text;

/** Adds the options that say what to buy. */
export function addItemOptions(command: Command): void {
  add(command, 'What to buy:', [
    once('--plan <id>', 'plan to order', asText, SEVERAL),
    once('--domain <name>', 'domain to order', asText, SEVERAL),
    once('--label <text>', 'name of what is ordered', asText, SEVERAL),
    once('--quantity <number>', 'how many, 1 to 999', asText, SEVERAL),
    new Option('--renew', 'renew it instead of ordering it anew'),
    several('--item <key=value,…>', 'one of several items; keys: plan, domain, label, quantity, renew'),
    once('--items <file|->', 'a JSON array of items, as the API takes them', asText),
  ]);
}

/** Adds the options that say how it is paid. */
export function addPaymentOptions(command: Command): void {
  add(command, 'How to pay:', [
    oneOf('--payment <method>', PAYMENTS, `${PAYMENTS.join(' or ')} (free orders only)`),
    once('--network <code>', 'mobile money network', readText),
    once('--phone <number>', 'phone number that pays', parsePhone),
    oneOf('--currency <code>', CURRENCIES, `currency charged: ${CURRENCIES.join(' or ')}`),
    once('--promo <uuid>', 'id of a promo code', parseUuid),
    new Option('--autopay', 'save the number, so that it pays renewals by itself'),
    oneOf('--lang <language>', LANGUAGES, `language of the payment page: ${LANGUAGES.join(' or ')}`),
    new Option('--no-browser', 'do not open the payment page'),
  ]);
}

/** Adds the options about the request itself, and about purchases that did not come to a known end. */
export function addRequestOptions(command: Command): void {
  add(command, 'The request:', [
    several('--field <key=value>', 'another field of the body; a.b=c nests, key:=json sends JSON'),
    once('--idempotency-key <key>', 'key that makes repeating safe (default: a new one)', parseKey),
    new Option('--dry-run', 'show the request and send nothing'),
  ]);
  add(command, 'Purchases without a known end:', [
    new Option('--pending', 'list them'),
    new Option('--resume [key]', 'go on with one; nothing is ordered twice'),
    new Option('--new-order', 'order again what is like one of them'),
  ]);
}

const SEVERAL = '--item …, once for each item';

function add(command: Command, group: string, options: readonly Option[]): void {
  for (const option of options) command.addOption(option.helpGroup(group));
}

/** Where money is spent, the last of two values does not win: it is an error. */
function once<T>(flags: string, description: string, parse: Parse<T>, hint?: string): Option {
  const [flag = ''] = flags.split(' ');
  return new Option(flags, description).argParser((text: string, previous: T | undefined) => {
    if (previous !== undefined) throw usageError(`${flag} is given twice.`, hint ?? `${flag} once`);
    return parse(text, flag);
  });
}

function oneOf(flags: string, choices: readonly string[], description: string): Option {
  const option = once(flags, description, (text, flag) => parseChoice(text, flag, choices));
  option.argChoices = [...choices];
  return option;
}

function several(flags: string, description: string): Option {
  return new Option(flags, description).argParser(repeated);
}
