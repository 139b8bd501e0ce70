import type { Fields } from './field.ts';

/** A change that svc sent from this machine. */
export const CHANGE = {
  at: {
    type: 'time',
    meaning: 'when the answer came, or the wait for it ended; if svc was killed before that, when it was sent',
  },
  who: { type: 'string', meaning: 'the account as far as svc knows it, and the profile or variable of its token' },
  address: { type: 'string', format: 'uri', meaning: 'address of the platform' },
  organization: { type: 'string', nullable: true, meaning: 'the organization that was named, or null' },
  command: { type: 'string', meaning: 'the command, without its options; `api` for a request of `svc api`' },
  what: {
    type: 'string',
    nullable: true,
    meaning: 'the action, the domain, the id of the order, or the method and path of `svc api`; null for a restart',
  },
  service: { type: 'string', nullable: true, meaning: 'id of the service, or null' },
  result: {
    type: 'string',
    enum: ['done', 'pending', 'accepted', 'failed', 'refused', 'unknown'],
    meaning:
      'what the answer says; `accepted` if it does not say whether it is done, `refused` if nothing was changed, `unknown` if it may have been',
  },
  status: { type: 'integer', nullable: true, meaning: 'HTTP status of the answer, or null without one' },
  requestId: { type: 'string', nullable: true, meaning: "the platform's id for the request, or null" },
} as const satisfies Fields;

/** `svc changes`: the oldest first. */
export const CHANGES = {
  changes: { type: 'array', items: { type: 'object', fields: CHANGE } },
} as const satisfies Fields;

/** An order that this machine sent. */
export const ORDER_ENTRY = {
  createdAt: { type: 'time', meaning: 'when it was first sent' },
  orderId: { type: 'string', nullable: true, meaning: 'its id, or null while its outcome is unknown' },
  amount: { type: 'string', nullable: true, meaning: 'the price as the API wrote it in its answer, or null' },
  currency: { type: 'string', nullable: true, meaning: 'the currency of that price, or null' },
  status: {
    type: 'string',
    nullable: true,
    meaning: 'its status in that answer, in the words of the platform; later ones are not known here. Null without one',
  },
  state: { type: 'string', enum: ['in_doubt', 'answered'], meaning: '`in_doubt` while its outcome is unknown' },
  items: { type: 'string', meaning: 'what was ordered' },
  label: { type: 'string', nullable: true, meaning: 'the labels of its items, or null' },
  organization: { type: 'string', nullable: true, meaning: 'the organization that was named, or null' },
  idempotencyKey: { type: 'string', meaning: 'the key of its requests' },
  apiUrl: { type: 'string', format: 'uri', meaning: 'address of the platform' },
  account: { type: 'string', meaning: 'the profile, or the last characters of the token' },
  resume: {
    type: 'string',
    nullable: true,
    meaning:
      'in doubt: the command that sends it again with its key, where this one was typed; for a token, set `SVC_TOKEN` to it first. Else null',
  },
  placed: {
    type: 'string',
    nullable: true,
    meaning: 'in doubt: the command for you to run once you have found the order; fill in `<orderId>`. Else null',
  },
  notPlaced: {
    type: 'string',
    nullable: true,
    meaning: 'in doubt: the command for you to run once you know that there is no order. Else null',
  },
} as const satisfies Fields;

/** `svc orders`: those in doubt, then the others; of both the oldest first. */
export const ORDERS_LIST = {
  orders: { type: 'array', items: { type: 'object', fields: ORDER_ENTRY } },
} as const satisfies Fields;

/** `svc orders settle`: the order that was closed by hand. */
export const ORDERS_SETTLE = {
  idempotencyKey: { type: 'string', meaning: 'the key of the order' },
  placed: { type: 'boolean', meaning: 'whether there is an order' },
  orderId: { type: 'string', nullable: true, meaning: 'its id, or null' },
  createdAt: { type: 'time', meaning: 'when it was first sent' },
  summary: { type: 'string', meaning: 'what was ordered' },
} as const satisfies Fields;
