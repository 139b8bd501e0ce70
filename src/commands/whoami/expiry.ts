import type { Needs } from '../../cli/define/context.ts';
import {
  describeVariableRenewal,
  signInCommand,
  suggestSignIn,
} from '../../cli/settings/unauthenticated.ts';
import { CliError, quote } from '../../errors.ts';
import { formatDay, isEndless, judgeExpiry } from '../../sign-in/expiry.ts';
import { formatDistance } from '../../terminal/format.ts';
import { date, type Text } from '../../terminal/screen.ts';

/** Returns the error of `--fail-if-expires`, or undefined if the token lives longer. */
export function findExpiryFailure(
  expiresAt: string | undefined,
  limitSeconds: number | undefined,
  settings: Needs<'settings'>['settings'],
  nowMs: number,
): CliError | undefined {
  if (limitSeconds === undefined) return undefined;
  const expiry = judgeExpiry(expiresAt, nowMs);
  if (expiry === undefined) {
    return new CliError(
      'no_data',
      expiresAt === undefined
        ? 'The platform does not say when this token expires.'
        : `svc cannot read ${quote(expiresAt)} as the time when this token expires.`,
      { hint: { say: 'Make a token that svc remembers:', run: [suggestSignIn(settings)] } },
    );
  }

  const endMs = Date.parse(expiry.at);
  const leftSeconds = (endMs - nowMs) / 1000;
  if (leftSeconds > limitSeconds) return undefined;
  const verb = expiry.isPast ? 'expired' : 'expires';
  return new CliError(
    'alert',
    `The token ${verb} ${formatDistance(endMs, nowMs)}, on ${formatDay(expiry.at)}.`,
    {
      hint: describeVariableRenewal(settings) ?? signInCommand(settings),
      alerts: [
        {
          series: 'token',
          figure: 'days',
          value: toDays(leftSeconds),
          limit: toDays(limitSeconds),
          at: expiry.at,
        },
      ],
    },
  );
}

function toDays(seconds: number): number {
  return Math.round(seconds / 864) / 100;
}

/** Returns the row of a screen that says when the token expires, and if that is soon, what to do. */
export function describeExpiry(
  expiresAt: string | undefined,
  nowMs: number,
  renewal: string | undefined,
): [label: string, value: Text | undefined] {
  if (expiresAt === undefined || isEndless(expiresAt)) return ['Token expires', undefined];
  const expiry = judgeExpiry(expiresAt, nowMs);
  const advice = renewal === undefined ? [] : [`. ${renewal}`];
  if (expiry?.isPast) return ['Token expired', [{ ...date(expiresAt), tone: 'bad' }, ...advice]];
  if (expiry?.isSoon) return ['Token expires', [{ ...date(expiresAt), tone: 'warn' }, ...advice]];
  return ['Token expires', date(expiresAt)];
}
