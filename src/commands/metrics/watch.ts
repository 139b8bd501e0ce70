import { isTransientError, pauseAfter } from '../../api/retry.ts';
import type { Context, Needs } from '../../cli/define/context.ts';
import { getCachedNames } from '../../cli/define/name-cache.ts';
import { printed } from '../../cli/define/result.ts';
import { CliError, usageError } from '../../errors.ts';
import { TOUR_STOP } from '../shared/tour-stop.ts';
import { judgeConditions } from './conditions.ts';
import { askUsage, type MetricsRequest, readRequest, readUsage } from './usage.ts';
import { afterKey, BEGUN, drawWatched, type Reading, type Watched } from './watch-view.ts';

const [MIN_SECONDS, MAX_SECONDS] = [10, 60];
const MAX_SERVICES = 8;
/** A service that was there, and is not, may be in the middle of a deployment of the platform. */
const MAX_MISSES = 3;
const FOREVER_MS = 2 ** 31 - 1;

/**
 * Draws the usage until `q`, until Ctrl-C, which prints no error, or until `--fail-if` holds for a
 * service of the line.
 * @param beside other services to show
 * @throws CliError `usage` for too many, and without keys
 */
export async function watch(
  context: Context,
  request: MetricsRequest,
  beside: readonly string[] = [],
) {
  const { io, time } = context;
  const ids = [request.service, ...beside];
  if (ids.length > MAX_SERVICES)
    throw usageError(`--watch shows up to ${MAX_SERVICES} services.`, 'Name fewer.');
  if (ids.length > 1 && !io.hasFullScreen) {
    throw usageError('This terminal is too plain for several services.', 'Name one.');
  }
  const live = new LiveView(
    context,
    request,
    ids,
    io.hasFullScreen ? listOthers(context, ids) : [],
  );
  const screen = await io.fullScreen(
    (keys) => drawWatched(live.state, io.view(io.out), keys),
    (key) => live.press(key),
  );
  live.refresh = screen.refresh;
  try {
    let failure: CliError | undefined;
    while (!live.state.isOver && failure === undefined) failure = await live.takeTurn();
    return printed({ failure });
  } catch (error) {
    if (!time.signal.aborted || error !== time.signal.reason || !(error instanceof CliError))
      throw error;
    return printed({ exitCode: error.exitCode });
  } finally {
    screen.close();
  }
}

/** Lists services of the organization that an answer has shown, for the arrow keys. */
function listOthers(
  context: Needs<'settings' | 'store'>,
  ids: readonly string[],
): readonly string[] {
  const org = context.settings.org()?.value;
  const known = getCachedNames(context, 'services').filter((one) => one.org === org);
  return known.map(({ name }) => name).filter((name) => !ids.includes(name));
}

/** One turn asks for each service, and then waits; a key may end it early. */
class LiveView {
  state: Watched;
  refresh = async () => {};
  readonly #context: Context;
  readonly #request: MetricsRequest;
  #turn = new AbortController();

  constructor(
    context: Context,
    request: MetricsRequest,
    ids: readonly string[],
    others: readonly string[],
  ) {
    const names = new Map(
      getCachedNames(context, 'services').map(({ name, about }) => [name, about]),
    );
    const services = [...ids, ...others].map((id, index) => ({
      id,
      name: names.get(id),
      isOther: index >= ids.length,
    }));
    this.#context = context;
    this.#request = request;
    this.state = {
      ...BEGUN,
      services,
      range: rangeNamed(request),
      pauseSeconds: pauseOf(request),
      tourStop: context.env[TOUR_STOP],
    };
  }

  press(key: string): void {
    const next = afterKey(this.state, key);
    // The next turn reports a write error.
    void this.#show(next).catch(() => undefined);
    if (next.isAsking || next.isPaused || next.isOver) this.#turn.abort();
  }

  async #show(next: Partial<Watched>): Promise<void> {
    this.state = { ...this.state, ...next };
    await this.refresh();
  }

  /** The error of `--fail-if`, which ends the view. */
  async takeTurn(): Promise<CliError | undefined> {
    const { time } = this.#context;
    this.#turn = new AbortController();
    const { signal: turned } = this.#turn;
    const signal = AbortSignal.any([time.signal, turned]);
    try {
      const { isPaused, isAsking, services, shown } = this.state;
      const ordered = [...services.slice(shown), ...services.slice(0, shown)];
      // One that is not of the line is asked for only while it is shown.
      const wanted = ordered.filter(({ isOther }, index) => index === 0 || !isOther);
      const asked = isPaused && !isAsking ? [] : wanted;
      let trouble: CliError | undefined;
      for (const { id, isOther } of asked) {
        trouble = await this.#ask(id, signal);
        if (trouble?.code === 'alert' || trouble?.code === 'no_data') return trouble;
        // What one of the others says of itself does not keep those of the line waiting.
        const isOfOther = isOther && !isTransientError(trouble);
        if (trouble !== undefined && !isOfOther) break;
      }
      const pauseMs = pauseAfter(trouble, this.state.pauseSeconds * 1000);
      await time.clock.sleep(this.state.isPaused ? FOREVER_MS : pauseMs, signal);
    } catch (error) {
      if (time.signal.aborted || !turned.aborted) throw error;
    }
    return undefined;
  }

  /** The error of `--fail-if`, or the one after which the view asks again. */
  async #ask(id: string, signal: AbortSignal): Promise<CliError | undefined> {
    const { range, services } = this.state;
    const reading = services.find((one) => one.id === id);
    const { api, settings, time } = this.#context;
    const { options } = this.#request;
    // The step of the line is that of its range.
    const step = range === rangeNamed(this.#request) ? options.step : undefined;
    const request = await readRequest(this.#context, {
      ...options,
      service: id,
      since: range,
      step,
    });
    try {
      // Shows nothing of its own, and leaves it to the view when to ask again.
      const clientFor = await api.gatedClients({ signal, org: settings.org(), atOnce: 1 });
      const client = await clientFor({ deadlinePerCall: true, retry: false });
      const usage = readUsage(
        this.#context,
        request,
        await askUsage(this.#context, client, request),
      );
      const pauseSeconds = pauseOf(request);
      await this.#read(
        id,
        {
          usage,
          range,
          at: time.clock.now(),
          misses: 0,
          trouble: undefined,
          waitUntil: undefined,
        },
        { pauseSeconds },
      );
      const conditions = reading?.isOther ? [] : options.failIf;
      const failure = judgeConditions(conditions, usage);
      const isNamed = failure !== undefined && services.filter((one) => !one.isOther).length > 1;
      return isNamed
        ? new CliError(failure.code, `${id}: ${failure.message}`, failure.details)
        : failure;
    } catch (error) {
      const { usage, misses = 0, isOther = false } = reading ?? {};
      const isMiss =
        error instanceof CliError && (error.code === 'not_found' || error.code === 'unexpected');
      const isSaid = isOther && error instanceof CliError;
      const mayPass = isSaid || (isMiss && usage !== undefined && misses + 1 < MAX_MISSES);
      if (signal.aborted || !(mayPass || isTransientError(error))) throw error;
      const { retryAfterSeconds: seconds } = error.details;
      const waitUntil = seconds === undefined ? undefined : time.clock.now() + seconds * 1000;
      await this.#read(id, { trouble: error, waitUntil, misses: isMiss ? misses + 1 : misses });
      return error;
    }
  }

  #read(id: string, reading: Partial<Reading>, more: Partial<Watched> = {}): Promise<void> {
    const services = this.state.services.map((one) =>
      one.id === id ? { ...one, ...reading } : one,
    );
    return this.#show({ ...more, services, isAsking: false });
  }
}

function rangeNamed({ options: { since, history } }: MetricsRequest): string {
  return since ?? (history ? '1d' : '1h');
}

function pauseOf({ options, range }: MetricsRequest): number {
  return options.interval ?? Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, range().stepSeconds));
}
