import type { Context } from '../../kit/context.ts';
import { defineCommand } from '../../kit/define.ts';
import { option } from '../../kit/parameters.ts';
import { document, type Result } from '../../kit/result.ts';
import { parseInstant } from '../../kit/values/time.ts';
import { accountName } from '../../orders/account.ts';
import { openJournalOf } from '../../orders/ledger.ts';
import type { OrderEntry } from '../../orders/order.ts';
import type { DocumentOf } from '../../spec/fields/documents.ts';
import { tableOf } from '../../terminal/csv.ts';
import { formatMoney, plural } from '../../terminal/numbers.ts';
import { day, dim, state } from '../../terminal/screen.ts';

type Orders = DocumentOf<'orders list'>;

const COLUMNS = [
  'createdAt',
  'orderId',
  'amount',
  'currency',
  'status',
  'state',
  'items',
  'label',
  'organization',
  'idempotencyKey',
  'apiUrl',
  'account',
] as const satisfies readonly (keyof Orders['orders'][number])[];

export default defineCommand({
  path: 'orders list',
  summary: 'Show the orders of this machine in the last year',
  description:
    'Show the orders svc sent from this machine in the last year, at most 10,000, of all accounts. The status is from the ' +
    'answer to the order. Later changes, and orders made elsewhere, are in the dashboard. With --org, show only the ' +
    'orders for that organization',
  effect: 'local',
  args: {},
  options: { since: option('time', 'show only those since this time: 7d (ago), 2026-03-01, 2026-03-01T12:00:00Z') },
  examples: [
    ['svc orders', 'all of them, the oldest first'],
    ['svc orders --since 2026-03-01 --csv', "a month's books"],
  ],

  async run(context, { since }): Promise<Result<Orders>> {
    const from = since === undefined ? 0 : parseInstant(since, '--since', context.system.clock.now());
    const { org } = context.settings.globals;
    const { records, damaged } = await openJournalOf(context).all();
    const wanted = records.filter((one) => Date.parse(one.createdAt) >= from && (org === undefined || one.org === org));
    const result = document('orders list', { orders: wanted.map(entryOf) });
    return damaged === 0 ? result : { ...result, warnings: [damage(context, damaged)] };
  },

  human(screen, { orders }) {
    if (orders.length === 0) screen.line('No orders from this machine are known.');
    else {
      screen.table({
        head: [
          { name: 'Sent', whole: true },
          { name: 'Order', whole: true },
          'Items',
          { name: 'Amount', align: 'right' },
          { name: 'Status', whole: true },
          'Organization',
          { name: 'Key', below: true },
        ],
        rows: orders.map(({ createdAt, orderId, items, amount, currency, status, organization, ...order }) => [
          day(createdAt),
          orderId ?? '',
          items,
          amount === null ? '' : formatMoney(amount, currency ?? ''),
          order.state === 'pending' ? { text: 'in doubt', tone: 'warn' } : state(status ?? ''),
          organization ?? '',
          order.idempotencyKey,
        ]),
      });
      screen.line();
    }
    screen.line(dim("The platform's own list is in the dashboard. Each status is from the answer to the order."));
    if (orders.some((order) => order.state === 'pending')) screen.next(['svc buy --pending']);
  },

  csv: { what: 'the orders', table: ({ orders }) => tableOf(orders, COLUMNS) },
});

function entryOf(record: OrderEntry): Orders['orders'][number] {
  const { key, createdAt, items, org, orderId, address, account } = record;
  return {
    createdAt,
    orderId: orderId ?? null,
    amount: record.amount ?? null,
    currency: record.currency ?? null,
    status: record.status ?? null,
    state: record.state === 'open' ? 'pending' : 'answered',
    items,
    label: record.label ?? null,
    organization: org ?? null,
    idempotencyKey: key,
    apiUrl: address,
    account: accountName(account),
  };
}

function damage({ vault }: Context, count: number) {
  const text = `${plural(count, 'line')} of the orders in ${vault.folder()} cannot be read, and ${count === 1 ? 'is' : 'are'} left out.`;
  return { text, code: 'orders_damaged' };
}
