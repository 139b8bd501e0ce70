import { quoted, usageError } from '../../errors.ts';
import { SERVICE_OPTION } from '../../kit/ask.ts';
import type { Context } from '../../kit/context.ts';
import type { WithTable } from '../../kit/define.ts';
import { fileOption, flag, list, option, type Values } from '../../kit/parameters.ts';
import { notBlank } from '../../kit/values/choice.ts';
import { splitAtCommas } from '../../kit/values/commas.ts';
import { parseDuration, parseInstant, toIso } from '../../kit/values/time.ts';
import { chooseStep } from '../../metrics/series.ts';
import type { MetricsRange } from '../../service/operations.ts';
import { claimOutput, type OutputFile } from '../shared/output-file.ts';
import { parseCondition, parseOrder } from './conditions.ts';

const inSeconds = (text: string, field: string) => parseDuration(text, field, { bareUnit: 's' });

/** The options of `svc metrics`. */
export const METRICS_OPTIONS = {
  ...SERVICE_OPTION,
  history: flag('show all points of the last 24 hours'),
  since: option('time', 'start of the history: 6h (ago), yesterday or 2026-03-01 (midnight UTC), 2026-03-01T12:00:00Z'),
  until: option('time', 'end of the history (default: now); a date means midnight UTC'),
  step: option('duration', 'time between points (default: chosen to suit the range)', inSeconds),
  series: option(
    'names',
    'show only these series, such as cpu,memory; or all of them',
    (text, field) => splitAtCommas(notBlank(text, field), field).map((name) => name.trim()),
    { offer: 'series', commas: true },
  ),
  watch: flag('stay, and draw until you press q; needs a terminal'),
  interval: option('duration', 'time between updates of --watch (default: chosen to suit the range)', inSeconds),
  output: fileOption('file.svg', "write the history as a picture; of several services, as in '{service}.svg'"),
  report: fileOption('file.html', 'write a page with pictures and figures of all services, alarms first'),
  failIf: list(
    'condition',
    "fail (exit 9) when true, for example 'cpu>80' (the latest value) or 'p95(memory)>300MiB'; may be repeated",
    { read: (texts, field) => texts.map((text) => parseCondition(text, field)) },
  ),
  summary: flag('show last, min, avg, p95 and max of each series'),
  sort: option('series[:figure]', 'order several services by a figure, such as cpu:p95; highest first', parseOrder, {
    offer: 'series',
  }),
};

/** The options of the command, parsed. */
export type MetricsOptions = Values<typeof METRICS_OPTIONS> & WithTable;

/** The options, checked before anything is sent. */
export interface MetricsRequest {
  readonly service: string;
  readonly options: MetricsOptions;
  readonly output: OutputFile | undefined;
  readonly report: OutputFile | undefined;
  /** Returns the range, which moves with the clock if it ends now. */
  range(): MetricsRange;
}

const HOUR_MS = 3_600_000;

/** Checks the options against each other. Throws a usage error. */
export function checkOptions(context: Context, options: MetricsOptions): void {
  checkTogether(context, options);
  rangeOf(options, context.clock.now());
}

/** Throws a usage error. */
export async function readRequest(context: Context, options: MetricsOptions): Promise<MetricsRequest> {
  checkOptions(context, options);
  const { output, report } = options;
  const service = context.settings.serviceId(options.service);
  const { severalSince } = context;
  const isAlone = severalSince === undefined;
  // Of several, it was asked before whether files are replaced.
  const claim = async (path: string) => claimOutput(context, path, isAlone ? undefined : true);
  return {
    service,
    options,
    output: output === undefined ? undefined : await claim(pictureOf(output, service)),
    report: report === undefined || !isAlone ? undefined : await claim(report),
    range: () => rangeOf(options, severalSince ?? context.clock.now()),
  };
}

/** Returns the file of a service's picture; its id stands in for `{service}`. */
export function pictureOf(output: string, service: string): string {
  return output.replaceAll('{service}', encodeURIComponent(service));
}

/** Whether the options ask for a history; without one, the latest values of an hour are shown. */
export function wantsHistory({ history, csv, since, until, step, output, report }: Partial<MetricsOptions>): boolean {
  return history === true || [csv, since, until, step, output, report].some((one) => one !== undefined);
}

function checkTogether({ settings, io }: Context, options: MetricsOptions): void {
  const { csv, output, report, watch, interval, sort, until, summary } = options;
  const { json } = settings.globals;
  if (output !== undefined && !/\.svg$/i.test(output))
    throw usageError(
      `--output ${quoted(output)} is not an SVG file.`,
      'For example: --output chart.svg (a browser or rsvg-convert makes a PNG of it)',
    );
  if (report !== undefined && !/\.html?$/i.test(report))
    throw usageError(`--report ${quoted(report)} is not an HTML file.`, 'For example: --report week.html');
  if (!watch && interval !== undefined)
    throw usageError('--interval needs --watch.', 'For example: --watch --interval 30s');
  const data = csv ?? (json ? '--json' : undefined);
  const notWatched = { [csv ?? '--csv']: csv, '--output': output, '--report': report, '--until': until };
  const pairs: [one: string, other: string, isGiven: unknown][] = [
    [csv ?? '--csv', '--json', csv && json],
    ['--sort', data ?? '', sort && data && report === undefined],
  ];
  for (const [name, value] of Object.entries({ ...notWatched, '--summary': summary }))
    pairs.push(['--watch', name, watch && value]);
  const [one, other] = pairs.find(([, , isGiven]) => isGiven) ?? [];
  if (one !== undefined) throw usageError(`${one} and ${other} cannot be used together.`, 'Use one of the two.');
  if (watch && (json || !io.out.isTty)) throw usageError('--watch needs a terminal.', 'svc metrics --json');
}

/**
 * Returns the range that the options ask for at this time, in milliseconds since the epoch: the last hour without any.
 * Throws a usage error.
 */
export function rangeOf(options: Partial<MetricsOptions>, now: number): MetricsRange {
  const { since, until, step } = options;
  const nowMs = Math.floor(now / 1000) * 1000;
  const endMs = until === undefined ? nowMs : parseInstant(until, '--until', nowMs);
  const hours = wantsHistory(options) ? 24 : 1;
  const startMs = since === undefined ? endMs - hours * HOUR_MS : parseInstant(since, '--since', nowMs);
  const [start, end] = [toIso(startMs), toIso(endMs)];
  if (startMs >= endMs) {
    throw usageError(`The range ends (${end}) before it begins (${start}).`, 'For example: --since 6h --until now');
  }
  return { start, end, stepSeconds: step ?? chooseStep(startMs, endMs) };
}
