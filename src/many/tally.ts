import type { Command } from '../command/define.ts';
import { type Each, KINDS } from '../command/each.ts';
import { CliError, type ErrorCode, listed } from '../errors.ts';
import { formatDuration } from '../terminal/dates.ts';
import { formatCount } from '../terminal/numbers.ts';
import { type Screen, state } from '../terminal/screen.ts';
import type { Outcome } from './item.ts';

/** Why items failed, and which. */
interface Reason {
  readonly code: ErrorCode;
  readonly message: string;
  count: number;
  /** The first of them. */
  readonly ids: string[];
}

/** Counts how items ended; keeps no item but the first of each reason, so that it stays small. */
export interface Tally {
  add(outcome: Pick<Outcome, 'item' | 'error' | 'isInDoubt'>): void;
  readonly done: number;
  readonly failed: number;
  /** Shows alerts and failures, or that all is done. */
  show(screen: Screen, end: End): void;
  /** Returns the error that ends the command, if there is one. */
  verdict(end: End): CliError | undefined;
}

/** How the run ended. */
export interface End {
  /** Items of this run, with those that were done before. */
  readonly total: number;
  readonly doneBefore: number;
  readonly ms: number;
  /** The command that goes on; undefined without a log. */
  readonly resume: string | undefined;
  /** Why nothing more was sent, if something is left. */
  readonly stopped: CliError | undefined;
}

const MOST_REASONS = 50;
const MOST_IDS = 100;

export function createTally(command: Command, each: Each): Tally {
  const reasons = new Map<string, Reason>();
  const alerts = new Map<string, string>();
  const codes = new Set<ErrorCode>();
  const doubtful: string[] = [];
  let [done, failed, inDoubt, alerting] = [0, 0, 0, 0];
  const { one, several } = KINDS[each];
  const named = (count: number) => `${formatCount(count)} ${count === 1 ? one : several}`;

  const addFailure = (id: string, error: CliError) => {
    const message = withoutId(error.message, id);
    const isNew = !reasons.has(`${error.code} ${message}`);
    const text = isNew && reasons.size >= MOST_REASONS ? 'other reasons' : message;
    const key = `${error.code} ${text}`;
    const reason = reasons.get(key) ?? { code: error.code, message: text, count: 0, ids: [] };
    reasons.set(key, reason);
    reason.count += 1;
    if (reason.ids.length < MOST_IDS) reason.ids.push(id);
  };
  const leftOf = ({ total, doneBefore }: End) => total - doneBefore - done - failed - alerting;
  const paceOf = ({ ms }: End) =>
    ms >= 1000 ? ` in ${formatDuration(ms)}, ${rateOf(done + failed + alerting, ms)}` : '';
  const countsOf = (end: End) => {
    const left = leftOf(end);
    return (
      [
        `${formatCount(done)} of ${named(end.total)} done`,
        ...(end.doneBefore > 0 ? [`${formatCount(end.doneBefore)} done before`] : []),
        ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
        ...(left > 0 ? [`${formatCount(left)} not sent`] : []),
      ].join(', ') + paceOf(end)
    );
  };

  return {
    get done() {
      return done + alerting;
    },
    get failed() {
      return failed;
    },
    add({ item: { id }, error, isInDoubt }) {
      if (error === undefined) {
        done += 1;
      } else if (error.details.isAlert) {
        alerting += 1;
        if (alerts.size < MOST_IDS) alerts.set(id, error.message);
      } else {
        failed += 1;
        codes.add(isInDoubt ? 'unavailable' : error.code);
        if (isInDoubt) inDoubt += 1;
        if (isInDoubt && doubtful.length < MOST_IDS) doubtful.push(id);
        addFailure(id, error);
      }
    },
    show(screen, end) {
      if (alerts.size > 0) {
        screen.table({ head: [{ name: capital(one), whole: true }, 'Alert'], rows: [...alerts] });
        screen.line();
      }
      if (reasons.size > 0) {
        const rows = [...reasons.values()]
          .sort((first, second) => second.count - first.count)
          .map(({ code, message, count, ids }) => [
            state(code.replaceAll('_', ' ')),
            formatCount(count),
            message,
            listed(ids),
          ]);
        const head = [
          'Failed',
          { name: capital(several), align: 'right' as const },
          { name: 'Reason', below: true },
          { name: 'Which', below: true },
        ];
        screen.table({ head, rows });
        screen.line();
      }
      // Otherwise the error says it.
      if (failed + alerting === 0 && leftOf(end) === 0) screen.success(`${command.path}: ${countsOf(end)}.`);
    },
    verdict(end) {
      const { stopped, resume, total } = end;
      const left = leftOf(end);
      const hint = failed + left > 0 ? resume : undefined;
      const lines =
        inDoubt === 0
          ? []
          : [
              `${named(inDoubt)} may have been carried out, and nothing says so: ${listed(doubtful)}. Check before you repeat.`,
            ];
      if (stopped !== undefined && left > 0) {
        const code = stopped.code === 'interrupted' || failed === 0 ? stopped.code : 'partial';
        return new CliError(code, `${stopped.message} ${countsOf(end)}.`, {
          ...stopped.details,
          lines,
          hint,
          isCancelled: undefined,
        });
      }
      if (failed > 0) {
        const [code] = codes;
        const isCommon = codes.size === 1 && failed === total && code !== undefined;
        const message = isCommon
          ? `${total === 1 ? 'The one' : `All ${formatCount(total)}`} failed.`
          : `${countsOf(end)}.`;
        const details = { lines, hint, ...(inDoubt > 0 && { outcome: 'unknown' as const }) };
        return new CliError(isCommon ? code : 'partial', message, details);
      }
      if (alerting === 0) return undefined;
      return new CliError('failed', `The condition holds for ${formatCount(alerting)} of ${named(total)}.`, {
        isAlert: true,
      });
    },
  };
}

/** Makes the messages of items that failed alike the same. */
function withoutId(message: string, id: string): string {
  const words = message.split(/([\s"'():,;/?]+)/);
  return words.map((word) => (word === id ? '…' : word === `${id}.` ? '….' : word)).join('');
}

/** Items per second, for people. */
export function rateOf(count: number, ms: number): string {
  const perSecond = (count / ms) * 1000;
  return `${perSecond >= 10 ? Math.round(perSecond) : perSecond.toFixed(1)}/s`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
