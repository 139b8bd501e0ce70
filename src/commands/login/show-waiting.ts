import type { Needs } from '../../cli/define/context.ts';
import type { PollEvent } from '../../sign-in/poll.ts';

/** Shows a countdown on a terminal, and elsewhere one line for each change. */
export function showWaiting({ io, globals }: Needs<'io' | 'globals'>) {
  const progress = io.progress(describeWaiting(undefined, undefined));
  if (!io.err.isTty) void io.note('Waiting for approval...');
  let shownProblem: string | undefined;
  const noteChange = (problem: string | undefined): void => {
    if (io.spinner || problem === shownProblem) return;
    shownProblem = problem;
    void io.note(problem ? `Still waiting: ${problem}` : 'Waiting for approval again.');
  };
  return {
    stop: progress.stop,
    report(event: PollEvent): void {
      if (event.kind === 'notice') void io.note(event.text);
      else if (event.kind === 'waiting') {
        progress.update(describeWaiting(event.remainingSeconds, event.problem));
        noteChange(event.problem);
      } else if (globals.debug) {
        const line = `poll: ${event.verdict}, next in ${event.nextInSeconds} s\n`;
        void io.err.write(line).catch(() => undefined);
      }
    },
  };
}

/** Keeps it short: a second line on a terminal that becomes narrow would stay on the screen. */
function describeWaiting(seconds: number | undefined, problem: string | undefined) {
  const parts = ['Waiting...'];
  if (seconds !== undefined) {
    parts.push(`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left,`);
  }
  parts.push('Ctrl-C cancels');
  if (problem !== undefined) parts.push(`(${problem})`);
  return parts.join(' ');
}
