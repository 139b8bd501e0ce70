import { type Needs, needsYesError, orCancelled } from '../../cli/define/context.ts';
import { defineCommand, document } from '../../cli/define/define.ts';
import { flag, option, required } from '../../cli/values/parameters.ts';
import { cancelledError, usageError } from '../../errors.ts';
import { describeAccount, isOpen, type OrderEntry, parseOrderKey } from '../../orders/entry.ts';
import { readOrders, setOlderOrdersAside, settleOrder } from '../../orders/journal.ts';
import { chooseInDoubt, createResolveCommands } from '../../orders/resolve.ts';
import { drawScreen } from '../../terminal/draw.ts';
import { date } from '../../terminal/screen.ts';
import { readText } from '../buy/options.ts';

export default defineCommand({
  summary: 'Record the outcome of an order in doubt',
  description:
    'Closes an order in doubt. It sends nothing: find out first whether the order exists. Until then, svc does not ' +
    'place the same order again unless you say so',
  effect: 'local',
  args: {
    key: required('key of the order, as svc orders lists it', {
      read: (text) => parseOrderKey(text, 'The key'),
      offer: 'orders',
    }),
  },
  options: {
    placed: option('order-id', 'the order exists, with this id', readText),
    notPlaced: flag('the order does not exist'),
  },
  examples: [
    [
      'svc orders settle 6c3f8a1e-5b7d-4f7a-9a51-0d8f3c2b1a00 --placed ord_42',
      'you found the order',
    ],
    [
      'svc orders settle 6c3f8a1e-5b7d-4f7a-9a51-0d8f3c2b1a00 --not-placed --yes',
      'there is none; do not ask',
    ],
  ],
  exitCodes: [[2, 'also: no order in doubt has the key, or another svc is sending it now']],

  async names(context) {
    const inDoubt = (await readOrders(context)).filter(isOpen);
    return inDoubt.map(({ key, summary }) => ({ name: key, about: summary }));
  },

  async run(context, { key, placed, notPlaced }) {
    if ((placed !== undefined) === notPlaced) {
      throw usageError(
        notPlaced
          ? '--placed and --not-placed cannot be used together.'
          : 'Say what became of the order.',
        'Use --placed <orderId> if the order exists, or --not-placed if it does not.',
      );
    }
    await setOlderOrdersAside(context);
    const getCommands = createResolveCommands(context);
    const entry = await chooseInDoubt(
      key,
      (one) => getCommands(one)[placed ? 'placed' : 'notPlaced'],
      context,
    );
    await confirm(entry, placed, context);
    if (!(await settleOrder(entry, placed, context))) {
      throw usageError(
        'Another svc is sending this order, or has settled it. Nothing was changed.',
        'svc orders',
      );
    }
    return document('orders settle', {
      idempotencyKey: key,
      placed: placed !== undefined,
      orderId: placed ?? null,
      createdAt: entry.createdAt,
      summary: entry.summary,
    });
  },

  human(screen, { placed, orderId, summary }) {
    const outcome = placed ? `order ${orderId}` : 'not placed';
    screen.success(`Settled as ${outcome}: ${summary}.`);
  },
});

async function confirm(
  entry: OrderEntry,
  orderId: string | undefined,
  context: Needs<'io' | 'globals' | 'line'>,
): Promise<void> {
  const { io, globals } = context;
  if (globals.yes) return;
  if (!io.interactive) throw needsYesError(context);
  const { summary, createdAt, address, account, org } = entry;
  const text = await drawScreen((screen) => {
    screen.fields([
      ['Order', summary],
      ['Sent', date(createdAt)],
      ['Address', address],
      ['Account', describeAccount(account)],
      ['Organization', org],
    ]);
  }, io.view(io.err));
  await io.err.write(text);
  const question = orderId ? `Close it as order ${orderId}?` : 'Close it as not placed?';
  if (!(await orCancelled('Nothing was changed.', () => io.confirm(question)))) {
    throw cancelledError('usage');
  }
}
