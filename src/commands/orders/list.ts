import type { Context } from '../../cli/define/context.ts';
import { defineCommand, document, type Result } from '../../cli/define/define.ts';
import { option } from '../../cli/values/parameters.ts';
import { parseInstant } from '../../cli/values/time.ts';
import type { DocumentOf } from '../../contract/fields/documents.ts';
import { describeAccount, isBeingSent, isOpen, type OrderEntry } from '../../orders/entry.ts';
import { readOrders, setOlderOrdersAside } from '../../orders/journal.ts';
import { createResolveCommands, describeSettling } from '../../orders/resolve.ts';
import { createTable } from '../../terminal/csv.ts';
import { formatMoney } from '../../terminal/format.ts';
import { date, day, dim, type Screen, state } from '../../terminal/screen.ts';

type Orders = DocumentOf<'orders list'>;
type Listed = Orders['orders'][number];

const COLUMNS = {
  sent: 'createdAt',
  order: 'orderId',
  items: 'items',
  amount: 'amount',
  currency: 'currency',
  status: 'status',
  state: 'state',
  label: 'label',
  organization: 'organization',
  key: 'idempotencyKey',
  address: 'apiUrl',
  account: 'account',
} as const;

export default defineCommand({
  summary: 'Show the orders of this machine, those in doubt first',
  description:
    'Show the orders svc sent from this machine, of all accounts: those in doubt, with the two commands that end each, ' +
    'then at most 1,000 of the last year. The status is from the answer to the order. Later changes, and orders made ' +
    'elsewhere, are in the dashboard. With --org, show only the orders for that organization',
  effect: 'local',
  options: {
    since: option(
      'time',
      'show only those since this time: 7d (ago), 2026-03-01, 2026-03-01T12:00:00Z',
    ),
  },
  tool: {
    title: 'Orders of this machine',
    description:
      'What svc ordered from here. Those with state unknown may have been placed: a person runs their resume, placed or notPlaced. 100 tokens an order.',
    arguments: { since: 'only those since this time, such as 7d (ago) or 2026-03-01' },
  },
  examples: [
    ['svc orders', 'all of them, the oldest first'],
    ['svc orders --since 2026-03-01 --csv', "a month's books"],
    [
      `svc orders --jq '.orders[] | select(.state == "unknown") | .resume'`,
      'how to go on with those in doubt',
    ],
  ],

  async run(context, { since }): Promise<Result<Orders>> {
    const { time, globals } = context;
    const now = time.clock.now();
    const from = since === undefined ? 0 : parseInstant(since, '--since', now);
    await setOlderOrdersAside(context);

    const entries = (await readOrders(context)).filter(({ createdAt, org }) => {
      const isInOrg = globals.org === undefined || org === globals.org;
      return isInOrg && Date.parse(createdAt) >= from;
    });
    const openFirst = entries.toSorted((one, other) => Number(isOpen(other)) - Number(isOpen(one)));
    return document('orders list', { orders: openFirst.map((entry) => toListed(entry, context)) });
  },

  human(screen, { orders }) {
    if (orders.length === 0) {
      screen.line('svc has sent no orders from this machine. Others are in the dashboard.');
      return;
    }
    const inDoubt = orders.filter(isInDoubt);
    if (inDoubt.length > 0) showInDoubt(screen, inDoubt);
    const others = orders.filter((order) => !isInDoubt(order));
    if (others.length > 0) showOthers(screen, others);
  },

  csv: {
    what: 'the orders',
    columns: Object.keys(COLUMNS),
    table: ({ orders }) => createTable(orders, COLUMNS),
  },
});

function toListed(entry: OrderEntry, context: Context): Listed {
  const { store, time } = context;
  // One whose process has ended is no longer on its way.
  const openState = isBeingSent(entry, time.clock.now(), store.machine) ? 'sending' : 'unknown';
  const state = isOpen(entry) ? openState : 'placed';
  const commands = state === 'unknown' ? createResolveCommands(context)(entry) : undefined;
  const {
    createdAt,
    orderId = null,
    amount = null,
    currency = null,
    status = null,
    items,
    label = null,
    org = null,
    key,
    address,
    account,
  } = entry;
  return {
    createdAt,
    orderId,
    amount,
    currency,
    status,
    state,
    items,
    label,
    organization: org,
    idempotencyKey: key,
    apiUrl: address,
    account: describeAccount(account),
    resume: commands?.resume ?? null,
    placed: commands?.placed ?? null,
    notPlaced: commands?.notPlaced ?? null,
  };
}

/** An order whose result is unknown. */
type InDoubt = Listed & { readonly placed: string; readonly notPlaced: string };

function isInDoubt(order: Listed): order is InDoubt {
  return order.placed !== null;
}

function showInDoubt(screen: Screen, orders: readonly InDoubt[]): void {
  screen.line('Unknown: no clear answer says whether these were placed. Resume or settle each.');
  screen.line('If the platform honours the key, it will not place an order twice.');
  if (orders.some(({ account }) => account.startsWith('SVC_TOKEN'))) {
    screen.line(
      'If the account is SVC_TOKEN, first set SVC_TOKEN to the token with the same last characters.',
    );
  }
  for (const order of orders) {
    screen.heading(order.idempotencyKey);
    screen.fields([
      ['Order', order.items],
      ['Id', order.orderId ?? undefined],
      ['Sent', date(order.createdAt)],
      ['Address', order.apiUrl],
      ['Account', order.account],
      ['Organization', order.organization ?? undefined],
    ]);
    // A field would wrap, and a wrapped command cannot be pasted.
    if (order.resume) screen.verbatim(order.resume);
    screen.verbatim(describeSettling(order));
  }
}

function showOthers(screen: Screen, orders: readonly Listed[]): void {
  // The documented answer to an order has no status.
  const hasStatus = orders.some(({ status, state }) => status !== null || state === 'sending');
  screen.table({
    head: [
      { name: 'Sent', whole: true },
      { name: 'Order', whole: true },
      'Items',
      { name: 'Amount', align: 'right' },
      ...(hasStatus ? [{ name: 'Status', whole: true }] : []),
      'Organization',
      { name: 'Key', whole: true, spare: 1 },
    ],
    rows: orders.map((order) => [
      day(order.createdAt),
      order.orderId ?? '',
      order.items,
      order.amount ? formatMoney(order.amount, order.currency ?? '') : '',
      ...(hasStatus ? [order.state === 'sending' ? 'being sent' : state(order.status ?? '')] : []),
      order.organization ?? '',
      order.idempotencyKey,
    ]),
  });
  const later = hasStatus
    ? 'Status at the time of the order. Later changes are in the dashboard.'
    : 'Whether they are paid is in the dashboard.';
  screen.line(dim(later));
}
