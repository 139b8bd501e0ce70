import type { Needs } from '../../cli/define/context.ts';
import type { PollEvent } from '../../sign-in/poll.ts';

/** `c` copies the code, and Enter opens the page. */
export type LoginKeys = Readonly<{ code: string | undefined; page: string | undefined }>;

/** Shows a countdown on a terminal, and elsewhere one line for each change. */
export async function showWaiting(context: Needs<'io' | 'globals'>, keys: LoginKeys) {
  const { io, globals } = context;
  let isCopied = false;
  const text = (left?: number, problem?: string) => waitingText(isCopied, left, problem);
  const progress = io.progress(text());
  const copied = () => {
    isCopied = true;
    progress.update(text());
  };
  const stopKeys = io.spinner ? await listenForKeys(context, keys, copied) : undefined;
  if (!io.err.isTty) void io.note('Waiting for approval...');
  let said: string | undefined;
  const sayChange = (problem: string | undefined): void => {
    if (io.spinner || problem === said) return;
    said = problem;
    void io.note(
      problem === undefined ? 'Waiting for approval again.' : `Still waiting: ${problem}`,
    );
  };
  return {
    stop() {
      stopKeys?.();
      progress.stop();
    },
    report(event: PollEvent): void {
      if (event.kind === 'notice') void io.note(event.text);
      else if (event.kind === 'waiting') {
        progress.update(text(event.remainingSeconds, event.problem));
        sayChange(event.problem);
      } else if (globals.debug) {
        void io.err
          .write(`poll: ${event.verdict}, next in ${event.nextInSeconds} s\n`)
          .catch(() => {});
      }
    },
  };
}

/**
 * Copies the code with `c`, by the terminal itself (OSC 52), and opens the page again with Enter.
 */
async function listenForKeys({ io }: Needs<'io'>, { code, page }: LoginKeys, copied: () => void) {
  const ways = [code && 'c to copy the code', page && 'Enter to open the page again'].filter(
    Boolean,
  );
  if (ways.length === 0) return undefined;
  const stop = await io.onKey((key) => {
    if (key === 'c' && code !== undefined) {
      void io.err
        .write(`\u001b]52;c;${Buffer.from(code).toString('base64')}\u0007`)
        .then(copied, () => undefined);
    } else if (key === '\r' && page !== undefined) {
      void io.openBrowser(page);
    }
  });
  if (stop !== undefined) void io.note(`Press ${ways.join(', ')}.`);
  return stop;
}

/** Short: a second line on a terminal that becomes narrow would stay on the screen. */
function waitingText(isCopied: boolean, remainingSeconds?: number, problem?: string): string {
  const waiting = isCopied ? 'Copied.' : 'Waiting...';
  const left =
    remainingSeconds === undefined ? '' : ` ${minutesAndSeconds(remainingSeconds)} left,`;
  return `${waiting}${left} Ctrl-C cancels${problem === undefined ? '' : ` (${problem})`}`;
}

function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
