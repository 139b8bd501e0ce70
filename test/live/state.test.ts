import { describe, expect, test } from 'vitest';
import { type LiveEvent, type LiveState, readingOf, serviceOf, step } from '../../src/live/state.ts';
import { answer, BEGUN, keys, readingAt, stateAfter } from './stage.ts';

const READ = stateAfter([answer(readingAt(40))]);

/** The effect of the last of these events. */
function effectOf(events: readonly LiveEvent[], state: LiveState = READ) {
  return events.reduce((before, event) => step(before.state, event), { state } as ReturnType<typeof step>).effect;
}

describe('keys', () => {
  test.each([
    ['1', '1h', undefined],
    ['2', '6h', 'ask'],
    ['3', '1d', 'ask'],
    ['4', '7d', 'ask'],
    ['5', '30d', 'ask'],
    ['6', '1h', undefined],
  ])('%s shows the last %s', (key, range, effect) => {
    expect(stateAfter(keys(key), READ).range).toBe(range);
    expect(effectOf(keys(key))).toBe(effect);
  });

  test.each([
    [['\t'], 'svc_app'],
    [['right', 'right'], 'svc_vps'],
    [['right', 'right', 'right'], 'svc_wp'],
    [['left'], 'svc_vps'],
    [['back tab', 'back tab'], 'svc_app'],
  ])('%j goes to a service, and asks for it', (pressed, service) => {
    expect(serviceOf(stateAfter(keys(...pressed), READ)).id).toBe(service);
    expect(effectOf(keys(...pressed))).toBe('ask');
  });

  test('of one service there is no other', () => {
    const alone = { ...READ, services: READ.services.slice(0, 1) };
    expect(effectOf(keys('\t'), alone)).toBeUndefined();
    expect(stateAfter(keys('right'), alone).shown).toBe(0);
  });

  test.each([
    [['up'], 0],
    [['down', 'down'], 2],
    [Array.from({ length: 9 }, () => 'down'), 4],
    [['down', 'down', 'up'], 1],
  ])('%j chooses a series', (pressed, series) => {
    expect(stateAfter(keys(...pressed), READ).series).toBe(series);
  });

  test('before the first answer there is no series to choose', () => {
    expect(stateAfter(keys('down', 'down', 'up')).series).toBe(0);
  });

  test('Enter gives a series the whole screen, and Enter or Esc takes it back', () => {
    expect(stateAfter(keys('\r'), READ).isZoomed).toBe(true);
    expect(stateAfter(keys('\r', '\r'), READ).isZoomed).toBe(false);
    expect(stateAfter(keys('\r', '\u001b'), READ).isZoomed).toBe(false);
  });

  test('p pauses, which ends the wait for the next request, and p asks again', () => {
    expect(stateAfter(keys('p'), READ).isPaused).toBe(true);
    expect(effectOf(keys('p'))).toBe('turn');
    expect(stateAfter(keys('p', 'p'), READ).isPaused).toBe(false);
    expect(effectOf(keys('p', 'p'))).toBe('ask');
  });

  test.each([
    ['r', 'ask'],
    ['s', 'save'],
    ['o', 'open'],
    ['q', 'quit'],
    ['Q', 'quit'],
    ['x', undefined],
    ['j', undefined],
  ])('%s has the effect %s', (key, effect) => {
    expect(effectOf(keys(key))).toBe(effect);
  });

  test('? explains until the next key, which does nothing else, except for q', () => {
    const explaining = stateAfter(keys('?'), READ);
    expect(explaining.isExplaining).toBe(true);
    expect(step(explaining, keys('s')[0] as LiveEvent)).toMatchObject({ state: { isExplaining: false } });
    expect(effectOf(keys('s'), explaining)).toBeUndefined();
    expect(effectOf(keys('q'), explaining)).toBe('quit');
  });
});

describe('R restarts', () => {
  test('after y and Enter', () => {
    expect(effectOf(keys('R'))).toBeUndefined();
    expect(effectOf(keys('R', 'y'))).toBeUndefined();
    expect(effectOf(keys('R', 'y', '\r'))).toBe('restart');
    expect(stateAfter(keys('R', 'y', '\r'), READ)).toMatchObject({ restarting: 'svc_wp', reply: undefined });
  });

  test.each([
    ['Enter alone', ['R', '\r']],
    ['another letter', ['R', 'n']],
    ['y and another letter', ['R', 'y', 'e']],
    ['q', ['R', 'q']],
    ['Esc', ['R', '\u001b']],
    ['an arrow', ['R', 'y', 'down']],
  ])('not after %s', (_name, pressed) => {
    expect(effectOf(keys(...pressed))).toBeUndefined();
    expect(stateAfter(keys(...pressed), READ)).toMatchObject({ reply: undefined, note: { text: 'Not restarted.' } });
    expect(effectOf([...keys(...pressed), ...keys('y', '\r')])).toBeUndefined();
  });

  test('keys that come in one piece, or at once, answer nothing', () => {
    const piece = (key: string): LiveEvent => ({ kind: 'key', key, alone: false, at: 1000 });
    const atOnce = (key: string): LiveEvent => ({ kind: 'key', key, alone: true, at: 1005 });
    expect(effectOf([piece('R'), piece('y'), piece('\r')])).toBeUndefined();
    expect(effectOf([piece('R'), atOnce('y'), atOnce('\r')])).toBeUndefined();
    expect(stateAfter([piece('R'), piece('y'), piece('\r')], READ).reply).toBe('');
    expect(effectOf([...keys('R', 'y'), { kind: 'key', key: '\r', alone: true, at: 105 }])).toBeUndefined();
  });

  test('once at a time', () => {
    const restarting = stateAfter(keys('R', 'y', '\r'), READ);
    expect(stateAfter(keys('R'), restarting).reply).toBeUndefined();
    const note = { text: 'The restart of svc_wp was accepted.', tone: 'good' } as const;
    const mark = { time: 1, sign: 'R', text: 'restarted' } as const;
    const ended = stateAfter([{ kind: 'restarted', service: 'svc_wp', note, mark }], restarting);
    expect(ended).toMatchObject({ restarting: undefined, note, marks: { svc_wp: [mark] } });
    expect(stateAfter(keys('R'), ended)).toMatchObject({ reply: '', note: undefined });
  });
});

describe('answers', () => {
  test('keep the last values of the one before in the same range', () => {
    const twice = stateAfter([answer(readingAt(50))], READ);
    expect(readingOf(twice)?.before['cpuPercent']).toBe(READ.readings['svc_wp']?.charts[0]?.figures?.last);
    const other = stateAfter([answer(readingAt(50, { range: '6h' }))], READ);
    expect(readingOf(other)?.before).toEqual({});
  });

  test('end the trouble of their service, and of no other', () => {
    const lost = stateAfter(
      ['svc_wp', 'svc_app'].map((service): LiveEvent => ({ kind: 'trouble', service, text: 'Cannot reach it.' })),
      READ,
    );
    expect(readingOf(lost)).toBe(readingOf(READ));
    expect(stateAfter([answer(readingAt(50))], lost).troubles).toEqual({ svc_app: 'Cannot reach it.' });
  });
});

test('no event changes the state that it is given', () => {
  const frozen = deepFreeze(structuredClone(READ));
  const pressed = ['1', '2', '\t', 'left', 'up', 'down', '\r', '\u001b', 'p', 'r', 's', 'o', 'R', '?', 'q', 'z'];
  for (const event of [...keys(...pressed), answer(readingAt(1)), answer(readingAt(1), 'svc_app')]) step(frozen, event);
  expect(frozen).toEqual(READ);
  expect(BEGUN.readings).toEqual({});
});

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) deepFreeze(one);
  return Object.freeze(value);
}
