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

/** Refusals of the order itself: only these say something about the requests before this one. */
const REFUSALS: readonly ErrorCode[] = ['rejected', 'failed'];

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
  if (isOpen) return inDoubt(error, resumeCommand(context, record));
  if (earlier?.state === 'open' && !REFUSALS.includes(error.code)) return stillInDoubt(context, error, earlier);
  await ledger.tryTo((journal) =>
    earlier?.state === 'closed' ? journal.close(record, earlier.orderId) : journal.forget(record),
  );
  return error;
}

/** Whoever leads to another address has not taken the order: the address is wrong, and nothing was placed at it. */
function isRedirect({ code, details }: CliError): boolean {
  return code === 'unexpected' && details.status !== undefined && details.status < 400;
}

function inDoubt(error: CliError, hint: string): CliError {
  const { lines = [], idempotencyKey } = error.details;
  const isBug = error.code === 'unexpected' && !isRedirect(error);
  const message = error.code === 'interrupted' ? 'Interrupted while the order was on its way.' : error.message;
  return new CliError(isBug ? 'unavailable' : error.code, message, {
    ...error.details,
    outcome: 'unknown',
    lines: [...lines, 'The order may exist. This key keeps it from being placed twice:', `${idempotencyKey}`],
    hint,
  });
}

function stillInDoubt(context: Context, error: CliError, earlier: PurchaseRecord): CliError {
  const { lines = [] } = error.details;
  return error.with({
    outcome: 'unknown',
    lines: [
      ...lines,
      `The order sent on ${earlier.createdAt} may exist all the same. To go on with it later:`,
      resumeCommand(context, earlier),
    ],
  });
}
