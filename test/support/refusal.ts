import { CliError, type Hint, stepOf } from '../../src/errors.ts';

/** What a usage error says: the message, and the next step as people see it. */
export function refusal(run: () => unknown): string {
  try {
    const result = run();
    return `accepted: ${JSON.stringify(result)}`;
  } catch (error) {
    return describe(error);
  }
}

/** The same for work that takes its time. */
export async function lateRefusal(run: () => Promise<unknown>): Promise<string> {
  try {
    return `accepted: ${JSON.stringify(await run())}`;
  } catch (error) {
    return describe(error);
  }
}

/** The lines of a hint in the error for people. */
export function shownHint(hint: Hint | undefined): string {
  const { say, run } = stepOf(hint);
  return [...(say === undefined ? [] : [`  ${say}\n`]), ...run.map((command) => `Try: ${command}\n`)].join('');
}

/** Errors that are no usage errors are bugs, so they go on. */
function describe(error: unknown): string {
  if (!(error instanceof CliError) || error.code !== 'usage') throw error;
  const { say, run } = stepOf(error.details.hint);
  return [error.message, ...(say === undefined ? [] : [say]), ...run.map((command) => `Try: ${command}`)].join(' ');
}

/** Whether a usage error, and nothing else, refuses; the value otherwise. For properties. */
export function acceptedBy<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    describe(error);
    return undefined;
  }
}
