import { IDEMPOTENCY_HEADER, OPERATIONS } from '../../src/contract/operations.ts';
import { type JsonObject, toCanonicalJson } from '../../src/json/values.ts';
import {
  DECLINING_NETWORK,
  DOMAIN_PRICE,
  FAILING_PHONE,
  LOCAL_CURRENCY,
  PLANS,
  STATUS_NETWORK,
} from '../data/people.ts';
import { type BodyReader, createBodyReader, DOMAIN_RULE } from '../fields.ts';
import type { Parts } from '../parts.ts';
import { assumed, type Route, signedInRoute } from '../route.ts';
import { hashSecret, maskedPhone, newId } from '../secrets.ts';
import type { AutopayRecord, OrderAnswer, OrderRecord } from '../state.ts';
import { Refusal } from '../web/refusal.ts';

/**
 * Operation 3. Nothing is awaited between looking up a key and storing its order, so that a key
 * makes one order.
 */
export const CHECKOUT_ROUTES: readonly Route[] = [
  signedInRoute(OPERATIONS.createOrder, async (parts, request, { organization }) => {
    const body = await request.body();
    const idempotencyKey = readKey(request.header(IDEMPOTENCY_HEADER), body);
    const fingerprint = createFingerprint(body);
    const { orders } = parts.store.state;
    const made = orders.find(
      (each) => each.organizationId === organization.id && each.idempotencyKey === idempotencyKey,
    );
    if (idempotencyKey !== null && made !== undefined) {
      if (made.fingerprint === fingerprint) {
        return { status: 200, body: made.answer, headers: { 'Idempotent-Replayed': 'true' } };
      }
      throw new Refusal(
        422,
        `This ${IDEMPOTENCY_HEADER} belongs to another order. Use a new key for a new order.`,
      );
    }

    const purchase = readPurchase(body);
    const order: OrderRecord = {
      organizationId: organization.id,
      idempotencyKey,
      fingerprint,
      createdAt: parts.clock.now(),
      answer: createOrderAnswer(purchase, newId('ord'), parts.origin),
    };
    const isRefused = order.answer.status === 'failed' || order.answer.status === 'declined';
    const autopay = isRefused
      ? parts.store.state.autopay
      : planAutopay(parts, organization.id, purchase);
    parts.store.commit({ orders: [...orders, order], autopay });
    parts.log(`order ${order.answer.orderId}: ${order.answer.status ?? 'created'}`);
    return { status: 201, body: order.answer };
  }),
];

function createOrderAnswer(purchase: Purchase, orderId: string, origin: string): OrderAnswer {
  const { paymentMethod, currency, total } = purchase;
  const amount = currency === 'USD' ? (total / 100).toFixed(2) : String(total);
  const common = { orderId, paymentMethod, total: { amount, currency } };
  const free = { message: 'Nothing to pay; the order is provisioned.' };
  if (paymentMethod === 'credit_card') {
    return {
      ...common,
      provider: 'sandbox-card',
      payment_url: `${origin}/orders/${orderId}`,
      ...free,
    };
  }
  if (total === 0) return { ...common, provider: null, ...free };
  return { ...common, provider: purchase.network, ...askForPayment(purchase) };
}

function askForPayment({ network, phone }: Purchase): Pick<OrderAnswer, 'status' | 'message'> {
  if (network === DECLINING_NETWORK) {
    return { status: 'declined', message: 'The network declined the payment.' };
  }
  if (phone.replace('+', '') === FAILING_PHONE.slice(1)) {
    return { status: 'failed', message: 'Insufficient balance.' };
  }
  const message = `A payment prompt was sent to ${maskedPhone(phone)}. Confirm it on the phone.`;
  return network === STATUS_NETWORK ? { status: 'awaiting_payment', message } : { message };
}

function planAutopay(
  parts: Parts,
  organizationId: string,
  purchase: Purchase,
): readonly AutopayRecord[] {
  const { autopay } = parts.store.state;
  if (!purchase.enableAutopay || purchase.phone === '') return autopay;
  const saved: AutopayRecord = {
    organizationId,
    phoneMasked: maskedPhone(purchase.phone),
    provider: purchase.network,
    currency: purchase.currency,
  };
  return [...autopay.filter((record) => record.organizationId !== organizationId), saved];
}

/** May carry the key instead of the header. */
const BODY_FIELD = 'idempotencyKey';
const KEY_RULE = {
  min: 1,
  max: 255,
  pattern: /^[\x21-\x7e]+$/,
  form: 'printable ASCII without spaces',
};

/**
 * Reads the key from the header or the body; `null` if neither has one.
 * @throws Refusal 400 if it is malformed, or if the two differ.
 */
function readKey(header: string | undefined, body: JsonObject): string | null {
  const fields = createBodyReader(header === undefined ? body : { ...body, [BODY_FIELD]: header });
  const key = fields.has(BODY_FIELD) ? fields.requiredText(BODY_FIELD, KEY_RULE) : null;
  if (header !== undefined && (body[BODY_FIELD] ?? header) !== header) {
    fields.fault(BODY_FIELD, `is not the same as in the ${IDEMPOTENCY_HEADER} header`);
  }
  fields.refuseIfWrong();
  return key;
}

/** Hashes a body without its key; the order of its fields does not matter. */
function createFingerprint(body: JsonObject): string {
  const { [BODY_FIELD]: _key, ...rest } = body;
  return hashSecret(toCanonicalJson(rest));
}

/** A valid checkout body; the texts of mobile money are empty if absent. */
interface Purchase {
  readonly paymentMethod: 'mobile_money' | 'credit_card';
  readonly currency: 'USD' | 'XAF';
  /** An amount in minor units of the currency. */
  readonly total: number;
  readonly network: string;
  readonly phone: string;
  readonly enableAutopay: boolean;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NETWORK_RULE = { min: 1, max: 40, pattern: /^[\w-]+$/, form: 'a provider code such as mtn' };
const PHONE_RULE = {
  pattern: /^\+?\d{6,15}$/,
  form: 'a phone number: an optional + and 6 to 15 digits',
};
const FIELD = {
  paymentMethod: assumed('checkout.paymentMethod'),
  currency: assumed('checkout.currency'),
  language: assumed('checkout.language'),
} as const;

/**
 * Reads a checkout body. Ignores unknown fields, since the API document leaves one unnamed.
 * @throws Refusal 400 with field errors, or with a sentence for a paid order by card.
 */
function readPurchase(body: JsonObject): Purchase {
  const fields = createBodyReader(body);
  const prices = fields.list('items', 50).map(readItem);
  const paymentMethod =
    fields.choice(FIELD.paymentMethod, ['mobile_money', 'credit_card']) ?? 'mobile_money';
  const inDollars = fields.choice(FIELD.currency, ['USD', 'local']) === 'USD';
  fields.choice(FIELD.language, ['fr', 'en']);
  fields.text('appliedPromoCodeId', { pattern: UUID, form: 'a UUID' });
  const purchase: Purchase = {
    paymentMethod,
    currency: inDollars ? 'USD' : LOCAL_CURRENCY,
    total: prices.reduce((sum, price) => sum + (inDollars ? price.usdCents : price.xaf), 0),
    network: fields.text('mobileMoneyNetwork', NETWORK_RULE) ?? '',
    phone: fields.text('mobileMoneyPhone', PHONE_RULE) ?? '',
    enableAutopay: fields.flag('enableAutopay') ?? false,
  };
  if (purchase.total > 0 && paymentMethod === 'mobile_money') {
    if (purchase.network === '') {
      fields.fault('mobileMoneyNetwork', 'is required to pay with mobile money');
    }
    if (purchase.phone === '') {
      fields.fault('mobileMoneyPhone', 'is required to pay with mobile money');
    }
  }
  fields.refuseIfWrong();
  if (purchase.total > 0 && paymentMethod === 'credit_card') {
    throw new Refusal(
      400,
      'Cards are accepted for free orders only. Pay this order with mobile_money.',
    );
  }
  return purchase;
}

function readItem(item: BodyReader): { usdCents: number; xaf: number } {
  const planId = item.text('planId', { min: 1 });
  const domain = item.text('domain', DOMAIN_RULE);
  const quantity = item.wholeNumber('quantity', 1) ?? 1;
  item.text('label', { max: 200 });
  item.flag('renew');
  if (!item.has('planId') && !item.has('domain')) {
    item.fault('planId', 'is required, unless a domain is given');
  }
  const plan = PLANS.find(({ id }) => id === planId);
  if (planId !== undefined && plan === undefined) {
    item.fault('planId', `is not a known plan. Use one of ${PLANS.map(({ id }) => id).join(', ')}`);
  }
  const price = domain === undefined ? { usdCents: 0, xaf: 0 } : DOMAIN_PRICE;
  return {
    usdCents: quantity * ((plan?.usdCents ?? 0) + price.usdCents),
    xaf: quantity * ((plan?.xaf ?? 0) + price.xaf),
  };
}
