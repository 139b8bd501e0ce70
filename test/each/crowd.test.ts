import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Crowd, describeCrowd, SIZES, STRATEGIES, type Strategy, simulate } from './crowd.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/reliability.md'), 'utf8');
const CROWD: Crowd = {
  pipelines: 200,
  services: 5,
  workers: 4,
  perSecond: 10,
  startMs: 5_000,
  answerMs: 100,
  seed: 7,
};
const [, fixed, , , list] = STRATEGIES as [Strategy, Strategy, Strategy, Strategy, Strategy];

test('the table of docs/reliability.md is what the simulation gives', () => {
  const inPage = PAGE.split('\n').filter((line) => line.startsWith(`| ${SIZES[0].toLocaleString('en-US')} |`));
  expect(describeCrowd(SIZES[0]).rows).toEqual(inPage);
});

test('a crowd has the same course each time, and another seed another one', () => {
  expect(simulate(CROWD, list)).toEqual(simulate(CROWD, list));
  expect(simulate({ ...CROWD, seed: 8 }, list).refused).not.toBe(simulate(CROWD, list).refused);
});

test.each(STRATEGIES)('every service is restarted or given up, and no faster than the limit: $name', (strategy) => {
  const { ends, restarted, failed } = simulate(CROWD, strategy);
  expect([ends.length, restarted + failed]).toEqual([CROWD.pipelines, 1_000]);
  expect(restarted).toBeLessThanOrEqual(CROWD.perSecond * (1 + (ends.at(-1) ?? 0) / 1_000));
});

test('lists of svc restart every service, nearly as soon as the limit allows, with a fifth of the refusals', () => {
  const { ends, failed, refused } = simulate(CROWD, list);
  expect(failed).toBe(0);
  expect(ends.at(-1)).toBeLessThan(1.2 * (1_000 / CROWD.perSecond) * 1_000);
  expect(refused).toBeLessThan(simulate(CROWD, fixed).refused / 5);
});

test('a crowd that stays below the limit meets no refusal', () => {
  for (const strategy of STRATEGIES) {
    expect(simulate({ ...CROWD, perSecond: 1_000 }, strategy)).toMatchObject({ refused: 0, failed: 0 });
  }
});
