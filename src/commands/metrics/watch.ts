import type { Context } from '../../command/context.ts';
import { type Result, silent } from '../../command/result.ts';
import { CliError } from '../../errors.ts';
import { isTransientError, pauseAfter } from '../../service/retry.ts';
import { createFrame } from '../../terminal/frame.ts';
import { createScreen, dim } from '../../terminal/screen.ts';
import type { MetricsRequest } from './request.ts';
import { showUsage } from './show-usage.ts';
import { askUsage, judge, readUsage, type Usage } from './usage.ts';

/** Spares the service. */
const SHORTEST_SECONDS = 10;
/** Keeps the screen fresh. */
const LONGEST_SECONDS = 60;

/** Redraws the usage until `--fail-if` is met or Ctrl-C, which is the usual end and so prints no error. */
export async function watch(context: Context, request: MetricsRequest): Promise<Result<undefined>> {
  try {
    return silent(await drawUntilFailure(context, request));
  } catch (error) {
    const { signal } = context.system;
    if (signal.aborted && error === signal.reason && error instanceof CliError) {
      // Ends the line on which the terminal shows ^C.
      await context.io.out.write('\n');
      return { ...silent(), exitCode: error.exitCode };
    }
    throw error;
  }
}

async function drawUntilFailure(context: Context, request: MetricsRequest): Promise<CliError> {
  const { clock, signal } = context.system;
  const client = await context.api.pollingClient();
  const frame = createFrame(context.io.out);
  const pauseSeconds = Math.min(LONGEST_SECONDS, Math.max(SHORTEST_SECONDS, request.range().stepSeconds));
  let usage: Usage | undefined;
  for (;;) {
    let trouble: CliError | undefined;
    try {
      usage = readUsage(context, request, await askUsage(context, client, request));
    } catch (error) {
      if (!isTransientError(error)) throw error;
      trouble = error;
    }
    await frame.draw(await drawing(context, usage, trouble, pauseSeconds));
    const failure = trouble === undefined && usage !== undefined ? judge(request, usage) : undefined;
    if (failure !== undefined) return failure;
    await clock.sleep(pauseAfter(trouble, pauseSeconds * 1000), signal);
  }
}

async function drawing(
  { io, system: { clock } }: Context,
  usage: Usage | undefined,
  trouble: CliError | undefined,
  pauseSeconds: number,
): Promise<string> {
  const screen = createScreen();
  if (usage !== undefined) showUsage(screen, usage, { charts: false });
  if (trouble !== undefined) screen.warning(`${trouble.message} Retrying.`);
  screen.line(dim(`Updates every ${pauseSeconds} s. Press Ctrl-C to stop.`));
  const { render } = await import('../../terminal/render.ts');
  return await render(screen.blocks, { ...io.view(io.out), now: clock.now() });
}
