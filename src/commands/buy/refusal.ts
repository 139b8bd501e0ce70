import type { Context } from '../../command/context.ts';
import { CliError, usageError } from '../../errors.ts';
import type { Obstacle } from '../../purchase/match.ts';
import { resumeCommand } from './resume-command.ts';

/** Why an order is not sent although it is complete, and the ways on. */
export function refusal(context: Context, { kind, record }: Obstacle): CliError {
  const { key, summary, createdAt, sender } = record;
  if (kind === 'key_taken') {
    return usageError(
      `The key ${key} belongs to another order (${summary}). Nothing was sent.`,
      'another --idempotency-key, or none',
    );
  }
  if (kind === 'finished') {
    return usageError(
      `Another svc has the answer to this order by now: order ${record.orderId}. Nothing was sent.`,
      'svc buy --pending, for the orders whose outcome is unknown',
    );
  }
  if (kind === 'in_flight') {
    return usageError(
      `Another svc is sending this order right now, with the key ${key}. Nothing was sent.`,
      `the same command when it has ended, after ${sender?.until} at the latest; or --new-order for a second order`,
    );
  }
  return new CliError(
    'usage',
    `The same order was sent on ${createdAt} and its outcome is unknown. Nothing was sent.`,
    {
      lines: ['The service may have forgotten its key by now. Look whether the order exists first.'],
      hint: `${resumeCommand(context, record)}, to send it again with its key; or --new-order, for a second order`,
      idempotencyKey: key,
    },
  );
}
