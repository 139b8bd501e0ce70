import { CliError } from '../../src/errors.ts';

/** A usage error as people see it: the message, and the command behind `Try: ` if there is one. */
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

/** Errors that are no usage errors are bugs, so they go on. */
function describe(error: unknown): string {
  if (!(error instanceof CliError) || error.code !== 'usage') throw error;
  return [error.message, ...(error.details.hint === undefined ? [] : [`Try: ${error.details.hint}`])].join(' ');
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
