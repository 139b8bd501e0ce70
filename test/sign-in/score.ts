import { TransportError, type TransportErrorKind } from '../../src/http/send.ts';
import type { PollResult } from '../../src/sign-in/exchange.ts';
import { type PollOptions, pollForToken } from '../../src/sign-in/poll.ts';
import type { StartedLogin } from '../../src/sign-in/start.ts';
import type { IssuedToken } from '../../src/sign-in/token.ts';
import { type FakeClock, fakeClock } from '../support/clock.ts';
import { ISSUED } from '../support/device-login.ts';

/** An answer that arrived; a body that is not text is sent as JSON. */
export function answer(
  status: number,
  body: unknown = '',
  headers: Record<string, string> = {},
): PollResult {
  return { status, headers, text: typeof body === 'string' ? body : JSON.stringify(body) };
}

/** An answer that was cut off after `text`. */
export function cut(status: number, text: string): PollResult {
  return { status, headers: {}, text, fault: new TransportError('reset', 'ECONNRESET', 'reset') };
}

/** One of the documented errors. */
export function error(value: unknown, status = 400, more: object = {}): PollResult {
  return answer(status, { error: value, ...more });
}

export function fault(kind: TransportErrorKind, code: string): PollResult {
  return new TransportError(kind, code, `broken: ${code}`);
}

export const pending = error('authorization_pending');
export const slowDown = error('slow_down');
export const approved = answer(200, { ...ISSUED, token: 'svc_CANARY_1' });

const LOGIN: StartedLogin = {
  apiUrl: 'https://api.example.com',
  clientName: 'marie-laptop',
  deviceCode: 'dev_SECRET',
  userCode: 'WDJB-MJHT',
  verificationUri: 'https://example.com/device',
  verificationUriComplete: undefined,
  intervalSeconds: 1,
  lifeSeconds: 900,
  isLifeKnown: true,
  startedAtMs: Date.parse('2026-03-01T12:00:00.000Z'),
  warnings: [],
};

/**
 * Plays a score: each poll takes the next answer, the last one again and again. No time passes but
 * by waiting. Returns the waits before each poll in seconds, and the end.
 */
export async function play(
  answers: ReadonlyArray<PollResult | (() => PollResult)>,
  change: Partial<StartedLogin> & {
    options?: Partial<PollOptions<IssuedToken>>;
    clock?: FakeClock;
  } = {},
) {
  const { options, clock = fakeClock(), ...login } = change;
  const waits: number[] = [];
  const kept: string[] = [];
  let endOfLast = clock.monotonic();
  let polls = 0;
  const end = await pollForToken({
    login: { ...LOGIN, ...login },
    clock,
    random: () => 0,
    signal: new AbortController().signal,
    report: () => {},
    keep(issued) {
      kept.push(issued.token);
      return issued;
    },
    async poll() {
      waits.push(Math.round(clock.monotonic() - endOfLast) / 1000);
      const next = answers[Math.min(polls, answers.length - 1)];
      polls += 1;
      endOfLast = clock.monotonic();
      if (next === undefined) throw new Error('the score has no answer');
      return typeof next === 'function' ? next() : next;
    },
    ...options,
  }).catch((thrown: Error) => thrown);
  return { waits, kept, end, clock };
}

export function endOf({ end }: Awaited<ReturnType<typeof play>>): string {
  if (!(end instanceof Error)) return `token ${end.kept.token}`;
  return 'exitCode' in end ? `exit ${end.exitCode}: ${end.message}` : `thrown: ${end.message}`;
}
