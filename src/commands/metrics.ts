import { resolve } from 'node:path';
import type { Context } from '../command/context.ts';
import type { Attach, Declaration } from '../command/declaration.ts';
import { splitAtCommas } from '../command/parse/comma-list.ts';
import { parseDuration } from '../command/parse/duration.ts';
import { answered, type Result } from '../command/result.ts';
import type { Screen } from '../io/screen.ts';
import { usageTable } from './metrics/csv.ts';
import { openPicture } from './metrics/picture.ts';
import { type MetricsOptions, type MetricsRequest, readRequest } from './metrics/request.ts';
import { showUsage } from './metrics/show-usage.ts';
import { toSvg } from './metrics/svg.ts';
import { askUsage, judge, readUsage, type Usage } from './metrics/usage.ts';
import { watch } from './metrics/watch.ts';
import { withProgress } from './shared/with-progress.ts';

export type { MetricsOptions } from './metrics/request.ts';

interface Shown {
  readonly usage: Usage;
  /** The picture that was written. */
  readonly picture: string | undefined;
}

export function define(parent: Declaration, attach: Attach): void {
  const command = parent
    .command('metrics')
    .description('Show what a service uses: the latest values, or their history')
    .argument('[service]', 'id of the service (default: SVC_SERVICE, or the linked one)')
    .option('--history', 'show all points of the last 24 hours')
    .option('--since <instant>', 'start of the history: 6h (ago), 2026-03-01, 2026-03-01T12:00:00Z')
    .option('--until <instant>', 'end of the history (default: now)')
    .option('--step <duration>', 'time between two points (default: chosen to suit the range)', (text: string) =>
      parseDuration(text, '--step', { bareUnit: 's' }),
    )
    .option('--series <names>', 'show only these series, as in cpu,memory', (text: string) =>
      splitAtCommas(text, '--series').map((name) => name.trim()),
    )
    .option('--watch', 'draw the usage again and again until Ctrl-C; on a terminal only')
    .option('--output <file.svg>', 'write the history as a picture')
    .option('--open', 'open that picture')
    .option(
      '--fail-if <condition>',
      "exit with code 9 if this holds, as in 'cpu>80' (the latest value) or 'p95(cpu)>60'",
    )
    .option('--any', 'let --fail-if judge every point, not the latest alone');
  attach(command, {
    run,
    human,
    csv: ['the history', (shown) => usageTable(shown?.usage.series ?? [])],
    examples: [
      ['svc metrics', 'the latest values of the linked service'],
      ['svc metrics --history', 'the last 24 hours'],
      ['svc metrics --since 7d --series cpu,memory', 'a week of two series, drawn'],
      ["svc metrics --since 15m --fail-if 'avg(cpu)>80'", 'an alarm for a script'],
      ['svc metrics --since 30d --csv', 'a month for a spreadsheet'],
      ['svc metrics --since 7d --output week.svg', 'a week as a picture'],
    ],
    exitCodes: [[9, 'the condition of --fail-if holds, or there are no values to check, or old ones only']],
  });
}

export async function run(context: Context, options: MetricsOptions): Promise<Result<Shown | undefined>> {
  const request = await readRequest(context, options);
  if (options.watch === true) return await watch(context, request);
  const { threshold, output, series } = request;
  const needsValues = threshold !== undefined || output !== undefined || series.length > 0;
  const stream = needsValues ? undefined : context.io.stream;
  const asked = await withProgress(context.io, 'Reading the usage', async () =>
    askUsage(context, await context.api.client(), request, stream),
  );
  if (context.settings.globals.json && !needsValues) return answered(asked.answer, undefined);
  const usage = readUsage(context, request, asked);
  const failure = judge(request, usage);
  await draw(context, request, usage);
  return answered(asked.answer, { usage, picture: request.output?.path }, failure);
}

export function human(screen: Screen, shown: Shown | undefined): void {
  if (shown === undefined) return;
  const { usage, picture } = shown;
  showUsage(screen, usage, { charts: picture === undefined });
  if (picture !== undefined) screen.success(`Drawn in ${picture}`);
  else if (!usage.history) screen.next([`svc metrics ${usage.service} --history`]);
}

async function draw(context: Context, { output, options }: MetricsRequest, usage: Usage): Promise<void> {
  if (output === undefined) return;
  await output.write(toSvg(usage));
  if (options.open === true) await openPicture(context, resolve(context.system.cwd, output.path));
}
