import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SERVICE_ARGUMENT } from '../kit/ask.ts';
import type { Context } from '../kit/context.ts';
import { defineCommand } from '../kit/define.ts';
import { answered, type Result } from '../kit/result.ts';
import { toIso } from '../kit/values/time.ts';
import type { MetricSeries } from '../metrics/points.ts';
import type { CsvTable } from '../terminal/csv.ts';
import { figuresOf } from './metrics/figures.ts';
import { judgeThresholds } from './metrics/judge.ts';
import { checkOptions, type MetricsRequest, OPTIONS, readRequest } from './metrics/request.ts';
import { showUsage } from './metrics/show-usage.ts';
import { toSvg } from './metrics/svg.ts';
import { askUsage, readUsage, type Usage } from './metrics/usage.ts';

interface Shown {
  readonly usage: Usage;
  /** The file of the picture. */
  readonly picture: string | undefined;
}

export default defineCommand({
  path: 'metrics',
  summary: 'Show CPU, memory and traffic of a service',
  effect: 'reads',
  args: SERVICE_ARGUMENT,
  each: 'service',
  alone: ['watch', 'interval', 'output', 'open'],
  options: OPTIONS,
  tool: {
    title: 'Usage of a service',
    says: 'CPU, memory, traffic and response time: last, min, avg, p95 and max of each series over a range, by default the last hour. For one look at everything call status. About 500 tokens; with points several thousand.',
    takes: {
      service: 'id of the service; default: the one that a person chose',
      since: 'start of the range: 6h (ago), 7d, 2026-03-01 or 2026-03-01T12:00:00Z',
      until: 'end of the range; default: now',
      step: { type: 'seconds', says: 'time between points; default: to suit the range' },
      series: 'only these series, such as cpu,memory',
      history: {
        name: 'points',
        says: 'answer with points too, at most 60 of each series; the range is a day by default',
      },
    },
  },
  examples: [
    ['svc metrics', 'the latest values of the linked service'],
    ['svc metrics --history', 'the last 24 hours'],
    ['svc metrics --since 7d --series cpu,memory', 'a week of two series, drawn'],
    ["svc metrics --since 15m --fail-if 'avg(cpu)>80'", 'an alarm for a script'],
    ['svc metrics --since 30d --csv', 'a month for a spreadsheet'],
    ['svc metrics --since 7d --output week.svg', 'a week as a picture'],
    ['svc metrics svc_wp_7k2m9qx4 svc_app_3n8v5tzd --json', 'several services, a line of JSON each'],
  ],
  exitCodes: [
    [9, 'the condition of --fail-if holds'],
    [12, 'the condition cannot be checked: there are no values in the range, or old ones only'],
  ],

  check: checkOptions,

  async run(context, options): Promise<Result<Shown | undefined>> {
    const request = await readRequest(context, options);
    if (options.watch) {
      const { watch } = await import('./metrics/watch.ts');
      return await watch(context, request);
    }
    const { threshold, output, series } = request;
    const isTool = context.io.host !== undefined;
    const needsValues = isTool || threshold !== undefined || output !== undefined || series.length > 0;
    const asked = await askUsage(context, await context.api.client(), request);
    if (context.settings.globals.json && !needsValues) return answered(asked.answer, undefined);
    const usage = readUsage(context, request, asked);
    const failure = judgeThresholds(request, usage);
    await draw(context, request, usage);
    const seen = { series: usage.all.map(({ name }) => ({ name })) };
    const result = answered(asked.answer, { usage, picture: request.output?.path }, failure);
    return { ...result, seen, forTool: () => figuresOf(usage, options.history) };
  },

  human(screen, shown) {
    if (shown === undefined) return;
    const { usage, picture } = shown;
    showUsage(screen, usage, { charts: picture === undefined });
    if (picture !== undefined) screen.success(`Drawn in ${picture}`);
    else if (!usage.history) screen.next([`svc metrics ${usage.service} --history`]);
  },

  csv: { what: 'the history', table: (shown) => usageTable(shown?.usage.series ?? []) },
});

async function draw(context: Context, { output, options }: MetricsRequest, usage: Usage): Promise<void> {
  if (output === undefined) return;
  await output.write(toSvg(usage));
  if (!options.open) return;
  const { io, system } = context;
  const path = resolve(system.cwd, output.path);
  const isOpening = await io.openBrowser(pathToFileURL(path), `The picture could not be opened: ${path}`);
  if (!isOpening) await io.note('There is no screen here to open the picture on.');
}

function usageTable(series: readonly MetricSeries[]): CsvTable {
  return { head: ['time', ...series.map(({ name }) => name)], rows: rowsOf(series) };
}

/** Yields row by row: a million points as text would fill the memory. */
function* rowsOf(series: readonly MetricSeries[]): Iterable<readonly unknown[]> {
  const times = series[0]?.times ?? new Float64Array();
  for (const [index, time] of times.entries()) yield [toIso(time), ...series.map(({ values }) => values[index])];
}
