import { boolean, integer, oneOf, orNull, rows, string, stringOrNull, time, uri } from './make.ts';

/** A change that svc sent from this machine. */
export const CHANGE = {
  at: time(
    'when the answer came, or the wait for it ended; when it was sent, if svc was killed before',
  ),
  who: string('the account, if svc knows it, and the profile or variable of its token'),
  address: uri('address of the platform'),
  organization: stringOrNull('the organization that was named, or null'),
  command: string('the command, without its options; `api` for a request of `svc api`'),
  what: stringOrNull(
    'the action, the domain, the order, or the method and path of `svc api`; null for a restart',
  ),
  service: stringOrNull('id of the service, or null'),
  result: oneOf(
    '`accepted` if the answer does not say that it is done, `refused` if nothing was changed, `unknown` if it may have been',
    ['done', 'pending', 'accepted', 'failed', 'refused', 'unknown'],
  ),
  status: orNull(integer('HTTP status of the answer, or null without one')),
  requestId: stringOrNull("the platform's id for the request, or null"),
};

const ORDER_ENTRY = {
  createdAt: time('when it was first sent'),
  orderId: stringOrNull('its id, or null while no answer names one'),
  amount: stringOrNull('the price as the API wrote it in its answer, or null'),
  currency: stringOrNull('the currency of that price, or null'),
  status: stringOrNull('its status in that answer, in the words of the platform. Null without one'),
  state: oneOf(
    '`sending` while a process sends it; `unknown` if no answer settled whether it was placed, or its answer contradicts itself; `placed`',
    ['sending', 'unknown', 'placed'],
  ),
  items: string('what was ordered'),
  label: stringOrNull('the labels of its items, or null'),
  organization: stringOrNull('the organization that was named, or null'),
  idempotencyKey: string('the key of its requests'),
  apiUrl: uri('address of the platform'),
  account: string('the profile, or the last characters of the token'),
  resume: stringOrNull(
    'of an unknown order: the command that sends it again with its key; for a token, set `SVC_TOKEN` to it first. Null for an order that exists, and once the platform may have forgotten the key',
  ),
  placed: stringOrNull(
    'of an unknown order: the command once you have found it; fill in an `<orderId>`. Else null',
  ),
  notPlaced: stringOrNull(
    'of an unknown order: the command once you know that there is none. Else null',
  ),
};

/** Documents about what this machine sent. */
export const BOOK_DOCUMENTS = {
  'orders list': { orders: rows(ORDER_ENTRY) },
  'orders settle': {
    idempotencyKey: string('the key of the order'),
    placed: boolean('whether there is an order'),
    orderId: stringOrNull('its id, or null'),
    createdAt: time('when it was first sent'),
    summary: string('what was ordered'),
  },
  changes: { changes: rows(CHANGE) },
};
