import type { Needs } from '../../cli/define/context.ts';
import { defineCommand } from '../../cli/define/define.ts';
import { document } from '../../cli/define/document.ts';
import type { Result } from '../../cli/define/result.ts';
import { option } from '../../cli/values/parameters.ts';
import { parseInstant } from '../../cli/values/time.ts';
import type { DocumentOf } from '../../contract/fields/documents.ts';
import { accountName } from '../../orders/account.ts';
import { openJournal } from '../../orders/journal.ts';
import { labelsOf, type OrderEntry } from '../../orders/order.ts';
import { settleLine, waysOf } from '../../orders/ways.ts';
import { tableOf } from '../../terminal/csv.ts';
import { formatMoney } from '../../terminal/numbers.ts';
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
  path: 'orders list',
  summary: 'Show the orders of this machine, those in doubt first',
  description:
    'Show the orders svc sent from this machine, of all accounts: those in doubt, with the two commands that end each, ' +
    'then at most 1,000 of the last year. The status is from the answer to the order. Later changes, and orders made ' +
    'elsewhere, are in the dashboard. With --org, show only the orders for that organization',
  effect: 'local',
  args: {},
  options: {
    since: option(
      'time',
      'show only those since this time: 7d (ago), 2026-03-01, 2026-03-01T12:00:00Z',
    ),
  },
  tool: {
    title: 'Orders of this machine',
    says: 'What svc ordered from here. Those with state in_doubt may have been placed: a person runs their resume, placed or notPlaced. 100 tokens an order.',
    takes: { since: 'only those since this time, such as 7d (ago) or 2026-03-01' },
  },
  examples: [
    ['svc orders', 'all of them, the oldest first'],
    ['svc orders --since 2026-03-01 --csv', "a month's books"],
    [
      `svc orders --jq '.orders[] | select(.state == "in_doubt") | .resume'`,
      'how to go on with those in doubt',
    ],
  ],

  async run(context, { since }): Promise<Result<Orders>> {
    const from = since === undefined ? 0 : parseInstant(since, '--since', context.time.clock.now());
    const { org } = context.globals;
    const known = await openJournal(context).all();
    const wanted = known.filter(
      (one) => Date.parse(one.createdAt) >= from && (org === undefined || one.org === org),
    );
    const inOrder = [
      ...wanted.filter(({ state }) => state !== 'closed'),
      ...wanted.filter(({ state }) => state === 'closed'),
    ];
    return document('orders list', { orders: inOrder.map((record) => entryOf(context, record)) });
  },

  human(screen, { orders }) {
    if (orders.length === 0) {
      screen.line('svc has sent no orders from this machine. Others are in the dashboard.');
      return;
    }
    const inDoubt = orders.filter(isInDoubt);
    if (inDoubt.length > 0) showInDoubt(screen, inDoubt);
    const answered = orders.filter((order) => !isInDoubt(order));
    if (answered.length > 0) showAnswered(screen, answered);
    screen.line(
      dim('As the platform answered when each was sent. Later changes are in the dashboard.'),
    );
  },

  csv: {
    what: 'the orders',
    columns: Object.keys(COLUMNS),
    table: ({ orders }) => tableOf(orders, COLUMNS),
  },
});

function entryOf(context: Needs<'io' | 'globals' | 'env' | 'program'>, record: OrderEntry): Listed {
  const { key, createdAt, items, org, orderId, address, account } = record;
  const ways = record.state === 'closed' ? undefined : waysOf(context, record);
  return {
    createdAt,
    orderId: orderId ?? null,
    amount: record.amount ?? null,
    currency: record.currency ?? null,
    status: record.status ?? null,
    state: ways === undefined ? 'answered' : 'in_doubt',
    items,
    label: labelsOf(record.contents) ?? null,
    organization: org ?? null,
    idempotencyKey: key,
    apiUrl: address,
    account: accountName(account),
    resume: ways?.resume ?? null,
    placed: ways?.placed ?? null,
    notPlaced: ways?.notPlaced ?? null,
  };
}

interface InDoubt extends Listed {
  readonly placed: string;
  readonly notPlaced: string;
}

function isInDoubt(order: Listed): order is InDoubt {
  return order.placed !== null;
}

function showInDoubt(screen: Screen, orders: readonly InDoubt[]): void {
  screen.line('In doubt: no clear answer says whether these were placed. Resume or settle each.');
  screen.line('If the platform honours the key, it will not place an order twice.');
  if (orders.some(({ account }) => account.startsWith('SVC_TOKEN'))) {
    screen.line(
      'If the account is SVC_TOKEN, first set SVC_TOKEN to the token with the same last characters.',
    );
  }
  for (const {
    idempotencyKey,
    items,
    orderId,
    createdAt,
    apiUrl,
    account,
    organization,
    ...ways
  } of orders) {
    screen.heading(idempotencyKey);
    screen.fields([
      ['Order', items],
      ['Id', orderId ?? undefined],
      ['Sent', date(createdAt)],
      ['Address', apiUrl],
      ['Account', account],
      ['Organization', organization ?? undefined],
    ]);
    // A field would wrap, and a wrapped command cannot be pasted.
    if (ways.resume !== null) screen.verbatim(ways.resume);
    screen.verbatim(settleLine({ ...ways, resume: ways.resume ?? undefined }));
  }
  screen.line();
}

function showAnswered(screen: Screen, orders: readonly Listed[]): void {
  screen.table({
    head: [
      { name: 'Sent', whole: true },
      { name: 'Order', whole: true },
      'Items',
      { name: 'Amount', align: 'right' },
      { name: 'Status', whole: true },
      'Organization',
      { name: 'Key', whole: true, spare: 1 },
    ],
    rows: orders.map(
      ({ createdAt, orderId, items, amount, currency, status, organization, idempotencyKey }) => [
        day(createdAt),
        orderId ?? '',
        items,
        amount === null ? '' : formatMoney(amount, currency ?? ''),
        state(status ?? ''),
        organization ?? '',
        idempotencyKey,
      ],
    ),
  });
  screen.line();
}
