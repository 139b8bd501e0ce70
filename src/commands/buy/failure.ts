import type { Context } from '../../command/context.ts';
import { asCliError } from '../../command/report.ts';
import { CliError, type ErrorCode } from '../../errors.ts';
import type { PurchaseRecord } from '../../purchase/record.ts';
import type { Going, Ledger } from './ledger.ts';
import { resumeCommand } from './resume-command.ts';

/** Ends after which this request has ordered nothing, unless the error says otherwise. */
const DEFINITE: readonly ErrorCode[] = [
  'usage',
  'rejected',
  'unauthenticated',
  'forbidden',
  'not_found',
  'rate_limited',
  'unavailable',
  'interrupted',
  'failed',
];

/** Ends that have a way out of their own, also where an earlier request is in doubt: the code still says so. */
const KEPT: readonly ErrorCode[] = ['usage', 'unauthenticated', 'forbidden', 'rate_limited', 'interrupted'];

/**
 * What a purchase that got no order ends with. Where the order may exist all the same, the error says how to go on; where
 * nothing was ordered, the journal forgets the purchase.
 */
export async function endOf(
  context: Context,
  thrown: unknown,
  { key, begun }: Going,
  ledger: Ledger,
): Promise<CliError> {
  const error = asCliError(thrown).with({ idempotencyKey: key });
  const isOpen = error.details.outcome === 'unknown' || !(DEFINITE.includes(error.code) || isRedirect(error));
  if (begun === undefined) return isOpen ? inDoubt(error, 'the same command again: it carries the key') : error;
  const { record, earlier } = begun;
  if (isOpen || earlier?.state === 'open') {
    await ledger.tryTo((journal) => journal.release(record));
    const resume = resumeCommand(context, record);
    return isOpen ? inDoubt(error, resume) : stillInDoubt(error, record, resume);
  }
  await ledger.tryTo((journal) =>
    earlier?.state === 'closed' ? journal.close(record, earlier.orderId) : journal.forget(record),
  );
  return error;
}

/** Whoever leads to another address has not taken the order: the address is wrong, and nothing was placed at it. */
function isRedirect({ code, details }: CliError): boolean {
  return code === 'unexpected' && details.status !== undefined && details.status < 400;
}

/** The order may exist: this request has left, and no answer says what became of it. */
function inDoubt(error: CliError, hint: string): CliError {
  const { lines = [], idempotencyKey, attempts = 1 } = error.details;
  const isBug = error.code === 'unexpected' && !isRedirect(error);
  const message = error.code === 'interrupted' ? 'Interrupted while the order was on its way.' : error.message;
  return new CliError(isBug ? 'unavailable' : error.code, message, {
    ...error.details,
    outcome: 'unknown',
    lines: [
      ...lines,
      ...(attempts > 1 ? [`svc tried ${attempts} times. With --no-retry, it sends an order only once.`] : []),
      'The order may exist. A service that honours this key does not place it twice:',
      `${idempotencyKey}`,
    ],
    hint,
  });
}

/** This request was refused, which does not undo what an earlier one may have done. */
function stillInDoubt(error: CliError, { createdAt }: PurchaseRecord, resume: string): CliError {
  const { lines = [], hint } = error.details;
  const isKept = KEPT.includes(error.code);
  return new CliError(isKept ? error.code : 'unavailable', error.message, {
    ...error.details,
    outcome: 'unknown',
    lines: [
      ...lines,
      `The order sent on ${createdAt} may exist all the same. Look for it before you place another one (--new-order).`,
      ...(isKept ? ['To resume it later:', resume] : []),
    ],
    hint: isKept ? hint : resume,
  });
}
