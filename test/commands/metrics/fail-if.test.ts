import { expect, test } from 'vitest';
import { fakeClock } from '../../support/clock.ts';
import { svc } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');

type Points = readonly (readonly [minutesAgo: number, cpu: number | null])[];

/** Runs `svc metrics svc_1 --fail-if …` at noon, on points so many minutes ago. */
async function judged(points: Points, line: string, more: object = {}) {
  const wire = await testWire();
  const body = points.map(([ago, cpu]) => ({ t: new Date(NOON - ago * 60_000).toISOString(), cpu, ...more }));
  wire.on('GET', '/v1/services/svc_1/metrics/history').reply(200, { points: body });
  const argv = [
    'metrics',
    'svc_1',
    ...line.split(' ').flatMap((word) => (/[<>=]/.test(word) ? ['--fail-if', word] : word)),
  ];
  return await svc(argv, { url: wire.url, clock: fakeClock() });
}

/** Points so many minutes apart, the last one so many minutes ago. */
function every(minutes: number, values: readonly (number | null)[], last = minutes): Points {
  return values.map((value, index) => [last + (values.length - 1 - index) * minutes, value]);
}

const FEW = every(5, [10, 20, 90, null, 30]);
const DAY = (now: number, before: number) => every(5, [...Array(283).fill(before), ...Array(5).fill(now)], 0);

/* biome-ignore format: a row a line */
test.each<[line: string, exitCode: number, says: string, points: Points]>([
  // A condition is about the latest value unless it names a figure.
  ['cpu>80', 0, '', FEW],
  ['cpu>30', 0, '', FEW],
  ['cpu>=30', 9, 'cpu is 30 at 2026-03-01T11:55:00Z (condition: cpu>=30)', FEW],
  ['cpu>29 --csv', 9, 'cpu is 30', FEW],
  ['max(cpu)>80', 9, 'max(cpu) is 90 at 2026-03-01T11:45:00Z (condition: max(cpu)>80)', FEW],
  ['min(cpu)<=10', 9, 'min(cpu) is 10 at 2026-03-01T11:50:00Z', every(5, [10, 20, 10, 30])],
  ['avg(cpu)>37.4', 9, 'avg(cpu) is 37.5 (condition: avg(cpu)>37.4)', FEW],
  ['avg(cpu)>37.6 --since 30m', 0, '', FEW],
  ['p95(cpu)<90 --since 30m', 0, '', FEW],
  // Of several, alarms come first, and decide.
  ['cpu>80 cpu>29', 9, 'Alert: cpu is 30 at 2026-03-01T11:55:00Z (condition: cpu>29)\n', FEW],
  ['avg(cpu)>99 max(cpu)>80', 9, '(condition: max(cpu)>80); avg(cpu)>99 cannot be checked', FEW],
  // An old value is not the latest one, whatever it is; two steps late is not old.
  ['cpu>80', 12, 'cpu has no value since 2026-03-01T11:01:00Z, 59m before the end', every(5, [10, 95], 59)],
  ['cpu<80', 12, 'cannot be checked. cpu has no value since', every(5, [10, 95], 59)],
  ['last(cpu)>80 --history', 12, 'cannot be checked. cpu has no value since', every(5, [10, 95], 59)],
  ['cpu>80', 0, '', every(5, [1, 1], 10)],
  ['cpu>80', 12, 'cpu has no value since', every(5, [1, 1], 11)],
  // What holds for the values that there are holds, whatever is missing; else they must cover half of the range.
  ['max(cpu)>80', 9, 'max(cpu) is 95 at 2026-03-01T11:00:00Z', every(5, [95, 10], 55)],
  ['avg(cpu)>50', 9, 'avg(cpu) is 52.5', every(5, [95, 10], 55)],
  ['avg(cpu)>99', 12, 'The values of cpu cover 41% of the range from ', every(5, [1, 2, 3, 4, 5])],
  ['avg(cpu)>99', 0, '', every(5, [1, 2, 3, 4, 5, 6])],
  ['avg(cpu)>99', 0, '', every(5, [1, 2, null, null, 3, null, 4, 5, 6])],
  ['avg(cpu)>99', 12, 'cover 33%', every(5, [1, 2, 3, null, null, null, null, null, 6])],
  ['max(cpu)>99 --since 10m', 12, 'cover 40%', every(1, [1, 1, 1, 1], 7)],
  // Points outside the asked range never count.
  ['avg(cpu)>80 --since 24m', 9, 'avg(cpu) is 97', DAY(97, 10)],
  ['min(cpu)>80 --since 24m', 9, 'min(cpu) is 97', DAY(97, 10)],
  ['max(cpu)<20 --since 24m', 9, 'max(cpu) is 10', DAY(10, 97)],
  ['p95(cpu)>80 --until 25m --since 3h', 0, '', DAY(97, 10)],
  ['max(cpu)<20 --until 25m --since 3h', 0, '', DAY(10, 97)],
  ['max(cpu)>90 --since 14m', 0, '', every(5, [95, 10, 10, 10], 0)],
  ['max(cpu)>90 --since 15m', 9, 'max(cpu) is 95', every(5, [95, 10, 10, 10], 0)],
  ['cpu>80 --until 2026-03-02', 0, '', FEW],
  // The range is sent in whole seconds, and the clock of the platform may be ahead.
  ['cpu>80 --since 1h --until 2026-03-01T11:30:00Z', 9, 'cpu is 95', [[30 - 0.999 / 60, 95]]],
  ['cpu>80 --since 1h --until 2026-03-01T11:30:00Z', 12, 'and none from', [[29.98, 95], [29.97, 95]]],
  ['cpu>80', 9, 'cpu is 95', [[3, 10], [-2, 95]]],
  ['max(cpu)>80', 12, 'The API answered with points from 2026-02-01T11:59:00Z to 2026', every(1, [95, 95], 28 * 24 * 60)],
  ['cpu>80 --since 6m', 12, '2026-03-01T12:00:00Z has a value of cpu.', every(3, [95, null, null], 1)],
  ['cpu>80', 12, 'There are no usage points from 2026-03-01T11:00:00Z to', []],
  ['cpu>80', 12, 'There is no number in the 1 usage point from', [[5, null]]],
  ['disk>1', 12, 'No usage point has a value of disk.', FEW],
  ['max(diskBytes)>1 --history', 12, 'No usage point has a value of diskBytes.', FEW],
  ['c>1', 2, 'There is no series "c".\n  Choose one of cpu.', FEW],
  ['memory>1', 2, 'There is no series "memory".', FEW],
])('--fail-if %s: exit code %i %s', async (line, exitCode, says, points) => {
  const more = line.includes('disk') ? { diskBytes: null } : {};
  const done = await judged(points, line, more);
  expect({ exitCode: done.exitCode, stderr: done.stderr }).toEqual({ exitCode, stderr: expect.stringContaining(says) });
  expect(done.stderr === '' || exitCode !== 0 || done.stderr.startsWith('Warning: The API answered')).toBe(true);
});

test('the answer is printed, too, and what holds is data', async () => {
  const people = await judged(FEW, 'cpu>1');
  expect(people).toMatchObject({ exitCode: 9, stdout: expect.stringMatching(/cpu .* 30\n/) });
  const csv = await judged(FEW, 'cpu>1 --csv');
  expect(csv).toMatchObject({ exitCode: 9, stdout: expect.stringMatching(/^time,cpu\n/) });
  const json = await judged(FEW, 'cpu>1 max(cpu)>80 avg(cpu)>99 --json');
  expect(json.json).toMatchObject({ points: [{ cpu: 10 }, {}, {}, {}, {}] });
  expect(json.error).toMatchObject({
    code: 'alert',
    exitCode: 9,
    alerts: [
      { series: 'cpu', figure: 'last', value: 30, limit: 1, at: '2026-03-01T11:55:00Z' },
      { series: 'cpu', figure: 'max', value: 90, limit: 80, at: '2026-03-01T11:45:00Z' },
    ],
  });
  const unchecked = await judged([], 'cpu>1 --json');
  expect(unchecked).toMatchObject({ exitCode: 12, json: { points: [] }, error: { code: 'no_data', exitCode: 12 } });
});
