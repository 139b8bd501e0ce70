import { EventEmitter, once } from 'node:events';
import { expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import type { PollResult } from '../../src/sign-in/exchange.ts';
import { fakeClock } from '../support/clock.ts';
import { answer, approved, endOf, fault, pending, play } from './score.ts';

const CANCELLED = 'Login cancelled. Do not approve code WDJB-MJHT.';
const MAY_EXIST = [expect.stringContaining('a token named "marie-laptop" may exist')];

function interrupts() {
  const controller = new AbortController();
  const interrupt = (exitCode: number) =>
    controller.abort(new CliError('interrupted', 'Interrupted.', { exitCode }));
  return { signal: controller.signal, interrupt };
}

test.each<[before: string, answers: readonly PollResult[], lines: object | undefined]>([
  ['nothing but waits', [pending], undefined],
  ['a lost answer', [answer(200, { approved: true }), pending], MAY_EXIST],
])(
  'an interrupt after %s ends the login at once, with the exit code of its signal',
  async (_, answers, lines) => {
    const { signal, interrupt } = interrupts();
    const clock = fakeClock();
    clock.onSleep(() => clock.waits.length === 35 && interrupt(129));
    const played = await play(answers, { clock, intervalSeconds: 30, options: { signal } });
    expect([endOf(played), played.waits, clock.monotonic()]).toEqual([
      `exit 129: ${CANCELLED}`,
      [30],
      35_000,
    ]);
    expect(played.end).toMatchObject({ details: { lines } });
  },
);

/**
 * Interrupts a login while a poll is under way. The two seconds of grace last unless it is met with
 * silence.
 */
async function interrupted(reply: PollResult | 'force quit' | 'silence') {
  const { signal, interrupt } = interrupts();
  const forceQuit = new AbortController();
  const events = new EventEmitter();
  let wasAbandoned = () => false;
  const poll = async (_deviceCode: string, abandoned: AbortSignal): Promise<PollResult> => {
    wasAbandoned = () => abandoned.aborted;
    events.emit('asked');
    const [given] = await once(events, 'answer', { signal: abandoned });
    return given;
  };
  const clock = fakeClock();
  const { sleep: pass } = clock;
  const last = async (given?: AbortSignal) => void (await once(events, 'never', { signal: given }));
  clock.sleep = (ms, given) => (ms === 2000 && reply !== 'silence' ? last(given) : pass(ms, given));
  const asked = once(events, 'asked');
  const playing = play([], { clock, options: { signal, poll, forceQuitSignal: forceQuit.signal } });
  await asked;
  interrupt(143);
  if (reply === 'force quit') forceQuit.abort();
  else if (reply !== 'silence') events.emit('answer', reply);
  const { end, clock: passed } = await playing;
  return { end, waits: passed.waits, wasAbandoned: wasAbandoned() };
}

test.each<
  [
    what: string,
    reply: PollResult | 'force quit' | 'silence',
    lines: object | undefined,
    isAbandoned?: boolean,
  ]
>([
  ['an answer that is not approved yet', pending, undefined],
  ['an answer that is lost on the way', fault('reset', 'ECONNRESET'), MAY_EXIST],
  ['a second interrupt', 'force quit', MAY_EXIST, true],
  ['two seconds without an answer', 'silence', MAY_EXIST, true],
])('%s ends the login as cancelled', async (_what, reply, lines, isAbandoned = false) => {
  const { end, waits, wasAbandoned } = await interrupted(reply);
  expect(end).toMatchObject({ exitCode: 143, message: CANCELLED, details: { lines } });
  expect(wasAbandoned).toBe(isAbandoned);
  if (reply === 'silence') expect(waits.at(-1)).toBe(2000);
});

test('a token that arrives within two seconds of the interrupt is kept', async () => {
  const kept = { kept: { token: 'svc_CANARY_1' }, interruptedBy: { exitCode: 143 } };
  expect(await interrupted(approved)).toMatchObject({ end: kept, wasAbandoned: false });
});
