import type { Context } from '../../command/context.ts';
import { CliError } from '../../errors.ts';
import { type Journal, openJournal } from '../../purchase/journal.ts';

/** The journal of purchases as a command uses it. */
export interface Ledger {
  /**
   * Does a step with the journal; answers nothing where the journal cannot be used although the user keeps the key.
   * @throws CliError `usage` where the journal cannot be used and nobody else knows the key.
   */
  use<T>(step: (journal: Journal) => T | Promise<T>): Promise<T | undefined>;
  /** Does a step after which nothing is lost if it fails; warns then. */
  tryTo(step: (journal: Journal) => Promise<void>): Promise<void>;
}

/** Opens the journal for a purchase; `ownKey` is the key that the user chose and keeps. */
export function openLedger(context: Context, ownKey: string | undefined): Ledger {
  const { io } = context;
  let isUsable = true;
  const open = (): Journal => openJournal(context.configFolder(), context.machine, context.clock);
  return {
    async use(step) {
      if (!isUsable) return undefined;
      try {
        return await step(open());
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        if (ownKey === undefined) throw withoutJournal(error);
        isUsable = false;
        await io.warn(`${error.message} svc cannot remember this purchase: keep its key.`);
        return undefined;
      }
    },
    async tryTo(step) {
      if (!isUsable) return;
      try {
        await step(open());
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        await io.warn(`${error.message} svc buy --pending still lists this purchase.`);
      }
    },
  };
}

function withoutJournal({ message, details }: CliError): CliError {
  const otherwise = 'svc buy --idempotency-key <key> …, with a key that you keep';
  return new CliError('usage', `${message} An order could then be placed twice, so nothing was sent.`, {
    ...details,
    hint: details.hint === undefined ? otherwise : `${details.hint}; or ${otherwise}`,
  });
}
