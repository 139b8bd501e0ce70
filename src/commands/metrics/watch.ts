import { asSentence, CliError, usageError } from '../../errors.ts';
import type { Context } from '../../kit/context.ts';
import { type Printed, printed } from '../../kit/result.ts';
import { isTransientError, pauseAfter } from '../../service/retry.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { drawScreen } from '../../terminal/draw.ts';
import { dim, type Screen } from '../../terminal/screen.ts';
import { judgeConditions } from './judge.ts';
import { type MetricsRequest, readRequest } from './request.ts';
import { showUsage } from './show-usage.ts';
import { askUsage, readUsage, type Usage } from './usage.ts';

/** Spares the platform. */
const MIN_SECONDS = 10;
/** Keeps the screen fresh. */
const MAX_SECONDS = 60;

/** What the screen shows, until the next answer. */
interface Watched {
  readonly usage: Usage | undefined;
  /** Why the last request failed. */
  readonly trouble: CliError | undefined;
}

/**
 * Redraws the usage until `--fail-if` is met, or `q` or Ctrl-C, the usual ends, which print no error.
 * @param beside other services to show; throws a usage error without room and keys for them
 */
export async function watch(
  context: Context,
  request: MetricsRequest,
  beside: readonly string[] = [],
): Promise<Printed> {
  const { signal } = context.system;
  try {
    const { hasLiveView, showLive } = await import('./live-view.ts');
    if (!hasLiveView(context) && beside.length > 0) {
      throw usageError(
        'This terminal is too narrow or too plain for several services.',
        'Name one service, or leave out --watch.',
      );
    }
    const failure = await (hasLiveView(context)
      ? showLive(context, request, beside, pauseOf)
      : showTable(context, request));
    return printed({ failure });
  } catch (error) {
    if (!signal.aborted || error !== signal.reason || !(error instanceof CliError)) throw error;
    return printed({ exitCode: error.exitCode });
  }
}

/** The options of `svc metrics --watch` and nothing else. */
const WATCHING = {
  ...{ watch: true, history: false, csv: undefined, summary: false },
  ...{ since: undefined, until: undefined, step: undefined, series: undefined, interval: undefined, output: undefined },
  ...{ report: undefined, failIf: [], sort: undefined },
};

/** {@link watch} for another command, with the usual range. Throws a usage error off a terminal. */
export async function watchService(context: Context, service: string | undefined): Promise<Printed> {
  return watch(context, await readRequest(context, { ...WATCHING, service }));
}

/** Returns the seconds between two requests. */
function pauseOf({ options, range }: MetricsRequest): number {
  return options.interval ?? Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, range().stepSeconds));
}

/** Draws the latest values as a table, where the live view has no room or no keys. */
async function showTable(context: Context, request: MetricsRequest): Promise<CliError> {
  const pauseSeconds = pauseOf(request);
  let watched: Watched = { usage: undefined, trouble: undefined };
  const screen = await context.io.fullScreen((keys) => {
    const pause = pauseSeconds < 120 ? `${pauseSeconds} s` : formatDuration(pauseSeconds * 1000);
    const end = `Updates every ${pause}. Press ${keys ? 'q or ' : ''}Ctrl-C to stop.`;
    return drawing(context, request, watched, end);
  });
  try {
    return await askUntilFailure(context, request, pauseSeconds, async (next) => {
      watched = { ...watched, ...next };
      await screen.refresh();
    });
  } finally {
    screen.close();
  }
}

async function askUntilFailure(
  context: Context,
  request: MetricsRequest,
  pauseSeconds: number,
  show: (next: Partial<Watched>) => Promise<void>,
): Promise<CliError> {
  const { clock, signal } = context.system;
  const client = await context.api.pollingClient();
  for (;;) {
    let trouble: CliError | undefined;
    try {
      const usage = readUsage(context, request, await askUsage(context, client, request));
      await show({ usage, trouble });
      const failure = judgeConditions(request, usage);
      if (failure !== undefined) return failure;
    } catch (error) {
      if (!isTransientError(error)) throw error;
      trouble = error;
      await show({ trouble });
    }
    await clock.sleep(pauseAfter(trouble, pauseSeconds * 1000), signal);
  }
}

function drawing(
  { io }: Context,
  { service }: MetricsRequest,
  { usage, trouble }: Watched,
  end: string,
): Promise<string> {
  const fill = (screen: Screen) => {
    if (usage !== undefined) showUsage(screen, usage, { charts: false });
    else screen.line(`Reading the usage of ${service}`);
    if (trouble !== undefined) screen.warning(`${asSentence(trouble.message)} Retrying.`);
    screen.line(dim(end));
  };
  return drawScreen(fill, io.view(io.out));
}
