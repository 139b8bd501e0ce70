import { Session } from 'node:inspector';

/**
 * How much of the program's own code the work runs: how often each of its blocks is entered. The same on every machine,
 * fast or slow, so that a test can tell what grows with the square of its input. What Node does by itself, such as a
 * search in a list or a regular expression, is not counted.
 */
export function stepsOf(work: () => unknown, file: RegExp): number {
  const session = new Session();
  session.connect();
  try {
    session.post('Profiler.enable');
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    let steps = 0;
    // A function is counted once it is compiled, so the first time is not.
    for (const _ of ['compiled', 'counted']) {
      work();
      session.post('Profiler.takePreciseCoverage', (error, { result } = { result: [] }) => {
        if (error !== null) throw error;
        const functions = result.filter(({ url }) => file.test(url)).flatMap((script) => script.functions);
        steps = functions.flatMap(({ ranges }) => ranges).reduce((sum, { count }) => sum + count, 0);
      });
    }
    session.post('Profiler.stopPreciseCoverage');
    return steps;
  } finally {
    session.disconnect();
  }
}
