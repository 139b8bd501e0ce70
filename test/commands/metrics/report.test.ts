import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createReport } from '../../../src/commands/metrics/together.ts';
import type { Usage } from '../../../src/commands/metrics/usage.ts';
import { against } from '../../support/against.ts';
import { temporaryFolder } from '../../support/svc.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const HOSTILE = '<script>alert(1)</script><b onclick="x">';

const pointsOf = (cpu: number) =>
  Array.from({ length: 672 }, (_, index) => ({
    time: new Date(NOON - (672 - index) * 900_000).toISOString(),
    cpuPercent: index % 96 === 5 ? null : cpu + 5 * Math.sin(index / 15),
  }));

test('a report of several services has alarms first, then what could not be read, and escapes names', async () => {
  const cwd = await temporaryFolder();
  const hostile = {
    service: { name: HOSTILE },
    points: pointsOf(50).map((point) => ({ ...point, [HOSTILE]: 1 })),
  };
  const usageOf = (id: string) => `GET /v1/services/${id}/metrics/history`;
  const answers = {
    [usageOf('a')]: [{ points: pointsOf(10) }],
    [usageOf('b')]: [{ points: pointsOf(90) }],
    [usageOf('c')]: [[404, { error: 'There is no service c.' }] as const],
    [usageOf('d')]: [hostile],
  };
  const words =
    '--concurrency 1 --since 7d --sort cpu:p95 --fail-if p95(cpu)>80 --report week.html';
  const done = await against(`metrics a b c d ${words}`, answers, { cwd });
  expect(done).toMatchObject({
    exitCode: 9,
    stdout: expect.stringContaining('✓ Written to week.html'),
  });
  expect(done.stderr).toBe('Alert: 1 of 4 services with an alarm, 2 done, 1 failed.\n');
  const html = await readFile(join(cwd, 'week.html'), 'utf8');
  expect([...html.matchAll(/<h2>(.{1,40})/g)].map(([, name]) => name?.slice(0, 1))).toEqual([
    'b',
    'c',
    '&',
    'a',
  ]);
  expect(html).toContain('2026-02-22T12:00:00Z to 2026-03-01T12:00:00Z, times in UTC');
  expect(html).toMatch(/alarms: 1<\/strong> · not read: 1/);
  expect(html).not.toMatch(/<script|<link|<img|src=|https?:|@import|url\(|<b onclick/);
});

test('a report has the highest rank first; from the 501st on there are figures and no picture', () => {
  const range = { start: '2026-03-01T11:00:00Z', end: '2026-03-01T12:00:00Z', stepSeconds: 60 };
  const report = createReport(range);
  const values = Float64Array.of(1, 2);
  const series = [
    {
      name: 'cpu',
      unit: '%',
      times: Float64Array.of(NOON - 60_000, NOON),
      values,
      everyMs: 60_000,
    },
  ];
  const usage = { series, range, beside: {} } as unknown as Usage;
  for (let index = 0; index <= 500; index += 1)
    report.add({
      usage,
      problem: undefined,
      alert: undefined,
      index,
      id: `s${index}`,
      rank: index,
    });
  const html = report.toHtml();
  const heads = [...html.matchAll(/<h2>(.+)<\/h2>/g)].map(([, name]) => name);
  expect(heads).toEqual(Array.from({ length: 501 }, (_, index) => `s${500 - index}`));
  expect([html.match(/<path/g)?.length, html.match(/last 2% · min 1%/g)?.length]).toEqual([
    500, 501,
  ]);
});

test('a report of one service is the same page', async () => {
  const cwd = await temporaryFolder();
  const answers = { 'GET /v1/services/a/metrics/history': [{ points: [] }] };
  expect(await against('metrics a --report a.html', answers, { cwd })).toMatchObject({
    exitCode: 0,
  });
  expect(await readFile(join(cwd, 'a.html'), 'utf8')).toContain('<h1>Usage of 1 service</h1>');
});
