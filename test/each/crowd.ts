import { tokenBucket } from '../../sandbox/token-bucket.ts';
import { createPace } from '../../src/each/pace.ts';
import { nextStep } from '../../src/service/retry.ts';

/** Many pipelines that restart services of one account at the same time, against one limiter. */
export interface Crowd {
  readonly pipelines: number;
  /** Services that each pipeline restarts. */
  readonly services: number;
  /** Requests of a pipeline at a time. */
  readonly workers: number;
  /** Requests that the API answers each second. */
  readonly perSecond: number;
  /** All pipelines start within this time. */
  readonly startMs: number;
  /** From a request to its answer. */
  readonly answerMs: number;
  readonly seed: number;
}

/** What became of them. Times count from the first start, in milliseconds. */
export interface Course {
  /** When each pipeline ended, in order. */
  readonly ends: Float64Array;
  readonly restarted: number;
  /** Services that were given up. */
  readonly failed: number;
  /** Requests that were refused. */
  readonly refused: number;
}

/** A service that a worker restarts. */
interface Item {
  /** Requests sent. */
  attempts: number;
  waitedMs: number;
  sentAt: number;
}

/** How one pipeline behaves. */
interface Rule {
  /** Returns 0 if a request may be sent now, otherwise the milliseconds until the next try. */
  enter(now: number): number;
  /** Returns the milliseconds until the item is tried again; undefined gives it up. */
  refused(item: Item, now: number, retryAfterMs: number): number | undefined;
}

type Random = () => number;

export interface Strategy {
  readonly name: string;
  readonly rule: (random: Random) => Rule;
}

const always = () => 0;
const LONGEST_BACKOFF_MS = 60_000;
/** The time and the pauses of one command; see `src/each/item.ts`. */
const TIMEOUT_MS = 120_000;
const MOST_PAUSED_MS = 10 * 60_000;

export const STRATEGIES: readonly Strategy[] = [
  {
    name: '1 s each time, five tries',
    rule: () => ({ enter: always, refused: ({ attempts }) => (attempts < 5 ? 1_000 : undefined) }),
  },
  { name: '1 s each time, until it works', rule: () => ({ enter: always, refused: () => 1_000 }) },
  {
    name: '1 s, doubled up to 60 s, with full jitter, until it works',
    rule: (random) => ({
      enter: always,
      refused: ({ attempts }) => Math.min(LONGEST_BACKOFF_MS, 1_000 * 2 ** (attempts - 1)) * random(),
    }),
  },
  {
    name: '`svc restart`, a command for each service (`xargs -P4`)',
    rule: (random) => ({
      enter: always,
      refused: (item, _now, retryAfterMs) => {
        const state = { retryClass: 'write', retry: true, remainingMs: TIMEOUT_MS, random } as const;
        return nextStep({ kind: 429, retryAfterMs }, { ...state, ...item }).waitMs;
      },
    }),
  },
  {
    name: '`svc restart --services`, four at a time',
    rule: (random) => {
      const pace = createPace(random);
      return {
        enter: (now) => pace.take(now),
        refused(item, now, retryAfterMs) {
          if (item.waitedMs + retryAfterMs > MOST_PAUSED_MS) return undefined;
          item.waitedMs += retryAfterMs;
          pace.refused(now, item.sentAt, retryAfterMs);
          return 0;
        },
      };
    },
  },
];

/** The crowds of docs/reliability.md. The tests check the small one. */
export const SIZES = [1_000, 10_000] as const;

/** Returns the rows of the table in docs/reliability.md, and the bars below it, for a crowd of this size. */
export function describeCrowd(pipelines: number): {
  readonly rows: readonly string[];
  readonly bars: readonly string[];
} {
  const crowd = { pipelines, services: 5, workers: 4, perSecond: 100, startMs: 10_000, answerMs: 100, seed: 1 };
  const courses = STRATEGIES.map((strategy) => ({ ...strategy, ...simulate(crowd, strategy) }));
  const rows = courses.map(({ name, ends, restarted, failed, refused }) => {
    const times = [ends[ends.length >> 1] ?? 0, ends.at(-1) ?? 0].map(
      (ms) => `${withCommas(Math.round(ms / 1_000))} s`,
    );
    const cells = [withCommas(pipelines), name, ...[restarted, failed].map(withCommas), ...times, withCommas(refused)];
    return `| ${cells.join(' | ')} |`;
  });
  const perRestart = courses.map(({ restarted, refused }) => refused / restarted);
  const most = Math.max(...perRestart);
  const bars = courses.map(({ name }, index) => {
    const value = perRestart[index] ?? 0;
    const bar = '█'.repeat(Math.max(1, Math.round((30 * value) / most)));
    return `${name.replaceAll('`', '').padEnd(60)}${bar} ${value.toFixed(1)}`;
  });
  return { rows, bars };
}

function withCommas(count: number): string {
  return count.toLocaleString('en-US');
}

/** Lets a crowd run in virtual time. The same crowd has the same course. */
export function simulate(crowd: Crowd, { rule }: Strategy): Course {
  const random = seeded(crowd.seed);
  const timers = createTimers(crowd.pipelines * crowd.workers);
  const take = tokenBucket({ monotonic: timers.now }, crowd.perSecond);
  const counts = { restarted: 0, failed: 0, refused: 0 };
  const ends: number[] = [];

  function* work(pipeline: { readonly rule: Rule; waiting: number; open: number }): Generator<number, void> {
    const { enter, refused } = pipeline.rule;
    while (pipeline.waiting > 0) {
      pipeline.waiting -= 1;
      const item: Item = { attempts: 0, waitedMs: 0, sentAt: 0 };
      for (let isOpen = true; isOpen; ) {
        for (let waitMs = enter(timers.now()); waitMs > 0; waitMs = enter(timers.now())) yield waitMs;
        item.attempts += 1;
        item.sentAt = timers.now();
        const seconds = take();
        yield crowd.answerMs;
        if (seconds > 0) counts.refused += 1;
        const waitMs = seconds > 0 ? refused(item, timers.now(), seconds * 1_000) : undefined;
        isOpen = waitMs !== undefined;
        if (waitMs !== undefined && waitMs > 0) yield waitMs;
        if (seconds === 0) counts.restarted += 1;
        else if (!isOpen) counts.failed += 1;
      }
      pipeline.open -= 1;
      if (pipeline.open === 0) ends.push(timers.now());
    }
  }

  for (let index = 0; index < crowd.pipelines; index += 1) {
    const startMs = random() * crowd.startMs;
    const pipeline = { rule: rule(random), waiting: crowd.services, open: crowd.services };
    for (let worker = 0; worker < crowd.workers; worker += 1) timers.start(work(pipeline), startMs);
  }
  timers.run();
  return { ends: Float64Array.from(ends), ...counts };
}

/** Runs generators that yield how long they sleep, as timers do: in whole milliseconds, the shortest is one. */
function createTimers(most: number) {
  const sleepers: Generator<number, void>[] = [];
  const wakesAt = new Float64Array(most);
  /** A binary heap: the one that wakes first is at 0; of two, the one that was started first. */
  const heap: number[] = [];
  let now = 0;
  const isBefore = (one = 0, other = 0) => {
    const [first = 0, second = 0] = [wakesAt[one], wakesAt[other]];
    return first === second ? one < other : first < second;
  };
  const swap = (one: number, other: number) => {
    [heap[one], heap[other]] = [heap[other] ?? 0, heap[one] ?? 0];
  };
  /** Moves the first down to its place. */
  const sink = () => {
    for (let at = 0; ; ) {
      let least = at;
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && isBefore(heap[child], heap[least])) least = child;
      }
      if (least === at) return;
      swap(at, least);
      at = least;
    }
  };
  return {
    now: () => now,
    start(sleeper: Generator<number, void>, ms: number) {
      wakesAt[sleepers.length] = Math.ceil(ms);
      heap.push(sleepers.length);
      sleepers.push(sleeper);
      for (let at = heap.length - 1; at > 0 && isBefore(heap[at], heap[(at - 1) >> 1]); at = (at - 1) >> 1) {
        swap(at, (at - 1) >> 1);
      }
    },
    run() {
      for (let [first] = heap; first !== undefined; [first] = heap) {
        now = wakesAt[first] ?? now;
        const step = sleepers[first]?.next();
        if (step?.done === false) {
          wakesAt[first] = now + Math.max(1, Math.ceil(step.value));
        } else {
          swap(0, heap.length - 1);
          heap.pop();
        }
        sink();
      }
    },
  };
}

/** Returns the mulberry32 generator: numbers from 0 to 1 that follow from the seed. */
function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
