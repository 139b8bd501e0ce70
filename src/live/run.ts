import type { Clock } from '../clock.ts';
import { asSentence, CliError, stepOf } from '../errors.ts';
import { isTransientError, pauseAfter } from '../service/retry.ts';
import type { View } from '../terminal/capabilities.ts';
import type { FullScreen } from '../terminal/full-screen.ts';
import { drawLive } from './draw.ts';
import {
  type Deed,
  type LiveEvent,
  type LiveState,
  type Mark,
  type Note,
  type Reading,
  serviceOf,
  step,
} from './state.ts';

/** What the view needs of the world. What asks ends with the signal that it is given. */
export interface LivePorts {
  readonly clock: Clock;
  /** Ends the view, as Ctrl-C does. */
  readonly signal: AbortSignal;
  view(): View;
  open(content: () => Promise<string>, press: (key: string, alone: boolean) => void): Promise<FullScreen>;
  /** Asks for the usage of a service; `failure` ends the view. */
  ask(
    service: string,
    range: string,
    signal: AbortSignal,
  ): Promise<{ readonly reading: Reading; readonly failure?: CliError | undefined }>;
  /** Returns what is known to have happened to a service. */
  marks(service: string, signal: AbortSignal): Promise<readonly Mark[]>;
  /** Saves the picture of the last answer, and says where. */
  save(service: string): Promise<string>;
  /** Opens the page of a service, and says which. */
  page(service: string): Promise<string>;
  /** @throws CliError as `svc restart` does */
  restart(service: string): Promise<string>;
  /** Tells what happened after the screen was left. */
  say(text: string): Promise<void>;
}

/**
 * Shows services until `q`, or until the signal is aborted, which rejects with its reason.
 * @returns the error that ends the command: of a condition that holds, or of a restart that nobody has seen fail
 * @throws CliError if the first service cannot be asked for
 */
export async function runLive(ports: LivePorts, begin: LiveState): Promise<CliError | undefined> {
  const view = new LiveView(ports, begin);
  try {
    return await view.run();
  } finally {
    view.close();
  }
}

/** One turn asks, and then waits for the next; a key may end it early. */
class LiveView {
  readonly #ports: LivePorts;
  #state: LiveState;
  readonly #first: string;
  #screen: FullScreen | undefined;
  #turn = new AbortController();
  /** The service and range that are being asked for. */
  #asking: string | undefined;
  /** Whether somebody wants an answer, also while it is paused. */
  #isWanted = true;
  #isOver = false;
  readonly #marked = new Set<string>();
  #restart: Promise<CliError | undefined> | undefined;

  constructor(ports: LivePorts, begin: LiveState) {
    this.#ports = ports;
    this.#state = begin;
    this.#first = serviceOf(begin).id;
  }

  async run(): Promise<CliError | undefined> {
    const { clock, signal } = this.#ports;
    // The next turn reports a write error.
    const press = (key: string, alone: boolean) =>
      void this.#tell({ kind: 'key', key, alone, at: clock.monotonic() }).catch(() => undefined);
    this.#screen = await this.#ports.open(() => drawLive(this.#state, this.#ports.view()), press);
    try {
      while (!this.#isOver) {
        const failure = await this.#takeTurn();
        if (failure !== undefined) return failure;
      }
    } catch (error) {
      const failure = signal.aborted ? await this.#leave() : undefined;
      throw failure ?? error;
    }
    return this.#leave();
  }

  close(): void {
    this.#screen?.close();
  }

  /** Closes the screen before it waits for a restart that is under way: its outcome must reach somebody. */
  async #leave(): Promise<CliError | undefined> {
    this.close();
    return this.#restart;
  }

  async #takeTurn(): Promise<CliError | undefined> {
    const turn = new AbortController();
    this.#turn = turn;
    const signal = AbortSignal.any([this.#ports.signal, turn.signal]);
    try {
      if (this.#state.isPaused && !this.#isWanted) return await untilAborted(signal);
      this.#isWanted = false;
      const asked = await this.#ask(serviceOf(this.#state).id, signal);
      if (isEnd(asked)) return asked;
      await this.#mark(signal);
      const other = asked ?? (await this.#askOthers(signal));
      if (isEnd(other)) return other;
      const { pauses, range } = this.#state;
      await this.#ports.clock.sleep(pauseAfter(asked, (pauses[range] ?? 0) * 1000), signal);
    } catch (error) {
      if (this.#ports.signal.aborted || !turn.signal.aborted) throw error;
    }
    return undefined;
  }

  /** Returns the error that ends the view, or after which it asks again. */
  async #ask(service: string, signal: AbortSignal): Promise<CliError | undefined> {
    const { range } = this.#state;
    this.#asking = `${service} ${range}`;
    try {
      const { reading, failure } = await this.#ports.ask(service, range, signal);
      await this.#tell({ kind: 'answer', service, reading });
      return failure;
    } catch (error) {
      if (signal.aborted || !(error instanceof CliError)) throw error;
      // Of the services that this machine knows, some may be gone.
      if (!isTransientError(error) && service === this.#first) throw error;
      await this.#tell({ kind: 'trouble', service, text: asSentence(error.message) });
      return isTransientError(error) ? error : undefined;
    } finally {
      this.#asking = undefined;
    }
  }

  /** Asks once for each other service, and then for the one with the oldest values: many cost two requests a turn. */
  async #askOthers(signal: AbortSignal): Promise<CliError | undefined> {
    const { services, readings, troubles, shown } = this.#state;
    const others = services.filter(({ id }, index) => index !== shown && troubles[id] === undefined);
    const unknown = others.filter(({ id }) => readings[id] === undefined);
    const [oldest] = others.sort((one, other) => (readings[one.id]?.at ?? 0) - (readings[other.id]?.at ?? 0));
    const due = unknown.length === 0 && oldest !== undefined ? [oldest] : unknown;
    for (const { id } of due) {
      const failure = await this.#ask(id, signal);
      if (isEnd(failure)) return failure;
    }
    return undefined;
  }

  async #mark(signal: AbortSignal): Promise<void> {
    const { id } = serviceOf(this.#state);
    if (this.#marked.has(id)) return;
    this.#marked.add(id);
    const marks = await this.#ports.marks(id, signal);
    if (marks.length > 0) await this.#tell({ kind: 'marks', service: id, marks });
  }

  #tell(event: LiveEvent): Promise<void> {
    const { state, effect } = step(this.#state, event);
    this.#state = state;
    if (effect !== undefined) this.#do(effect);
    const drawn = this.#screen?.refresh() ?? Promise.resolve();
    return drawn;
  }

  #do(effect: Deed): void {
    const { id } = serviceOf(this.#state);
    if (effect === 'save') this.#say(() => this.#ports.save(id));
    else if (effect === 'open') this.#say(() => this.#ports.page(id));
    else if (effect === 'restart') this.#restart = this.#doRestart(id);
    else if (effect !== 'ask' || this.#asking !== `${id} ${this.#state.range}`) {
      this.#isWanted ||= effect === 'ask';
      this.#isOver = effect === 'quit';
      this.#turn.abort();
    }
  }

  #say(work: () => Promise<string>): void {
    const tell = async () =>
      this.#tell({ kind: 'note', note: await work().then(good, (error) => bad(asError(error))) });
    tell().catch(() => undefined);
  }

  /** Resolves with its error if nobody can read it on the screen any more. */
  async #doRestart(service: string): Promise<CliError | undefined> {
    const mark: Mark = { time: this.#ports.clock.now(), sign: 'R', text: 'restarted' };
    const tell = (note: Note, known?: Mark) =>
      this.#tell({ kind: 'restarted', service, note, mark: known }).catch(() => undefined);
    try {
      const text = await this.#ports.restart(service);
      await tell(good(text), mark);
      if (this.#isOver) await this.#ports.say(text);
      return undefined;
    } catch (thrown) {
      const error = asError(thrown);
      await tell(bad(error), error.details.outcome === 'unknown' ? { ...mark, text: 'perhaps restarted' } : undefined);
      return this.#isOver || this.#ports.signal.aborted ? error : undefined;
    }
  }
}

/** Whether it will not be asked again. */
function isEnd(error: CliError | undefined): error is CliError {
  return error !== undefined && !isTransientError(error);
}

function asError(thrown: unknown): CliError {
  return thrown instanceof CliError ? thrown : new CliError('unexpected', String(thrown), { cause: thrown });
}

function good(text: string): Note {
  return { text, tone: 'good' };
}

/** Says what happened, what follows from it, and what to do. */
function bad({ message, details: { lines = [], hint } }: CliError): Note {
  const { say, run } = stepOf(hint);
  const next = [say, run[0] === undefined ? undefined : `Try: ${run[0]}`].filter((text) => text !== undefined);
  return { text: [asSentence(message), ...lines, ...next].join(' '), tone: 'warn' };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
