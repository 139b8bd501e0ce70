import { expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { findPoints } from '../../src/metrics/points.ts';

const POINT = { n: 1 };

function failure(answer: unknown, field = ''): string {
  try {
    return `found: ${JSON.stringify(findPoints(answer, field))}`;
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== 'unexpected') throw error;
    const { hint } = error.details;
    return hint === undefined ? error.message : `${error.message} ${hint}`;
  }
}

test('the one list of objects is the points, wherever it stands', () => {
  for (const answer of [[POINT], { points: [POINT] }, { a: { b: { c: [POINT] } }, tags: ['a'], count: 2, none: [] }]) {
    expect(findPoints(answer, '').points).toEqual([POINT]);
  }
  for (const answer of [[], { points: [] }, { a: { b: [] } }]) expect(findPoints(answer, '').points).toEqual([]);
});

test('a named field is the points, dotted where it is nested', () => {
  const answer = { requests: [{ n: 2 }], usage: { points: [POINT] } };
  expect(findPoints(answer, 'usage.points').points).toEqual([POINT]);
  expect(findPoints(answer, 'requests').points).toEqual([{ n: 2 }]);
});

test('an error about a field that is not a list names the lists', () => {
  const answer = { requests: [POINT], usage: {} };
  expect(failure(answer, 'points')).toBe(
    'The answer has no list named points, which metrics.points says. Print the answer with --json, and set SVC_ASSUME=metrics.points=requests.',
  );
  for (const field of ['constructor', 'usage', 'usage.points', '__proto__', '.', 'requests.0']) {
    expect(failure(answer, field)).toContain(`has no list named ${field}`);
  }
  expect(failure([], 'points')).toContain('has no list named points');
});

test('an answer with no list, or with several, is an error with a hint', () => {
  const none = 'The answer has no usage points in a form that svc can read.';
  expect(failure({ cpu: 5 })).toBe(none);
  expect(failure({ a: [POINT], b: { c: [POINT] } })).toBe(
    'The answer has several lists that could be the usage points: a, b.c. Print the answer with --json, and set SVC_ASSUME=metrics.points=a.',
  );
  for (const answer of [{ a: [1, 2] }, [1, 2], [[1, 2]], null, 'x', 5, true]) expect(failure(answer)).toContain(none);
});

test('of many lists five are named', () => {
  const answer = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`list${index}`, [POINT]]));
  expect(failure(answer)).toContain('list0, list1, list2, list3, list4 and 995 more. Print');
});
