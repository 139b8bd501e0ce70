import { describeWait } from '../api/retry.ts';
import { type Needs, orCancelled } from '../cli/define/context.ts';
import { formatPhone } from '../cli/values/phone.ts';
import { CliError, type Hint, listNames, usageError } from '../errors.ts';
import { shellWord } from '../shell-line.ts';
import type { Screen } from '../terminal/screen.ts';
import type { Decision } from './decide.ts';
import {
  type Buyer,
  DEFAULT_CURRENCY,
  describeAge,
  describeBuyer,
  describeEarlierOrder,
  describeOrganization,
  describePayment,
  type PreparedOrder,
} from './description.ts';
import { isOpen, isSameAccount, type OrderEntry } from './entry.ts';
import { describeSettling, suggestNextStep } from './resolve.ts';

/**
 * Whether a person can be asked to confirm an order: at a terminal, or in the client of `svc mcp`.
 */
export function canAsk({ io }: Needs<'io'>): boolean {
  return io.host ? io.host.confirm !== undefined : io.interactive;
}

/**
 * Asks for the confirmation of an order. With `--yes`, says what the journal knows of it instead.
 * @param decision undefined if the journal cannot be used
 * @param isChanged whether somebody has agreed to it, and the journal has changed meanwhile
 * @throws CliError if it must not be sent, or is a second order and there is nobody to ask
 */
export async function confirmOrder(
  order: PreparedOrder,
  decision: Decision | undefined,
  isChanged: boolean,
  { io, globals, time }: Needs<'io' | 'globals' | 'time'>,
): Promise<void> {
  const now = time.clock.now();
  const hasPerson = canAsk({ io });
  if (decision?.kind === 'refused') throw createRefusal(decision, order, now);
  if (decision?.kind === 'second' && !hasPerson) {
    throw createSecondOrderError(decision.entries, order, now);
  }

  const warnings = findWarnings(order, decision, now);
  if (globals.yes) {
    for (const { text, code } of warnings) {
      await (code ? io.warn(text, code) : io.note(text));
    }
  }

  const buyer = hasPerson ? await order.lookUpBuyer() : undefined;
  const show = (screen: Screen) => {
    showOrderToConfirm(screen, order, buyer);
    if (isChanged) screen.warning('This has changed while you were asked:');
    for (const { text } of warnings) screen.warning(text);
    if (decision?.kind === 'second') showWaysOut(screen, decision.entries, order);
  };
  const otherQuestion = findOtherQuestion(decision);
  const nothing = otherQuestion ? 'Nothing was sent.' : 'Nothing was ordered.';
  // What is known to be free costs nothing, unless the question is about another order as well.
  const word = !order.isFree || otherQuestion !== undefined;
  const question = otherQuestion ?? 'Place this order?';
  await orCancelled(nothing, () => io.confirmOrStop(question, show, { word }));
  time.signal.throwIfAborted();
}

/** Finds the question about an order that is in doubt, or was placed before. */
function findOtherQuestion(decision: Decision | undefined): string | undefined {
  if (decision?.kind === 'second') return 'Place a second order?';
  const isOpenAgain = decision?.kind === 'again' && isOpen(decision.entry);
  return isOpenAgain ? 'Continue with that order?' : undefined;
}

/** Shows an order, who pays it and how. */
export function showOrderToConfirm(
  screen: Screen,
  order: PreparedOrder,
  buyer: Buyer | undefined,
): void {
  const { description, phone, lastPrices } = order;
  const { org } = order.draft;
  const { items, currency, promo, autopay, others } = description;
  screen.line();
  screen.heading('Your order');
  screen.list([...items]);
  screen.line();
  screen.fields([
    ['Account', describeBuyer(order.credential, buyer)],
    ['Organization', describeOrganization(org, buyer)],
    ['Payment', describePayment({ ...description, phone: phone && formatPhone(phone) })],
    ['Currency', currency === DEFAULT_CURRENCY ? undefined : currency],
    ['Price', lastPrices ?? (order.isFree ? undefined : 'not known in advance')],
    ['Promo code', promo],
    ['Renewal', autopay ? 'automatic, charged to this number' : 'by hand'],
    ['More fields', others.length === 0 ? undefined : others.join(', ')],
  ]);
  if (buyer?.isStranger) screen.warning(`You don't belong to an organization called "${org}".`);
}

const MAX_SHOWN = 3;

/** Shows how to go on with the orders in doubt instead of placing a second one. */
function showWaysOut(
  screen: Screen,
  entries: readonly OrderEntry[],
  { getCommands }: PreparedOrder,
): void {
  screen.line('A second order may be charged as well.');
  for (const entry of entries.filter(isOpen).slice(0, MAX_SHOWN)) {
    const commands = getCommands(entry);
    if (commands.resume) {
      screen.line('To continue with the first one instead:');
      screen.verbatim(commands.resume);
    }
    screen.verbatim(describeSettling(commands));
  }
}

interface OrderWarning {
  readonly text: string;
  /** A word for scripts; absent if they need not hear of it. */
  readonly code?: string;
}

function findWarnings(
  { networks, draft, description: { network } }: PreparedOrder,
  decision: Decision | undefined,
  now: number,
): readonly OrderWarning[] {
  const describe = (entry: OrderEntry) => describeEarlierOrder(entry, draft, now);
  const warnings: OrderWarning[] = [];
  if (network && networks.length > 0 && !networks.includes(network.toLowerCase())) {
    const text = `svc does not know the network ${network}, only ${listNames(networks)}.`;
    warnings.push({ text, code: 'network_unknown' });
  }
  if (decision?.kind === 'new' && decision.entry) {
    const code = isOpen(decision.entry) ? 'order_in_doubt' : 'order_failed_before';
    warnings.push({ text: describe(decision.entry), code });
  }
  if (decision?.kind === 'again') {
    warnings.push({
      text: `${describe(decision.entry)} If the platform honours its key, it will not place the order twice.`,
    });
  }
  if (decision?.kind === 'second') {
    const { entries } = decision;
    const texts = entries.slice(0, MAX_SHOWN).map(describe);
    const more = entries.length - MAX_SHOWN;
    if (more > 0) texts.push(`${more} more in doubt: svc orders`);
    warnings.push(...texts.map((text) => ({ text })));
  }
  return warnings;
}

/**
 * Creates the error for an order that would be a second one, if there is nobody to ask whether it
 * is meant.
 */
function createSecondOrderError(
  entries: readonly [OrderEntry, ...OrderEntry[]],
  { draft, newOrder, getCommands }: PreparedOrder,
  now: number,
): CliError {
  const [first] = entries;
  const { key, orderId } = first;
  const message = `${describeEarlierOrder(first, draft, now)} Nothing was sent.`;
  const facts = { idempotencyKey: key, orderId };
  const inDoubt = entries.filter(isOpen);
  if (!isOpen(first)) {
    // A bare --new-order would have placed it again.
    const doubtKey = inDoubt[0]?.key ?? newOrder;
    const line = doubtKey
      ? `The order in doubt with the key ${doubtKey} stops it as well: resume or settle that one first (svc orders).`
      : 'To place it again: --new-order';
    return new CliError('already_placed', message, { ...facts, lines: [line], hint: 'svc orders' });
  }

  const commands = getCommands(first);
  const lines = [
    inDoubt.length === 1
      ? `To place this order all the same, add ${shellWord(`--new-order=${key}`)}.`
      : `${inDoubt.length} orders are in doubt: resume or settle them first (svc orders).`,
    'A loop needs an --idempotency-key of its own for each order.',
  ];
  if (!orderId) {
    const forgotten = commands.resume ? '' : 'The platform may have forgotten its key by now. ';
    lines.unshift(`${forgotten}Check first whether the order exists.`, describeSettling(commands));
  }
  const next = suggestNextStep(first, commands, isSameAccount(first, draft));
  return usageError(message, next).with({ ...facts, lines });
}

/** Creates the error for an order that must not be sent, whoever agrees to it. */
function createRefusal(
  { obstacle, entry }: Extract<Decision, { kind: 'refused' }>,
  order: PreparedOrder,
  now: number,
): CliError {
  const { key, summary, orderId, createdAt, sender } = entry;
  switch (obstacle) {
    case 'contradictory':
      return createSecondOrderError([entry], order, now);
    case 'settled':
      return usageError('This order is no longer in doubt. Nothing was sent.', 'svc orders').with({
        orderId,
      });
    case 'not_in_doubt':
      return usageError(
        `No order in doubt has the key ${key}, which --new-order names. Nothing was sent.`,
        'svc orders',
      );
    case 'being_sent': {
      const seconds = Math.max(1, Math.ceil((Date.parse(sender?.until ?? '') - now) / 1000));
      const { whenOver } = describeWait(seconds, now);
      return usageError(
        `Another svc is sending this order right now, with the key ${key}. Nothing was sent.`,
      ).with({
        idempotencyKey: key,
        lines: [
          `Repeat the command when it has ended, ${whenOver} at the latest.`,
          `For a second order, add ${shellWord(`--new-order=${key}`)}.`,
        ],
      });
    }
    case 'key_of_another':
      return refuseKey(entry, `belongs to another order (${summary}).`);
    case 'key_too_old': {
      const what = orderId ? ` for order ${orderId}` : '';
      const hint = orderId ? undefined : suggestNextStep(entry, order.getCommands(entry));
      return refuseKey(
        entry,
        `was used ${describeAge(createdAt, now)}${what}. The platform may have forgotten it, and place the order again.`,
        hint,
      );
    }
  }
}

function refuseKey(
  { key, orderId }: OrderEntry,
  why: string,
  hint: Hint = 'For another order, choose another idempotency key, or none.',
): CliError {
  const message = `The key ${key} ${why} Nothing was sent.`;
  return usageError(message, hint).with({ idempotencyKey: key, orderId });
}
