import type { Fields } from './field.ts';

/** A purchase whose outcome is unknown. */
const PENDING_PURCHASE = {
  idempotencyKey: { type: 'string', meaning: 'the key of a purchase whose outcome is not known, of any account' },
  createdAt: { type: 'time', meaning: 'when it was first sent' },
  summary: { type: 'string', meaning: 'what was ordered' },
  apiUrl: { type: 'string', format: 'uri', meaning: 'address of the platform' },
  profile: {
    type: 'string',
    nullable: true,
    meaning: 'the profile it was placed with, or null for a token from the environment',
  },
  tokenEnding: { type: 'string', nullable: true, meaning: 'the last characters of that token, or null for a profile' },
  organization: { type: 'string', nullable: true, meaning: 'the organization it was ordered in' },
  resume: {
    type: 'string',
    meaning:
      'the command that sends it again with its key, where this one was typed; for a `tokenEnding`, set `SVC_TOKEN` to that token first',
  },
  placed: {
    type: 'string',
    meaning: 'the command that closes the entry once you have found the order; fill in `<orderId>`',
  },
  notPlaced: {
    type: 'string',
    meaning: 'the command that closes the entry once you know that there is no order',
  },
} as const satisfies Fields;

/** `svc buy --pending`: the purchases in doubt, the oldest first. */
export const BUY_PENDING = {
  purchases: { type: 'array', items: { type: 'object', fields: PENDING_PURCHASE } },
} as const satisfies Fields;

/** `svc orders settle`: the purchase that was closed by hand. */
export const ORDERS_SETTLE = {
  idempotencyKey: { type: 'string', meaning: 'the key of the purchase' },
  placed: { type: 'boolean', meaning: 'whether there is an order' },
  orderId: { type: 'string', nullable: true, meaning: 'its id, or null' },
  createdAt: { type: 'time', meaning: 'when it was first sent' },
  summary: { type: 'string', meaning: 'what was ordered' },
} as const satisfies Fields;
