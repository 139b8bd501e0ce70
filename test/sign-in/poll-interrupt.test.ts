import { EventEmitter, once } from 'node:events';
import { expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import type { LoginAnswer } from '../../src/sign-in/exchange.ts';
import { fakeClock } from '../support/clock.ts';
import { answer, approved, endOf, error, fault, pending, play } from './score.ts';

const CANCELLED = 'Login cancelled. Do not approve code WDJB-MJHT.';
const MAY_EXIST = [
  'If it was approved already, a token named "marie-laptop" may exist: revoke it in Settings > API tokens.',
];

/** Ctrl-C and the like, as the entry point makes them. */
function interrupts() {
  const controller = new AbortController();
  const interrupt = (exitCode: number) => controller.abort(new CliError('interrupted', 'Interrupted.', { exitCode }));
  return { signal: controller.signal, interrupt };
}

test.each<[before: string, answers: readonly LoginAnswer[], lines: object | undefined]>([
  ['nothing but waits', [pending], undefined],
  ['a lost answer', [answer(200, { approved: true }), pending], MAY_EXIST],
])('an interrupt after %s ends the login at once, with the exit code of its signal', async (_, answers, lines) => {
  const { signal, interrupt } = interrupts();
  const clock = fakeClock();
  clock.onSleep(() => clock.waits.length === 35 && interrupt(129));
  const played = await play(answers, { clock, intervalSeconds: 30, options: { signal } });
  expect([endOf(played), played.waits, clock.monotonic()]).toEqual([`exit 129: ${CANCELLED}`, [30], 35_000]);
  expect(played.end).toMatchObject({ details: { lines } });
});

test('an interrupt that came before the first wait sends nothing', async () => {
  const played = await play([pending], { options: { signal: AbortSignal.abort(new Error('over')) } });
  expect([endOf(played), played.waits]).toEqual([`exit 130: ${CANCELLED}`, []]);
});

type Reply = (answer: LoginAnswer) => unknown;

/** Interrupts a login while a poll is under way. The two seconds of grace last unless `isOver`. */
async function interrupted(act: (reply: Reply, hurry: () => void) => void, isOver = false) {
  const { signal, interrupt } = interrupts();
  const hurry = new AbortController();
  const events = new EventEmitter();
  let wasAbandoned = () => false;
  const poll = async (_deviceCode: string, abandoned: AbortSignal): Promise<LoginAnswer> => {
    wasAbandoned = () => abandoned.aborted;
    events.emit('asked');
    const [reply] = await once(events, 'answer', { signal: abandoned });
    return reply;
  };
  const clock = fakeClock();
  const { sleep: pass } = clock;
  // A grace that only an abort ends.
  const last = async (signal?: AbortSignal) => void (await once(events, 'never', { signal }));
  clock.sleep = (ms, given) => (ms === 2000 && !isOver ? last(given) : pass(ms, given));
  const asked = once(events, 'asked');
  const playing = play([], { clock, options: { signal, poll, hurry: hurry.signal } });
  await asked;
  interrupt(143);
  act(
    (one) => events.emit('answer', one),
    () => hurry.abort(),
  );
  return { ...(await playing), wasAbandoned: wasAbandoned() };
}

test('a token that arrives within two seconds of the interrupt is kept', async () => {
  const { end, events, wasAbandoned } = await interrupted((reply) => reply(approved));
  expect(end).toMatchObject({ kept: { token: 'svc_CANARY_1' }, interruptedBy: { exitCode: 143 } });
  expect(events.at(-1)).toEqual({ kind: 'notice', text: 'Cancelling… waiting 2 s for the answer.' });
  expect(wasAbandoned).toBe(false);
});

const late = (one: LoginAnswer) => (reply: Reply) => reply(one);
test.each<[what: string, act: Parameters<typeof interrupted>[0], lines: object | undefined, isAbandoned?: boolean]>([
  ['an answer that is not approved yet', late(pending), undefined],
  ['an answer that is lost on the way', late(fault('reset', 'ECONNRESET')), MAY_EXIST],
  ['a success without a token', late(answer(200, {})), MAY_EXIST],
  ['a refusal', late(error('access_denied')), undefined],
  ['a second interrupt', (_reply, hurry) => hurry(), MAY_EXIST, true],
  ['two seconds without an answer', () => {}, MAY_EXIST, true],
])('%s ends the login as cancelled', async (what, act, lines, isAbandoned = false) => {
  const { end, clock, wasAbandoned } = await interrupted(act, what.startsWith('two seconds'));
  expect(end).toMatchObject({ exitCode: 143, message: CANCELLED, details: { lines } });
  expect(wasAbandoned).toBe(isAbandoned);
  if (what.startsWith('two seconds')) expect(clock.waits.at(-1)).toBe(2000);
});
