import type { Fields } from './field.ts';

/** One item of an order. */
export const ORDER_ITEM = {
  planId: { type: 'string', optional: true, meaning: 'plan to order' },
  domain: { type: 'string', optional: true, meaning: 'domain to order' },
  label: { type: 'string', optional: true, meaning: 'name for what is ordered' },
  quantity: { type: 'integer', optional: true, meaning: 'how many' },
  renew: { type: 'boolean', optional: true, meaning: 'whether to renew an existing plan or domain' },
} as const satisfies Fields;

/**
 * Body of operation 3. The document shows three fields without their names; `SVC_ASSUME` sets those that svc sends. One
 * further nested object has neither a name nor fields there, and is not in this table.
 */
export const ORDER_BODY = {
  items: {
    type: 'array',
    optional: true,
    meaning: 'plans, domains or renewals to order',
    items: { type: 'object', fields: ORDER_ITEM },
  },
  paymentMethod: {
    type: 'string',
    enum: ['mobile_money', 'credit_card'],
    default: 'mobile_money',
    optional: true,
    assumed: 'name',
    meaning: 'how to pay; credit_card is for free orders only',
  },
  mobileMoneyNetwork: { type: 'string', optional: true, meaning: 'provider code of the mobile money network' },
  mobileMoneyPhone: { type: 'string', optional: true, secret: 'phone', meaning: 'phone number for mobile money' },
  currency: {
    type: 'string',
    enum: ['local', 'USD'],
    default: 'local',
    optional: true,
    assumed: 'name',
    meaning: 'currency charged',
  },
  enableAutopay: { type: 'boolean', optional: true, meaning: 'whether to save the number for automatic renewals' },
  appliedPromoCodeId: { type: 'string', format: 'uuid', optional: true, meaning: 'id of a promo code' },
  idempotencyKey: { type: 'string', optional: true, meaning: 'alternative to the Idempotency-Key header' },
  language: {
    type: 'string',
    enum: ['fr', 'en'],
    optional: true,
    assumed: 'name',
    meaning: 'language of the payment page',
  },
} as const satisfies Fields;

/** Answer to operation 3. */
export const ORDER = {
  orderId: { type: 'string', assumed: 'type', meaning: 'id of the order' },
  paymentMethod: { type: 'string', assumed: 'type', meaning: 'how it is paid' },
  provider: { type: 'string', nullable: true, assumed: 'type', meaning: 'who collects the payment' },
  payment_url: {
    type: 'string',
    format: 'uri',
    optional: true,
    assumed: 'type',
    meaning: 'payment page; present for card payments',
  },
  status: { type: 'string', optional: true, assumed: 'field', meaning: 'state of the order' },
  success: { type: 'boolean', optional: true, assumed: 'field', meaning: 'whether it is placed' },
  message: { type: 'string', optional: true, assumed: 'field', meaning: 'a sentence for people' },
  error: { type: 'unknown', optional: true, assumed: 'field', meaning: 'why it is not placed' },
} as const satisfies Fields;

/** Answer to operation 12. */
export const AUTOPAY = {
  enabled: { type: 'boolean', assumed: 'type', meaning: 'whether renewals are paid automatically' },
  phoneMasked: { type: 'string', nullable: true, assumed: 'type', meaning: 'number that is charged, masked' },
  provider: { type: 'string', nullable: true, assumed: 'type', meaning: 'who collects the payments' },
  currency: { type: 'string', nullable: true, assumed: 'type', meaning: 'currency charged' },
} as const satisfies Fields;
