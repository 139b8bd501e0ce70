import { waitInWords } from '../api/retry.ts';
import type { Needs } from '../cli/define/context.ts';
import { CliError, usageError } from '../errors.ts';
import { date, plainOf, type Text } from '../terminal/screen.ts';
import { accountName } from './account.ts';
import type { OrderPlan } from './journal.ts';
import type { Obstacle } from './match.ts';
import { belongsTo, isOld, isSameContents, isSameRequest, type OrderEntry } from './order.ts';
import { doubtStep, settleLine, type Ways, waysOf } from './ways.ts';

const SECOND = 'For a second order, add --new-order.';

/** The error for an order that must not be sent. */
export function refusal(
  context: Needs<'io' | 'globals' | 'time' | 'env' | 'program'>,
  obstacle: Obstacle,
  wanted: OrderPlan,
): CliError {
  if (obstacle.kind === 'gone')
    return usageError('This order is no longer in doubt. Nothing was sent.', 'svc orders');
  const { key, summary, orderId = '(no id)', createdAt, contents, sender } = obstacle.entry;
  if (obstacle.kind === 'unsettled')
    return inDoubtAlready(context, describeDoubt(context, obstacle.entry, wanted));
  if (obstacle.kind === 'key_taken') {
    return usageError(
      `The key ${key} belongs to another order (${summary}). Nothing was sent. Choose another idempotency key, or none.`,
    );
  }
  if (obstacle.kind === 'key_used') {
    return usageError(
      `The key ${key} was used on ${createdAt} for order ${orderId}. The platform may have forgotten it, and place the ` +
        'order again. Nothing was sent.',
      'For a second order, choose another idempotency key.',
    ).with({ idempotencyKey: key });
  }
  if (obstacle.kind === 'finished') {
    return usageError(
      `Another svc has the answer to this order by now: order ${orderId}. Nothing was sent.`,
      'svc orders',
    );
  }
  const now = context.time.clock.now();
  const seconds = Math.max(1, Math.ceil((Date.parse(sender?.until ?? '') - now) / 1000));
  const what = isSameContents(contents, wanted.contents) ? 'this order' : 'a part of this order';
  return usageError(
    `Another svc is sending ${what} right now, with the key ${key}. Nothing was sent.`,
  ).with({
    lines: [
      `Repeat the command when it has ended, ${waitInWords(seconds, now).whenOver} at the latest.`,
      SECOND,
    ],
  });
}

/** An order whose outcome is unknown, beside the one that is wanted. */
export interface Doubt {
  readonly entry: OrderEntry;
  readonly ways: Ways;
  /** Of the account in use. */
  readonly isMine: boolean;
  /** By the very same request. */
  readonly isSame: boolean;
  /** Of other items, too, or of other quantities. */
  readonly isPart: boolean;
}

/** Compares both. */
export function describeDoubt(
  context: Needs<'io' | 'globals' | 'env' | 'program'>,
  entry: OrderEntry,
  wanted: OrderPlan,
): Doubt {
  const isMine = belongsTo(entry, wanted);
  const isSame = isMine && isSameRequest(entry, wanted);
  const isPart = !isSameContents(entry.contents, wanted.contents);
  return { entry, ways: waysOf(context, entry), isMine, isSame, isPart };
}

/**
 * For an order that may be placed already, where nobody can be asked whether a second one is meant.
 */
export function inDoubtAlready({ time }: Needs<'time'>, doubt: Doubt): CliError {
  const { entry, ways, isMine } = doubt;
  const mayBeForgotten = isOld(entry, time.clock.now())
    ? 'The platform may have forgotten its key by now. '
    : '';
  const check = [`${mayBeForgotten}Check first whether the order exists.`, settleLine(ways)];
  return usageError(
    `${plainOf(doubtText(doubt))} Nothing was sent.`,
    doubtStep(entry, ways, isMine),
  ).with({
    lines: [...(entry.state === 'open' ? check : []), SECOND],
    idempotencyKey: entry.key,
    orderId: entry.orderId,
  });
}

/** Says which order is in doubt. */
export function doubtText({
  entry,
  isSame,
  isPart,
}: Pick<Doubt, 'entry' | 'isSame' | 'isPart'>): Text {
  const { createdAt, account, org, summary, orderId } = entry;
  const trouble =
    orderId === undefined ? undefined : `: order ${orderId}, whose answer contradicts itself`;
  if (isSame)
    return [
      'You sent this same order on ',
      date(createdAt),
      `${trouble ?? ' and its result is unknown'}.`,
    ];
  const place = org === undefined ? '' : ` for the organization ${org}`;
  return [
    isPart ? 'A part of this was ordered on ' : 'The same was ordered on ',
    date(createdAt),
    ` with ${accountName(account)}${place}${trouble ?? ', and the result is unknown'}: ${summary}.`,
  ];
}

/** For an order that cannot be written down, by a user who does not keep its key. */
export function withoutJournal({ message, details }: CliError): CliError {
  return new CliError(
    'usage',
    `${message} An order could then be placed twice, so nothing was sent.`,
    {
      ...details,
      lines: [
        ...(details.lines ?? []),
        "Or choose a key and keep it: svc buy --idempotency-key <key> …, or svc api -H 'Idempotency-Key: <key>' …",
      ],
    },
  );
}
