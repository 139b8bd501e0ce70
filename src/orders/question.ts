import { orCancelled } from '../cli/define/ask.ts';
import type { Needs } from '../cli/define/context.ts';
import type { ChosenCredential } from '../cli/settings/setting.ts';
import { formatPhone } from '../cli/values/phone.ts';
import { listed } from '../errors.ts';
import { date, piecesOf, type Screen, type Text } from '../terminal/screen.ts';
import { accountName } from './account.ts';
import type { OrderPlan } from './journal.ts';
import type { OrderStanding } from './match.ts';
import { isOld, type OrderEntry } from './order.ts';
import { type Outline, paymentText } from './outline.ts';
import { type Doubt, describeDoubt, doubtText, inDoubtAlready } from './refuse.ts';
import { settleLine } from './ways.ts';

/** Who pays, as the platform says. */
export interface Buyer {
  readonly email: string | undefined;
  readonly organization: string | undefined;
  /** Not of the organization that the order names. */
  readonly isStranger: boolean;
}

/** An order to confirm. */
export interface AtStake {
  readonly outline: Outline;
  /** In full: the payment prompt goes to it. */
  readonly phone: string | undefined;
  readonly credential: ChosenCredential;
  readonly buyer: Promise<Buyer | undefined>;
  readonly plan: OrderPlan;
  readonly networks: readonly string[];
  readonly lastPrices?: string | undefined;
  readonly isFree: boolean;
  /** By a key or `--new-order`: a second order is meant. */
  readonly isChosen: boolean;
}

/** What a person reads before the answer. */
export interface Question extends Omit<AtStake, 'buyer'> {
  /** This order, sent before. */
  readonly earlier?: OrderEntry | undefined;
  /** May be the same order; the latest if there are several. */
  readonly doubt?: Doubt | undefined;
  readonly settled?: OrderEntry | undefined;
  readonly other?: OrderEntry | undefined;
  readonly buyer: Buyer | undefined;
  readonly isChanged: boolean;
  /** Whether the platform may have forgotten its key. */
  readonly isOld: boolean;
}

/**
 * Asks for the confirmation. With `--yes`, says what the journal knows of the order instead. See
 * `Asking.agree`.
 * @throws CliError `usage` if the order may have been placed before, and there is nobody to ask
 */
export async function agree(
  context: Needs<'io' | 'globals' | 'time' | 'env' | 'program'>,
  order: AtStake,
  known: OrderStanding | undefined,
  isChanged: boolean,
): Promise<void> {
  const { io, globals } = context;
  const question = { ...order, ...whatIsKnown(context, order.plan, known), isChanged };
  const { earlier, doubt } = question;
  const canAsk = io.interactive && !globals.yes;
  if (doubt !== undefined && !order.plan.isNew && !canAsk) throw inDoubtAlready(context, doubt);
  if (globals.yes) await tell(context, question);
  const buyer = await io.during('Looking up your account', () => order.buyer);
  const mayExist = doubt !== undefined || earlier?.state === 'open';
  // What is known to be free costs nothing, unless the question is about another order as well.
  const word = !order.isFree || question.isOld || mayExist;
  await orCancelled(mayExist ? 'Nothing was sent.' : 'Nothing was ordered.', () =>
    io.confirmOrStop(
      questionFor(question),
      (screen) => showAtStake(screen, { ...question, buyer }),
      { word },
    ),
  );
  context.time.signal.throwIfAborted();
}

function whatIsKnown(
  context: Needs<'io' | 'globals' | 'time' | 'env' | 'program'>,
  plan: OrderPlan,
  known: OrderStanding | undefined,
) {
  if (known?.kind === 'same') {
    const { entry } = known;
    return {
      earlier: entry,
      isOld: entry.state === 'open' && isOld(entry, context.time.clock.now()),
    };
  }
  const latest = known?.doubts.at(-1);
  const doubt = latest && describeDoubt(context, latest, plan);
  return { doubt, settled: known?.settled, other: known?.other, isOld: false };
}

/** Says what the question would. */
async function tell({ io }: Needs<'io'>, question: Omit<Question, 'buyer'>): Promise<void> {
  const { earlier } = question;
  if (earlier !== undefined) await io.note(earlierText(earlier));
  if (question.isOld) await io.warn(FORGOTTEN, 'key_may_be_forgotten');
  for (const [text, code] of cautions(question)) await io.warn(text, code);
}

/** Shows an order, who pays it and how. */
export function showAtStake(screen: Screen, question: Question): void {
  const { outline, phone, credential, buyer, earlier, doubt, lastPrices } = question;
  const { org } = question.plan;
  screen.line();
  screen.heading('Your order');
  screen.list([...outline.items]);
  screen.line();
  screen.fields([
    ['Account', accountText(credential, buyer)],
    ['Organization', organizationText(org, buyer)],
    ['Payment', paymentText({ ...outline, phone: phone && formatPhone(phone) })],
    ['Currency', outline.currency === 'local' ? 'the local currency' : outline.currency],
    ['Promo code', outline.promo],
    ['Renewal', outline.autopay ? 'automatic, charged to this number' : 'by hand'],
    ['More fields', outline.others.length === 0 ? undefined : outline.others.join(', ')],
  ]);
  screen.line();
  screen.line(
    lastPrices === undefined
      ? 'svc cannot show the price in advance.'
      : `${lastPrices} The price of this order may be another one.`,
  );
  if (buyer?.isStranger) screen.warning(`You don't belong to an organization called "${org}".`);
  if (question.isChanged) screen.warning('This has changed while you were asked:');
  if (earlier !== undefined) screen.warning(earlierText(earlier));
  if (question.isOld) screen.warning(FORGOTTEN);
  for (const [text] of cautions(question)) screen.warning(text);
  if (doubt === undefined) return;
  const { ways } = doubt;
  const instead = ways.resume === undefined ? '' : ' To continue with the first one instead:';
  screen.line(`A second order may be charged as well.${instead}`);
  if (ways.resume !== undefined) screen.verbatim(ways.resume);
  screen.verbatim(settleLine(ways));
}

const FORGOTTEN =
  'The platform may have forgotten the key of this order by now. Sending it again then places a second order.';

function questionFor({ earlier, doubt }: Pick<Question, 'earlier' | 'doubt'>): string {
  if (doubt !== undefined) return 'Place a second order?';
  return earlier?.state === 'open' ? 'Continue with that order?' : 'Place this order?';
}

function earlierText(earlier: OrderEntry): Text {
  const { createdAt, state, orderId } = earlier;
  if (state === 'closed')
    return ['You used this key on ', date(createdAt), ` for order ${orderId ?? '(no id)'}.`];
  const sent = doubtText({ entry: earlier, isSame: true, isPart: false });
  return [
    ...piecesOf(sent),
    ' If the platform honours its key, it will not place the order twice.',
  ];
}

function cautions(question: Omit<Question, 'buyer'>): ReadonlyArray<readonly [Text, string]> {
  const { doubt, settled, other, isChosen, isFree, networks } = question;
  const { network } = question.outline;
  const found: Array<readonly [Text, string]> = [];
  if (network !== undefined && networks.length > 0 && !networks.includes(network.toLowerCase())) {
    found.push([
      `svc does not know the network ${network}, only ${listed(networks)}.`,
      'network_unknown',
    ]);
  }
  if (doubt !== undefined) found.push([doubtText(doubt), 'order_in_doubt']);
  if (settled !== undefined && !isChosen && !isFree) {
    const { createdAt, orderId } = settled;
    found.push([
      ['You sent this same order on ', date(createdAt), `: order ${orderId ?? '(no id)'}.`],
      'order_alike',
    ]);
  }
  if (other !== undefined) {
    const text = [
      'The result of another order is unknown, sent on ',
      date(other.createdAt),
      ` with ${accountName(other.account)}: ${other.summary}. To see it: svc orders`,
    ] as const;
    found.push([text, 'order_in_doubt']);
  }
  return found;
}

function accountText({ record, source }: ChosenCredential, buyer: Buyer | undefined): string {
  const email = buyer?.email ?? record?.email;
  const token = record === undefined ? `token from ${source}` : source;
  return email === undefined ? token : `${email} (${token})`;
}

function organizationText(org: string | undefined, buyer: Buyer | undefined): string {
  const name = buyer?.organization;
  if (org === undefined)
    return name === undefined ? 'the default one of the account' : `${name} (default)`;
  return name === undefined || name === org ? org : `${name} (${org})`;
}
