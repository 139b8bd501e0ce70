import { CliError, toNextStep } from '../../src/errors.ts';

/** What a usage error says: the message, and the next step as people see it. */
export function refusal(run: () => unknown): string {
  try {
    return `accepted: ${JSON.stringify(run())}`;
  } catch (error) {
    return describe(error);
  }
}

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
  const { say, run } = toNextStep(error.details.hint);
  return [
    error.message,
    ...(say === undefined ? [] : [say]),
    ...run.map((command) => `Try: ${command}`),
  ].join(' ');
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
