import { CliError, type Settling, usageError } from '../errors.ts';
import type { Context } from '../kit/context.ts';
import { waitInWords } from '../service/retry.ts';
import { date, plainOf, type Text } from '../terminal/screen.ts';
import { accountName } from './account.ts';
import { type Begun, type OrderJournal, type OrderPlan, openJournal } from './journal.ts';
import { isObstacle, type Match, type OrderStanding } from './match.ts';
import { belongsTo, isOld, type OrderEntry } from './order.ts';
import { resumeStep, settleLine, type Ways, waysOf } from './ways.ts';

/** A purchase whose outcome is unknown, and the command lines that end it. */
export interface Doubt {
  readonly record: OrderEntry;
  readonly ways: Ways;
  /** Whether the account in use placed it. */
  readonly isMine: boolean;
  /** Whether it was the very same request. */
  readonly isSame: boolean;
}

/** What the journal knows of a purchase that was not sent yet. */
export interface Known {
  readonly standing: OrderStanding | undefined;
  /** This purchase, sent before. */
  readonly earlier?: OrderEntry | undefined;
  /** May be the same order; the latest if there are several. */
  readonly doubt?: Doubt | undefined;
  /** The same order, whose answer the user has. */
  readonly settled?: OrderEntry | undefined;
  /** Another order whose outcome is unknown. */
  readonly other?: OrderEntry | undefined;
}

/** A purchase that may be sent now. */
export interface Going {
  readonly key: string;
  /** JSON; the same bytes as before if it was sent before. */
  readonly body: string;
  /** Undefined if the journal cannot be used and the user keeps the key. */
  readonly begun: Begun | undefined;
  /** For an end that leaves its outcome unknown. */
  readonly settling: Settling;
}

/** See {@link openLedger}. */
export type Ledger = ReturnType<typeof openLedger>;

/** Opens the journal of orders in the configuration folder. */
export function openJournalOf({ vault, system: { machine, clock } }: Context): OrderJournal {
  return openJournal(vault.folder(), machine, clock);
}

/** Time that a command may need beside its requests. */
const MARGIN_MS = 30_000;

/**
 * Opens the journal for one command. `look` and `begin` throw CliError `usage` if the purchase must not be sent, or the
 * journal cannot be used and the user does not keep the key.
 * @param ownKey the key that the user chose and keeps
 */
export function openLedger(context: Context, ownKey: string | undefined) {
  const { io, settings } = context;
  const patienceMs = settings.globals.timeoutSeconds * 1000 + MARGIN_MS;
  let isUsable = true;

  const use = async <T>(
    step: (journal: OrderJournal) => T | Promise<T>,
    unusable: (error: CliError) => Promise<void>,
  ) => {
    if (!isUsable) return undefined;
    try {
      return await step(openJournalOf(context));
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      await unusable(error);
      return undefined;
    }
  };
  const doWithout = async (error: CliError) => {
    if (error.code === 'interrupted') throw error;
    if (ownKey === undefined) throw withoutJournal(error);
    isUsable = false;
    await io.warn(`${error.message} svc cannot remember this purchase: keep its key.`, 'not_remembered');
  };

  return {
    async look(plan: OrderPlan): Promise<Known> {
      const match = await use((journal) => journal.look(plan), doWithout);
      return match === undefined ? { standing: undefined } : known(context, plan, match);
    },
    /** Writes the purchase down; if the journal knows more by now than what the user was told, returns that instead. */
    async begin(plan: OrderPlan, told: Known): Promise<{ readonly going: Going } | { readonly known: Known }> {
      const begun = await use((journal) => journal.begin(plan, patienceMs, told.standing), doWithout);
      if (begun === undefined) return { going: goingWithout(plan, ownKey) };
      if (begun.kind !== 'begun') {
        return { known: known(context, plan, begun.kind === 'changed' ? begun.standing : begun) };
      }
      const { key, body } = begun.record;
      return { going: { key, body, begun, settling: settlingOf(waysOf(context, begun.record), key) } };
    },
    /** Warns if the step fails, because nothing is lost then. */
    async tryTo(step: (journal: OrderJournal) => Promise<unknown>): Promise<void> {
      await use(step, ({ message }) =>
        io.warn(`${message} svc orders still lists this order as in doubt.`, 'not_remembered'),
      );
    },
  };
}

/** Throws a usage error if the purchase must not be sent, or only a person may decide and none can be asked. */
function known(context: Context, plan: OrderPlan, match: Match): Known {
  if (isObstacle(match)) throw refusal(context, match);
  if (match.kind === 'same') return { standing: match, earlier: match.record };
  const latest = match.doubts.at(-1);
  const doubt = latest && doubtOf(context, plan, latest);
  const canAsk = context.io.interactive && !context.settings.globals.yes;
  if (doubt !== undefined && !plan.isNew && !canAsk) throw inDoubtAlready(context, doubt);
  return { standing: match, doubt, settled: match.settled, other: match.other };
}

function doubtOf(context: Context, plan: OrderPlan, record: OrderEntry): Doubt {
  const isMine = belongsTo(record, plan);
  const isSame = isMine && record.org === plan.org && record.fingerprint === plan.fingerprint;
  return { record, ways: waysOf(context, record), isMine, isSame };
}

function goingWithout(plan: OrderPlan, key: string | undefined): Going {
  if (key === undefined) throw new Error('a purchase must have a key');
  const settling = { lines: mayExist(key), hint: 'Repeat the command: it carries the key.' };
  return { key, body: plan.body, begun: undefined, settling };
}

function settlingOf(ways: Ways, key: string): Settling {
  return { lines: [...mayExist(key), settleLine(ways)], hint: ways.resume };
}

function mayExist(key: string): readonly string[] {
  return ['The order may exist. If the platform honours this key, it will not place the order twice:', key];
}

function withoutJournal({ message, details }: CliError): CliError {
  return new CliError('usage', `${message} An order could then be placed twice, so nothing was sent.`, {
    ...details,
    lines: [...(details.lines ?? []), 'Or choose a key and keep it: svc buy --idempotency-key <key> …'],
  });
}

const SECOND = 'For a second order, add --new-order.';

function refusal(context: Context, match: Exclude<Match, OrderStanding>): CliError {
  if (match.kind === 'gone') {
    return usageError('This order is no longer in doubt. Nothing was sent.', 'svc orders');
  }
  const { key, summary, orderId, createdAt, sender } = match.record;
  if (match.kind === 'key_taken') {
    return usageError(
      `The key ${key} belongs to another order (${summary}). Nothing was sent. Choose another --idempotency-key, or none.`,
    );
  }
  if (match.kind === 'key_used') {
    return usageError(
      `The key ${key} was used on ${createdAt} for order ${orderId ?? '(no id)'}, and the platform may have forgotten it ` +
        'by now: it could place the order again. Nothing was sent.',
      'If you want a second order, choose another --idempotency-key.',
    ).with({ idempotencyKey: key });
  }
  if (match.kind === 'finished') {
    return usageError(
      `Another svc has the answer to this order by now: order ${orderId ?? '(no id)'}. Nothing was sent.`,
      'svc orders',
    );
  }
  const now = context.system.clock.now();
  const seconds = Math.max(1, Math.ceil((Date.parse(sender?.until ?? '') - now) / 1000));
  return usageError(`Another svc is sending this order right now, with the key ${key}. Nothing was sent.`).with({
    lines: [`Repeat the command when it has ended, ${waitInWords(seconds, now).whenOver} at the latest.`, SECOND],
  });
}

/** For an order that may be placed already, where nobody can be asked whether a second one is meant. */
function inDoubtAlready({ system }: Context, doubt: Doubt): CliError {
  const { record, ways, isMine } = doubt;
  const mayBeForgotten = isOld(record, system.clock.now()) ? 'The platform may have forgotten its key by now. ' : '';
  return usageError(`${plainOf(doubtText(doubt))} Nothing was sent.`, resumeStep(record, ways, isMine)).with({
    lines: [`${mayBeForgotten}Check first whether the order exists.`, settleLine(ways), SECOND],
    idempotencyKey: record.key,
  });
}

/** Says which order is in doubt. */
export function doubtText({ record, isSame }: Pick<Doubt, 'record' | 'isSame'>): Text {
  const { createdAt, account, org, summary } = record;
  if (isSame) return ['You sent this same order on ', date(createdAt), ' and its result is unknown.'];
  const place = org === undefined ? '' : ` for the organization ${org}`;
  return [
    'The same was ordered on ',
    date(createdAt),
    ` with ${accountName(account)}${place}, and the result is unknown: ${summary}.`,
  ];
}
