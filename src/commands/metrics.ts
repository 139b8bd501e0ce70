import { getMetricsHistory } from '../api/call.ts';
import {
  defineCommand,
  document,
  type Printed,
  type Result,
  toResult,
} from '../cli/define/define.ts';
import { SERVICE_ARGUMENT } from '../cli/values/parameters.ts';
import { findOneSeries } from '../metrics/find-series.ts';
import { judgeConditions } from './metrics/conditions.ts';
import {
  createPointsTable,
  createSummaryTable,
  createToolAnswer,
  type ShownUsage,
  showSummary,
  showUsage,
  summarizeUsage,
} from './metrics/show.ts';
import { checkOptions, METRICS_OPTIONS, readRequest, readUsage } from './metrics/usage.ts';
import { toKnownService } from './shared/names.ts';

export default defineCommand({
  summary: 'Show CPU, memory and traffic of a service',
  effect: 'reads',
  args: SERVICE_ARGUMENT,
  options: METRICS_OPTIONS,
  tool: {
    title: 'Usage of a service',
    description:
      'CPU, memory, traffic and response time: last, min, avg, p95 and max of each series over a range, by default the last hour. About 500 tokens; with points several thousand.',
    arguments: {
      service: 'id of the service; default: the one that a person chose',
      since: 'start of the range: 6h (ago), 7d, 2026-03-01 or 2026-03-01T12:00:00Z',
      until: 'end of the range; default: now',
      step: { type: 'seconds', description: 'time between points; default: to suit the range' },
      series: 'only these series, such as cpu,memory',
      history: {
        name: 'points',
        description:
          'answer with points too, at most 60 of each series; the range is a day by default',
      },
    },
  },
  examples: [
    ['svc metrics --history', 'the last 24 hours of the linked service'],
    ["svc metrics --since 15m --fail-if 'avg(cpu)>80'", 'an alarm for a script'],
    ['svc metrics --since 30d --csv', 'a month for a spreadsheet'],
  ],
  exitCodes: [
    [9, 'a condition of --fail-if holds'],
    [12, 'a condition cannot be checked: too few values in the range, or old ones'],
  ],

  check: checkOptions,

  async run(context, options): Promise<Result<ShownUsage> | Printed> {
    const request = await readRequest(context, options);
    if (options.watch) {
      const { watch } = await import('./metrics/watch.ts');
      return await watch(context, request);
    }

    const { failIf, output, series, sort, summary: isSummary } = options;
    const needsValues = [isSummary, ...failIf, output, series, sort].some(Boolean);
    const isText = context.globals.json && context.io.host === undefined && !needsValues;
    const answer = await getMetricsHistory(
      await context.api.client(),
      context.assume,
      request.service,
      { ...request.range, isText },
    );
    // Nobody reads the value of a text.
    if (isText) return toResult(answer, undefined as never);

    const usage = readUsage(context, request, answer.value);
    if (sort !== undefined) findOneSeries(sort.series, usage);
    const failure = judgeConditions(failIf, usage);
    if (request.output !== undefined) {
      const { toSvg } = await import('./metrics/svg.ts');
      await request.output.write(toSvg(usage));
    }

    const summary = isSummary ? summarizeUsage(usage) : undefined;
    return {
      value: { usage, summary, file: request.output?.path },
      json: summary ? document('metrics summary', summary).json : answer.text,
      failure,
      forTool: () => createToolAnswer(usage, options.history),
      namesToCache: {
        series: usage.all.map(({ name }) => ({ name })),
        ...toKnownService(usage.beside, usage.service),
      },
      warnings: usage.warnings,
    };
  },

  human(screen, { usage, summary, file }) {
    if (file === '-') return;
    if (summary) {
      showSummary(screen, [summary]);
      return;
    }

    showUsage(screen, usage, file === undefined);
    if (file !== undefined) screen.success(`Picture saved: ${file}`);
    else if (!usage.history) screen.next([`svc metrics ${usage.service} --history`]);
  },

  batch: {
    of: 'service',
    checks: ['failIf'],
    async gather(context, options, items) {
      const { showTogether } = await import('./metrics/together.ts');
      if (!options.watch) return showTogether(context, options, items);
      const { watch } = await import('./metrics/watch.ts');
      const [first, ...others] = items.map(({ id }) => id);
      // The range of a batch stands still; that of a view moves with the clock.
      const viewContext = { ...context, batch: undefined };
      const request = await readRequest(viewContext, { ...options, service: first });
      return watch(viewContext, request, others);
    },
  },

  csv: {
    what: 'the history',
    table: ({ usage, summary }) =>
      summary ? createSummaryTable([summary]) : createPointsTable(usage),
  },
});
