import type { Context } from '../../command/context.ts';
import { type Env, signInVariablesIn } from '../../environment.ts';
import { CliError, usageError } from '../../errors.ts';
import { parseBaseUrl } from '../../http/address.ts';
import { waitInWords } from '../../service/retry.ts';
import { shellWord } from '../../shell-line.ts';
import { type Begun, type Journal, openJournal, type Plan } from '../../vault/purchases/journal.ts';
import { isObstacle, type Obstacle } from '../../vault/purchases/match.ts';
import type { PurchaseRecord } from '../../vault/purchases/record.ts';

/** Builds the command line that sends a purchase again, for the shell that svc runs in. */
export function resumeCommand(
  { io, settings: { globals }, system: { env, platform } }: Context,
  { key, address, org, account }: Pick<PurchaseRecord, 'key' | 'address' | 'org' | 'account'>,
): string {
  const profile = 'profile' in account ? account.profile : undefined;
  // These variables take precedence over --profile.
  const unset = profile === undefined || platform === 'win32' ? [] : signInVariablesIn(env);
  // A profile has its address, unless the environment names another one.
  const url = addressOf(env);
  const isNamed = url === address || (profile !== undefined && url === undefined);
  const words = [
    ...(unset.length === 0 ? [] : ['env', ...unset.flatMap((name) => ['-u', name])]),
    'svc',
    'buy',
    // A separate word that starts with a hyphen would be another option.
    ...(key.startsWith('-') ? [`--resume=${key}`] : ['--resume', key]),
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(isNamed ? [] : ['--api-url', address]),
    ...(org === undefined ? [] : ['--org', org]),
    ...(globals.yes || !io.interactive ? ['--yes'] : []),
  ];
  return words.map((word) => shellWord(word)).join(' ');
}

/** Returns SVC_API_URL in its normal form, or unchanged if it is invalid. */
function addressOf(env: Env): string | undefined {
  const text = env['SVC_API_URL']?.trim();
  if (!text) return undefined;
  try {
    return parseBaseUrl(text, { allowHttp: true });
  } catch {
    return text;
  }
}

/** Records of the journal about a purchase that was not sent yet. */
export interface Known {
  /** This purchase, sent before. */
  readonly earlier?: PurchaseRecord | undefined;
  /** Another purchase of the same things. */
  readonly alike?: PurchaseRecord | undefined;
  /** The same purchase, sent more than a day ago, its outcome unknown; a person decides. */
  readonly unresolved?: PurchaseRecord | undefined;
}

/** A purchase that may be sent now. */
export interface Going {
  readonly key: string;
  /** JSON; the same bytes as before if it was sent before. */
  readonly body: string;
  /** Undefined if the journal cannot be used and the user keeps the key. */
  readonly begun: Begun | undefined;
}

/**
 * The journal as one command uses it. `look` and `begin` throw CliError `usage` if the purchase must not be sent, or the
 * journal cannot be used and the user does not keep the key.
 */
export interface Ledger {
  look(plan: Plan): Promise<Known>;
  begin(plan: Plan): Promise<Going>;
  /** Warns if the step fails, because nothing is lost then. */
  tryTo(step: (journal: Journal) => Promise<void>): Promise<void>;
}

export function openJournalOf({ vault, system: { machine, clock } }: Context): Journal {
  return openJournal(vault.folder(), machine, clock);
}

/** Time that a command may need beside its requests. */
const MARGIN_MS = 30_000;

/** @param ownKey the key that the user chose and keeps */
export function openLedger(context: Context, ownKey: string | undefined): Ledger {
  const { io, settings } = context;
  const { globals } = settings;
  const patienceMs = globals.timeoutSeconds * 1000 + MARGIN_MS;
  let isUsable = true;

  const use = async <T>(step: (journal: Journal) => T | Promise<T>, unusable: (error: CliError) => Promise<void>) => {
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
    async look(plan) {
      const match = await use((journal) => journal.look(plan), doWithout);
      if (match === undefined) return {};
      if (match.kind === 'unresolved' && io.interactive && !globals.yes) return { unresolved: match.record };
      if (isObstacle(match)) throw refusal(context, match);
      return match.kind === 'same' ? { earlier: match.record } : { alike: match.alike };
    },
    async begin(plan) {
      const begun = await use((journal) => journal.begin(plan, patienceMs), doWithout);
      if (begun !== undefined && isObstacle(begun)) throw refusal(context, begun);
      const key = begun?.record.key ?? ownKey;
      if (key === undefined) throw new Error('a purchase must have a key');
      return { key, body: begun?.record.body ?? plan.body, begun };
    },
    async tryTo(step) {
      await use(step, ({ message }) =>
        io.warn(`${message} svc buy --pending still lists this purchase.`, 'not_remembered'),
      );
    },
  };
}

function withoutJournal({ message, details }: CliError): CliError {
  return new CliError('usage', `${message} An order could then be placed twice, so nothing was sent.`, {
    ...details,
    lines: [...(details.lines ?? []), 'Or choose a key and keep it: svc buy --idempotency-key <key> …'],
  });
}

const SECOND = 'For a second order, add --new-order.';

function refusal(context: Context, { kind, record }: Obstacle): CliError {
  const { key, summary, createdAt, sender } = record;
  if (kind === 'key_taken') {
    return usageError(
      `The key ${key} belongs to another order (${summary}). Nothing was sent. Choose another --idempotency-key, or none.`,
    );
  }
  if (kind === 'finished') {
    return usageError(
      `Another svc has the answer to this order by now: order ${record.orderId}. Nothing was sent.`,
      'svc buy --pending',
    );
  }
  if (kind === 'in_flight') {
    const now = context.system.clock.now();
    const seconds = Math.max(1, Math.ceil((Date.parse(sender?.until ?? '') - now) / 1000));
    return usageError(`Another svc is sending this order right now, with the key ${key}. Nothing was sent.`).with({
      lines: [`Repeat the command when it has ended, ${waitInWords(seconds, now).whenOver} at the latest.`, SECOND],
    });
  }
  return usageError(
    `You sent this same order on ${createdAt} and its result is unknown. Nothing was sent.`,
    resumeCommand(context, record),
  ).with({
    lines: ['The service may have forgotten its key by now. Check first whether the order exists.', SECOND],
    idempotencyKey: key,
  });
}
