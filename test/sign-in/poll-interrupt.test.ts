import { expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import type { LoginAnswer } from '../../src/sign-in/exchange.ts';
import { approvedLate } from '../../src/sign-in/texts.ts';
import { type FakeClock, fakeClock } from '../support/clock.ts';
import { answer, approved, endOf, error, fault, pending, play } from './score.ts';

const CANCELLED = 'Login cancelled. Do not approve code WDJB-MJHT.';
const MAY_EXIST = [
  'If it was approved already, a token named "marie-laptop" may exist: revoke it in Settings > API tokens.',
];

/** Ctrl-C and the like, as the entry point makes them. */
function interrupts() {
  const controller = new AbortController();
  const interrupt = (exitCode = 130) => controller.abort(new CliError('interrupted', 'Interrupted.', { exitCode }));
  return { signal: controller.signal, interrupt };
}

/** A poll whose answer comes when the test says so; tells when nobody waits for it any more. */
function slowPoll() {
  let [begin, reply, fail] = [() => {}, (_answer: LoginAnswer) => {}, (_reason: unknown) => {}];
  const asked = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const answered = new Promise<LoginAnswer>((resolve, reject) => {
    [reply, fail] = [resolve, reject];
  });
  let isAbandoned = false;
  const poll = (_deviceCode: string, signal: AbortSignal) => {
    signal.addEventListener('abort', () => {
      isAbandoned = true;
      fail(signal.reason);
    });
    begin();
    return answered;
  };
  return { asked, reply, poll, wasAbandoned: () => isAbandoned };
}

test.each([130, 143, 129])('an interrupt while waiting ends at once, with exit code %i', async (exitCode) => {
  const { signal, interrupt } = interrupts();
  const clock = fakeClock();
  clock.onSleep(() => clock.waits.length === 3 && interrupt(exitCode));
  const played = await play([pending], { clock, intervalSeconds: 30, options: { signal } });
  expect(endOf(played)).toBe(`exit ${exitCode}: ${CANCELLED}`);
  expect(played.waits).toEqual([]);
  expect(clock.monotonic()).toBe(3000);
  expect(played.end).toMatchObject({ details: { lines: undefined } });
});

test('an interrupt that came before the first wait sends nothing', async () => {
  const played = await play([pending], { options: { signal: AbortSignal.abort(new Error('over')) } });
  expect([endOf(played), played.waits]).toEqual([`exit 130: ${CANCELLED}`, []]);
});

/** Interrupts a login while a poll is under way. */
async function interrupted(act: (run: { reply: (answer: LoginAnswer) => void; hurry: () => void }) => void) {
  const { signal, interrupt } = interrupts();
  const hurry = new AbortController();
  const { poll, asked, reply, wasAbandoned } = slowPoll();
  const playing = play([], { clock: clockWithLastingGrace(), options: { signal, poll, hurry: hurry.signal } });
  await asked;
  interrupt(143);
  act({ reply, hurry: () => hurry.abort() });
  return { ...(await playing), wasAbandoned: wasAbandoned() };
}

test('a token that arrives within two seconds of the interrupt is kept', async () => {
  const { end, events, wasAbandoned } = await interrupted(({ reply }) => reply(approved));
  expect(end).toMatchObject({ issued: { token: 'svc_CANARY_1' }, interruptedBy: { exitCode: 143 } });
  expect(events.at(-1)).toEqual({ kind: 'notice', text: 'Cancelling… waiting 2 s for the answer.' });
  expect(wasAbandoned).toBe(false);
});

test.each([
  ['not approved yet', pending, undefined],
  ['lost on the way', fault('reset', 'ECONNRESET'), MAY_EXIST],
  ['a success without a token', answer(200, {}), MAY_EXIST],
  ['refused', error('access_denied'), undefined],
])('an answer in those two seconds that is %s ends the login as cancelled', async (_what, late, lines) => {
  const { end, wasAbandoned } = await interrupted(({ reply }) => reply(late));
  expect(end).toMatchObject({ exitCode: 143, message: CANCELLED, details: { lines } });
  expect(wasAbandoned).toBe(false);
});

test('a second interrupt ends those two seconds', async () => {
  const { end, wasAbandoned } = await interrupted(({ hurry }) => hurry());
  expect(end).toMatchObject({ exitCode: 143, message: CANCELLED, details: { lines: MAY_EXIST } });
  expect(wasAbandoned).toBe(true);
});

test('after two seconds without an answer the request is abandoned, and the error names what may exist', async () => {
  const { signal, interrupt } = interrupts();
  const { poll, asked, wasAbandoned } = slowPoll();
  const clock = fakeClock();
  const playing = play([], { clock, options: { signal, poll } });
  await asked;
  interrupt();
  expect((await playing).end).toMatchObject({ exitCode: 130, message: CANCELLED, details: { lines: MAY_EXIST } });
  expect([clock.waits.at(-1), wasAbandoned()]).toEqual([2000, true]);
});

test('an approval just before the interrupt says who is signed in and keeps the exit code of the signal', () => {
  const late = approvedLate('marie@example.com', new CliError('interrupted', 'Interrupted.', { exitCode: 129 }));
  expect([late.exitCode, late.message]).toEqual([
    129,
    'Approved just before you cancelled: signed in as marie@example.com (svc logout to undo).',
  ]);
});

/** A clock that never waits, except for the two seconds of grace, which only an abort ends. */
function clockWithLastingGrace(): FakeClock {
  const clock = fakeClock();
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
    if (ms !== 2000) return clock.sleep(ms, signal);
    return new Promise((_resolve, reject) => {
      if (signal?.aborted) reject(signal.reason);
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  };
  return { ...clock, sleep };
}
