import { randomUUID } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import type { Call } from '../api/call.ts';
import type { Context, Needs } from '../cli/define/context.ts';
import { getCachedNames } from '../cli/define/name-cache.ts';
import type { KnownNames } from '../cli/define/name-notes.ts';
import type { ChosenCredential, Settings } from '../cli/settings/settings.ts';
import { requireCredential } from '../cli/settings/unauthenticated.ts';
import { maskPhone } from '../cli/values/phone.ts';
import type { Assume } from '../contract/assumptions.ts';
import { ORDER_BODY } from '../contract/fields/operations.ts';
import type { Order, OrderBody, UncheckedItem } from '../contract/operations.ts';
import { CliError } from '../errors.ts';
import { asArray, asObject, asText, findField, otherFields, parseJson } from '../json/values.ts';
import { findMoney, formatDistance } from '../terminal/format.ts';
import {
  describeAccount,
  getAccount,
  getKeyLifetimeMs,
  hashBody,
  isOpen,
  isSameOrder,
  type OrderEntry,
} from './entry.ts';
import { createResolveCommands } from './resolve.ts';

/** The value that the platform assumes for a body without the field. */
export const DEFAULT_PAYMENT = ORDER_BODY.paymentMethod.default;
/** The value that the platform assumes for a body without the field. */
export const DEFAULT_CURRENCY = ORDER_BODY.currency.default;

/** An order as a command asks for it. */
export interface OrderRequest {
  /** JSON; the very bytes of the body. */
  readonly body: string;
  /** Makes the request; by default as `svc buy` does. */
  readonly callWith?: (body: Uint8Array, key: string) => Call;
  /** The organization that is named; undefined lets the platform choose. */
  readonly org: string | undefined;
  /** The key that the user chose. */
  readonly key?: string | undefined;
  /** The value of `--new-order`. */
  readonly newOrder?: string | true | undefined;
  /** The entry of the order that `--resume` names. */
  readonly resumed?: OrderEntry;
  /** Asks the platform once, whoever calls it. */
  readonly lookUpBuyer: () => Promise<Buyer | undefined>;
  /** Whether the payment page may be opened. */
  readonly browser?: boolean;
}

/** Throws CliError `unauthenticated` without a token; operation 3 accepts no dashboard session. */
export function requireToken(settings: Settings): ChosenCredential {
  const credential = requireCredential(settings);
  if (credential.kind === 'bearer') return credential;
  throw new CliError(
    'unauthenticated',
    `An order needs a token; ${credential.source} is a dashboard session.`,
    {
      hint: { say: 'Sign in, or set SVC_TOKEN.', run: ['svc login'] },
    },
  );
}

/** An order with everything that is known of it before somebody is asked. */
export type PreparedOrder = ReturnType<typeof prepareOrder>;

/** Prepares an order. */
export function prepareOrder(request: OrderRequest, context: Context) {
  const { body, org, key, newOrder, resumed, lookUpBuyer } = request;
  const { assume, io, settings } = context;
  const credential = requireToken(settings);
  const fields: OrderBody = asObject(parseJson(body));
  const description = describeOrder(fields, assume);
  const items = description.items.join(' + ');
  const currency = description.currency === DEFAULT_CURRENCY ? [] : [description.currency];

  const draft: OrderEntry = resumed ?? {
    key: key ?? randomUUID(),
    ownKey: key !== undefined,
    state: 'sending',
    createdAt: '',
    address: settings.apiUrl().value,
    account: getAccount(credential),
    org,
    bodyHash: hashBody(body),
    summary: [items, describePayment(description), ...currency].join('; '),
    items,
    label: description.label,
  };
  return {
    draft: { ...draft, body },
    fields,
    newOrder,
    isResumed: resumed !== undefined,
    keyLifetimeMs: getKeyLifetimeMs(assume),
    description,
    /** The whole number, to which the payment prompt goes. */
    phone: asText(fields.mobileMoneyPhone),
    credential,
    lookUpBuyer: () => io.during('Looking up your account', lookUpBuyer),
    networks: getNetworks(context),
    lastPrices: describeLastPrices(context, fields),
    isFree: isKnownFree(context, fields),
    getCommands: createResolveCommands(context),
  };
}

/** An order as people may see it. */
export type OrderDescription = ReturnType<typeof describeOrder>;

/** Describes the body of an order, with a masked phone number. */
export function describeOrder(body: OrderBody, assume: Assume) {
  const paymentField = assume('checkout.paymentMethod');
  const currencyField = assume('checkout.currency');
  const phone = asText(body.mobileMoneyPhone);
  const items = readItems(body);
  const labels = new Set(items.flatMap(({ label }) => asText(label) ?? []));
  return {
    items: items.map(describeItem),
    /** The labels of all items, each of them once. */
    label: [...labels].join(', ') || undefined,
    /** `mobile_money` or `credit_card`. */
    payment: asText(findField(body, paymentField)) ?? DEFAULT_PAYMENT,
    network: asText(body.mobileMoneyNetwork),
    /** The number without its middle. */
    phone: phone && maskPhone(phone),
    currency: asText(findField(body, currencyField)) ?? DEFAULT_CURRENCY,
    promo: asText(body.appliedPromoCodeId),
    autopay: body.enableAutopay === true,
    /** Names of fields without a flag. */
    others: Object.keys(otherFields(body, [...SHOWN, paymentField, currencyField])),
  };
}

function readItems({ items }: OrderBody): readonly UncheckedItem[] {
  return asArray(items).map((item) => asObject(item));
}

const SHOWN: readonly (keyof OrderBody)[] = [
  'items',
  'mobileMoneyNetwork',
  'mobileMoneyPhone',
  'enableAutopay',
  'appliedPromoCodeId',
];

/** Says how it is paid: `mobile money, network mtn, from +*********42`. */
export function describePayment({ payment, network, phone }: OrderDescription): string {
  const method = payment.replaceAll('_', ' ');
  const parts = [method, network && `network ${network}`, phone && `from ${phone}`];
  return parts.filter(Boolean).join(', ');
}

function describeItem({ planId, domain, label, quantity, renew }: UncheckedItem): string {
  const plan = asText(planId);
  const domainName = asText(domain);
  const count = asText(quantity);
  const labelText = asText(label);
  const names = [plan && `plan ${plan}`, domainName && `domain ${writeBothWays(domainName)}`];
  const parts = [
    renew === true && 'renewal of',
    count && `${count} ×`,
    names.filter(Boolean).join(', ') || 'item',
    labelText && `"${labelText}"`,
  ];
  return parts.filter(Boolean).join(' ');
}

/** Adds the ASCII form to an internationalized name, because its letters may only look familiar. */
function writeBothWays(ascii: string): string {
  const unicode = domainToUnicode(ascii);
  return !unicode || unicode === ascii ? ascii : `${unicode} (${ascii})`;
}

/** The person and the organization that pay, as the platform names them. */
export interface Buyer {
  readonly email: string | undefined;
  readonly organization: string | undefined;
  /** Whether the buyer does not belong to the organization that the order names. */
  readonly isStranger: boolean;
}

/** Names who pays: the email, or where the token comes from. */
export function describeBuyer(
  { record, source }: ChosenCredential,
  buyer: Buyer | undefined,
): string {
  const email = buyer?.email ?? record?.email;
  if (email) return `${email} (${source})`;
  return record ? source : `token from ${source}`;
}

/** Names the organization that pays. */
export function describeOrganization(org: string | undefined, buyer: Buyer | undefined): string {
  const name = buyer?.organization;
  if (!org && !name) return 'the default one of the account';
  if (!org) return `${name} (default)`;
  return !name || name === org ? org : `${name} (${org})`;
}

/** Says what the journal knows of an order that was sent before `wanted`. */
export function describeEarlierOrder(entry: OrderEntry, wanted: OrderEntry, now: number): string {
  const { createdAt, placedAt = createdAt, account, org, orderId, status } = entry;
  if (!isOpen(entry)) {
    const ago = describeAge(placedAt, now);
    const order = status ? `${orderId}, ${status}` : orderId;
    const what = entry.hasFailed ? 'Your order failed' : 'You placed the same order';
    return `${what} ${ago} (${order}).`;
  }

  const ago = describeAge(createdAt, now);
  const outcome = orderId
    ? `: order ${orderId}, whose answer contradicts itself`
    : ', and its result is unknown';
  if (isSameOrder(entry, wanted)) return `You sent the same order ${ago}${outcome}.`;

  const place = org ? ` for the organization ${org}` : '';
  return `Another order was sent ${ago} with ${describeAccount(account)}${place}${outcome}: ${entry.summary}.`;
}

/** Says how long ago something was: `3 minutes ago`, `just now`. */
export function describeAge(instant: string, now: number): string {
  const distance = formatDistance(Date.parse(instant), now);
  return distance === 'now' ? 'just now' : distance;
}

/** Returns the networks that svc knows: the API document names none. */
export function getNetworks({ assume }: Needs<'assume'>): readonly string[] {
  return assume('checkout.networks').split(/\s+/).filter(Boolean);
}

/** The note on a plan that cost nothing. */
const FREE = 'free';

/** Whether all are single plans that cost nothing the last time. */
export function isKnownFree(context: Needs<'settings' | 'store'>, body: OrderBody): boolean {
  const seen = getCachedNames(context, 'plans');
  return readItems(body).every(
    (item) =>
      isOnePlan(item) && seen.some(({ name, about }) => name === item.planId && about === FREE),
  );
}

function isOnePlan({ domain, renew, quantity = 1 }: UncheckedItem): boolean {
  return domain === undefined && renew !== true && quantity === 1;
}

/** Whether the answer says that the order costs nothing. */
export function isFree(order: Order): boolean {
  return Number.parseFloat(findMoney(order) ?? '') === 0;
}

/** Says what the plans cost the last time; undefined if this machine has not seen any of them. */
export function describeLastPrices(
  context: Needs<'settings' | 'store'>,
  body: OrderBody,
): string | undefined {
  const seen = getCachedNames(context, 'plans');
  const plans = new Set(
    readItems(body).flatMap(({ planId, renew }) => (renew ? [] : (asText(planId) ?? []))),
  );

  const prices = [...plans].flatMap((plan) => {
    const price = seen.find(({ name }) => name === plan)?.about;
    if (!price) return [];
    return plans.size === 1 ? price : `${plan} ${price}`;
  });
  if (prices.length === 0) return undefined;
  return `${prices.join(', ')} last time (may have changed)`;
}

/** Lists the plans of an order for pickers, with what a plan cost if it was ordered alone. */
export function listPlans(body: OrderBody, order: Order): KnownNames {
  const items = readItems(body);
  const isAlone =
    items.length === 1 && items.every(isOnePlan) && body.appliedPromoCodeId === undefined;
  const price = isFree(order) ? FREE : findMoney(order);
  const about = isAlone ? price : undefined;
  const names = items.flatMap(({ planId }) => asText(planId) ?? []);
  return { plans: names.map((name) => ({ name, about })) };
}
