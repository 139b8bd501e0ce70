import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closest, countEdits, parseChoice } from '../../../src/kit/values/choice.ts';
import { tries } from '../../support/property.ts';
import { refusal } from '../../support/refusal.ts';

test('a choice is one of the words, spelt exactly so', () => {
  expect(parseChoice('USD', '--currency', ['USD', 'local'])).toBe('USD');
  expect(refusal(() => parseChoice('usd', '--currency', ['USD', 'local']))).toBe(
    '--currency "usd" is not one of USD, local. For example: --currency USD',
  );
  expect(refusal(() => parseChoice('', '--lang', ['fr', 'en']))).toContain('For example: --lang fr');
});

test('the nearest word is the one that was meant', () => {
  const words = ['restart', 'metrics', 'deployments', 'db'];
  expect(closest('restrat', words)).toBe('restart');
  expect(closest('metric', words)).toBe('metrics');
  expect(closest('DEPLOYMENT', words)).toBe('deployments');
  expect(closest('bd', words)).toBe('db');
  expect(closest('weather', words)).toBeUndefined();
  expect(closest('', words)).toBeUndefined();
  expect(closest('r'.repeat(100_000), words)).toBeUndefined();
});

test('a swap of neighbours is one edit', () => {
  expect(countEdits('paln', 'plan')).toBe(1);
  expect(countEdits('ca', 'abc')).toBe(3);
  expect(countEdits('', 'abc')).toBe(3);
});

test('the count of edits is a distance', () => {
  const word = fc.stringMatching(/^[abc]{0,7}$/);
  const isDistance = (one: string, other: string) => {
    const edits = countEdits(one, other);
    const isBounded = edits <= Math.max(one.length, other.length) && edits >= Math.abs(one.length - other.length);
    return edits === countEdits(other, one) && isBounded && (edits === 0) === (one === other);
  };
  fc.assert(fc.property(word, word, isDistance), tries(1_000, 191));
});

test('a word with one letter changed is found again', () => {
  const words = ['deployments', 'completion', 'profiles', 'metrics'];
  const isFound = (word: string, at: number) =>
    closest(`${word.slice(0, at % word.length)}x${word.slice((at % word.length) + 1)}`, words) === word;
  fc.assert(fc.property(fc.constantFrom(...words), fc.nat(), isFound), tries(200, 192));
});
