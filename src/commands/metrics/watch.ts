import { getMetricsHistory } from '../../api/call.ts';
import { getPauseAfter, isTransientError } from '../../api/retry.ts';
import type { Context, Needs } from '../../cli/define/context.ts';
import { printed } from '../../cli/define/define.ts';
import { getCachedNames } from '../../cli/define/name-cache.ts';
import { CliError, usageError } from '../../errors.ts';
import { TOUR_STOP } from '../shared/tour-stop.ts';
import { judgeConditions } from './conditions.ts';
import { type MetricsOptions, type MetricsRequest, readRequest, readUsage } from './usage.ts';
import {
  applyKey,
  drawLiveView,
  INITIAL_STATE,
  type Reading,
  type ViewState,
} from './watch-view.ts';

const MIN_SECONDS = 10;
const MAX_SECONDS = 60;
const MAX_SERVICES = 8;
const FOREVER_MS = 2 ** 31 - 1;

/**
 * Draws the usage until `q`, until Ctrl-C, which prints no error, or until `--fail-if` holds for a
 * service of the line.
 * @param others further services of the line
 * @throws CliError `usage` for too many, and without keys
 */
export async function watch(
  context: Context,
  request: MetricsRequest,
  others: readonly string[] = [],
) {
  const { io, time } = context;
  const ids = [request.service, ...others];
  if (ids.length > MAX_SERVICES) {
    throw usageError(`--watch shows up to ${MAX_SERVICES} services.`, 'Name fewer.');
  }
  if (ids.length > 1 && !io.hasFullScreen) {
    throw usageError('This terminal is too plain for several services.', 'Name one.');
  }

  const live = new LiveView(context, request, ids);
  const screen = await io.fullScreen(
    (hasKeys) => drawLiveView(live.state, io.view(io.out), hasKeys),
    (key) => live.press(key),
  );
  live.refresh = screen.refresh;
  try {
    let failure: CliError | undefined;
    while (!live.state.isOver && failure === undefined) failure = await live.takeTurn();
    return printed({ failure });
  } catch (error) {
    if (error !== time.signal.reason || !(error instanceof CliError)) throw error;
    return printed({ exitCode: error.exitCode });
  } finally {
    screen.close();
  }
}

/** Lists the services of the line, and behind them those that answers have shown, for the arrows. */
function listServices(
  context: Needs<'io' | 'settings' | 'store'>,
  ids: readonly string[],
): readonly Reading[] {
  const org = context.settings.org()?.value;
  const seen = getCachedNames(context, 'services');
  const others = seen.filter((service) => service.org === org && !ids.includes(service.name));
  const otherIds = context.io.hasFullScreen ? others.map(({ name }) => name) : [];
  return [...ids, ...otherIds].map((id, index) => ({
    id,
    name: seen.find(({ name }) => name === id)?.about,
    isOther: index >= ids.length,
  }));
}

/** The live view. One turn asks for each service, and then waits; a key may end it early. */
class LiveView {
  state: ViewState;
  refresh = async () => {};
  readonly #context: Context;
  readonly #request: MetricsRequest;
  #turn = new AbortController();

  constructor(context: Context, request: MetricsRequest, ids: readonly string[]) {
    this.#context = context;
    this.#request = request;
    this.state = {
      ...INITIAL_STATE,
      services: listServices(context, ids),
      range: getRangeName(request.options),
      pauseSeconds: getPauseSeconds(request),
      tourStop: context.env[TOUR_STOP],
    };
  }

  press(key: string): void {
    const change = applyKey(this.state, key);
    // The next turn reports a write error.
    void this.#show(change).catch(() => undefined);
    if (change.isAsking || change.isPaused || change.isOver) this.#turn.abort();
  }

  async #show(change: Partial<ViewState>): Promise<void> {
    this.state = { ...this.state, ...change };
    await this.refresh();
  }

  /** Returns the error of `--fail-if`, which ends the view. */
  async takeTurn(): Promise<CliError | undefined> {
    const { time } = this.#context;
    this.#turn = new AbortController();
    const turned = this.#turn.signal;
    const signal = AbortSignal.any([time.signal, turned]);
    try {
      const trouble = await this.#askAll(signal);
      if (trouble?.code === 'alert' || trouble?.code === 'no_data') return trouble;
      const pauseMs = getPauseAfter(trouble, this.state.pauseSeconds * 1000);
      await time.clock.sleep(this.state.isPaused ? FOREVER_MS : pauseMs, signal);
    } catch (error) {
      if (time.signal.aborted || !turned.aborted) throw error;
    }
    return undefined;
  }

  /** Asks for each service, the shown one first; returns the error that keeps others waiting. */
  async #askAll(signal: AbortSignal): Promise<CliError | undefined> {
    const { isPaused, isAsking, services, shown } = this.state;
    if (isPaused && !isAsking) return undefined;

    const ordered = [...services.slice(shown), ...services.slice(0, shown)];
    // One that is not of the line is asked for only while it is shown.
    const due = ordered.filter(({ isOther }, index) => index === 0 || !isOther);
    for (const reading of due) {
      const trouble = await this.#ask(reading, signal);
      // What one of the others says of itself neither ends the view nor keeps those of the line waiting.
      const isOfOther = reading.isOther && !isTransientError(trouble);
      if (trouble !== undefined && !isOfOther) return trouble;
    }
    return undefined;
  }

  /** Returns the error of `--fail-if`, or the one after which the view asks again. */
  async #ask(reading: Reading, signal: AbortSignal): Promise<CliError | undefined> {
    const { api, assume, settings, time } = this.#context;
    const { options } = this.#request;
    const { id } = reading;
    const { range } = this.state;
    // The step of the line is that of its range.
    const step = range === getRangeName(options) ? options.step : undefined;
    const changed = { ...options, service: id, since: range, step };
    try {
      const request = await readRequest(this.#context, changed);
      // The view says itself when it asks again, and shows nothing else.
      const clientFor = await api.gatedClients({ signal, org: settings.org(), atOnce: 1 });
      const client = clientFor({ deadlinePerCall: true, retry: false });
      const { value } = await getMetricsHistory(client, assume, id, request.range);
      const usage = readUsage(this.#context, request, value);
      const answeredAt = time.clock.now();
      const fresh = { usage, range, answeredAt, trouble: undefined, waitUntil: undefined };
      await this.#update(id, fresh, { pauseSeconds: getPauseSeconds(request) });
      const failure = judgeConditions(options.failIf, usage);
      const isAlone = this.state.services.filter((service) => !service.isOther).length === 1;
      if (failure === undefined || isAlone) return failure;
      return new CliError(failure.code, `${id}: ${failure.message}`, failure.details);
    } catch (error) {
      if (signal.aborted || !mayPass(error, reading)) throw error;
      const { retryAfterSeconds = 0 } = error.details;
      const waitUntil = time.clock.now() + retryAfterSeconds * 1000;
      await this.#update(id, { trouble: error, waitUntil });
      return error;
    }
  }

  #update(id: string, reading: Partial<Reading>, change: Partial<ViewState> = {}): Promise<void> {
    const services = this.state.services.map((service) =>
      service.id === id ? { ...service, ...reading } : service,
    );
    return this.#show({ ...change, services, isAsking: false });
  }
}

/**
 * Whether the view goes on after an error. A service that was there, and is not, may be in the
 * middle of a deployment of the platform.
 */
function mayPass(error: unknown, { isOther = false, usage }: Reading): error is CliError {
  if (!(error instanceof CliError)) return false;
  const isGone = error.code === 'not_found' || error.code === 'unexpected';
  const wasThere = usage !== undefined;
  return isTransientError(error) || isOther || (isGone && wasThere);
}

function getRangeName({ since, history }: MetricsOptions): string {
  return since ?? (history ? '1d' : '1h');
}

function getPauseSeconds({ options, range }: MetricsRequest): number {
  return options.interval ?? Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, range.stepSeconds));
}
