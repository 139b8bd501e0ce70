import { quoted, usageError } from '../../errors.ts';
import { SERVICE_OPTION } from '../../kit/ask.ts';
import type { Context } from '../../kit/context.ts';
import type { WithTable } from '../../kit/define.ts';
import { fileOption, flag, option, type Values } from '../../kit/parameters.ts';
import { notBlank } from '../../kit/values/choice.ts';
import { splitAtCommas } from '../../kit/values/commas.ts';
import { parseDuration, parseInstant, toIso } from '../../kit/values/time.ts';
import { chooseStep } from '../../metrics/spacing.ts';
import { parseThreshold, type Threshold } from '../../metrics/statistics.ts';
import type { MetricsRange } from '../../service/operations.ts';
import { claimOutput, type OutputFile } from '../shared/output-file.ts';

/** The options of `svc metrics`. */
export const METRICS_OPTIONS = {
  ...SERVICE_OPTION,
  history: flag('show all points of the last 24 hours'),
  since: option('instant', 'start of the history: 6h (ago), 2026-03-01, 2026-03-01T12:00:00Z'),
  until: option('instant', 'end of the history (default: now)'),
  step: option('duration', 'time between points (default: chosen to suit the range)', (text, field) =>
    parseDuration(text, field, { bareUnit: 's' }),
  ),
  series: option(
    'names',
    'show only these series, such as cpu,memory; or all of them',
    (text, field) => splitAtCommas(notBlank(text, field), field).map((name) => name.trim()),
    { offer: 'series', commas: true },
  ),
  watch: flag('redraw until you press q or Ctrl-C; needs a terminal'),
  interval: option('duration', 'time between updates of --watch (default: chosen to suit the range)', parseDuration),
  output: fileOption('file.svg', 'write the history as a picture'),
  open: flag('open the picture of --output'),
  failIf: option('condition', "exit with code 9 if this holds, as in 'cpu>80' (the latest value) or 'p95(cpu)>60'"),
  any: flag('let --fail-if check every point, not only the latest'),
};

type MetricsOptions = Values<typeof METRICS_OPTIONS> & WithTable;

/** The options, checked before anything is sent. */
export interface MetricsRequest {
  readonly service: string;
  /** Whether to show all points, or only the latest value of each series. */
  readonly history: boolean;
  readonly options: MetricsOptions;
  readonly series: readonly string[];
  readonly threshold: Threshold | undefined;
  /** The file of the picture. */
  readonly output: OutputFile | undefined;
  /** Returns the range, which moves with the clock if it ends now. */
  range(): MetricsRange;
}

const HOUR_MS = 3_600_000;

/** Checks the options against each other. Throws a usage error. */
export function checkOptions(context: Context, options: MetricsOptions): void {
  checkTogether(context, options);
  rangeOf(options, context.system.clock.now());
  thresholdOf(options);
}

/** Throws a usage error. */
export async function readRequest(context: Context, options: MetricsOptions): Promise<MetricsRequest> {
  checkOptions(context, options);
  const { output, series = [] } = options;
  return {
    service: context.settings.serviceId(options.service),
    history: wantsHistory(options),
    options,
    series,
    threshold: thresholdOf(options),
    output: output === undefined ? undefined : await claimOutput(context, output),
    range: () => rangeOf(options, context.system.clock.now()),
  };
}

function wantsHistory({ history, csv, since, until, step, output }: MetricsOptions): boolean {
  return history || [csv, since, until, step, output].some((one) => one !== undefined);
}

/** Reads `--fail-if`. A condition without a figure is about the latest value, or about any value with `--any`. */
function thresholdOf({ failIf, any }: MetricsOptions): Threshold | undefined {
  if (failIf === undefined) {
    if (any) throw usageError('--any needs --fail-if.', "For example: --fail-if 'cpu>80' --any");
    return undefined;
  }
  const threshold = parseThreshold(failIf, '--fail-if');
  if (!any) return { ...threshold, figure: threshold.figure ?? 'last' };
  const { figure, series } = threshold;
  if (figure === undefined) return threshold;
  throw usageError(`--any checks every point, but ${figure}(${series}) is a single figure.`, 'Use one of the two.');
}

function checkTogether({ settings, io }: Context, { csv, output, open, watch, until, interval }: MetricsOptions): void {
  const both = (one: string, other: string) =>
    usageError(`${one} and ${other} cannot be used together.`, 'Use one of the two.');
  if (open && output === undefined)
    throw usageError('--open shows a picture.', 'For example: --output chart.svg --open');
  if (output !== undefined && !/\.svg$/i.test(output))
    throw usageError(`--output ${quoted(output)} is not an SVG file.`, 'For example: --output chart.svg');
  if (!watch && interval !== undefined)
    throw usageError('--interval needs --watch.', 'For example: --watch --interval 30s');
  if (!watch) return;
  if (csv !== undefined) throw both('--watch', csv);
  if (output !== undefined) throw both('--watch', '--output');
  if (until !== undefined) throw both('--watch', '--until');
  if (settings.globals.json || !io.out.isTty) {
    throw usageError('--watch draws on a terminal.', {
      say: 'Without a terminal, ask as often as you like:',
      run: ['svc metrics --json'],
    });
  }
}

function rangeOf(options: MetricsOptions, now: number): MetricsRange {
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
