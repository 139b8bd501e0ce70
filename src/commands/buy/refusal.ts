import type { Context } from '../../command/context.ts';
import { type CliError, usageError } from '../../errors.ts';
import type { Obstacle } from '../../purchase/match.ts';
import { resumeCommand } from './resume-command.ts';

/** Why an order is not sent although it is complete, and the ways on. */
export function refusal(context: Context, { kind, record }: Obstacle): CliError {
  const { key, summary } = record;
  if (kind === 'key_taken') {
    return usageError(
      `The key ${key} belongs to another order (${summary}). Nothing was sent.`,
      'another --idempotency-key, or none',
    );
  }
  return usageError(
    `Another svc is placing the same order right now, with the key ${key}. Nothing was sent.`,
    `wait for it; ${resumeCommand(context, record)} to join it; or --new-order for a second one`,
  );
}
