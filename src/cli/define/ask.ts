import { CliError, usageError } from '../../errors.ts';
import { repeatLine } from '../../shell-line.ts';
import type { Io } from '../../terminal/io.ts';
import { parseIdentifier } from '../values/identifier.ts';
import { option, optional } from '../values/parameters.ts';

/** The terminal, and the words that were typed. */
interface PromptContext {
  readonly io: Io;
  readonly line: readonly string[];
}

/** Creates the error of a confirmation that svc cannot ask for. */
export function needsYes(context: PromptContext): CliError {
  return usageError(
    'This needs a confirmation, but svc cannot ask for one here. Nothing was sent.',
    {
      say: 'Repeat the command with --yes.',
      run: proposeRepeats(context, ['--yes']),
    },
  );
}

const MAX_PROPOSED = 3;

/**
 * Writes the typed line with words added, for each way; only for programs, since it may hold a
 * phone number.
 */
export function proposeRepeats(
  { io, line }: PromptContext,
  ...ways: readonly (readonly string[])[]
): readonly string[] {
  if (!io.json && io.agent === undefined) return [];
  return ways.slice(0, MAX_PROPOSED).map((words) => repeatLine(line, ...words));
}

/** Gives a prompt that is cancelled an ending, such as "Nothing was ordered." */
export async function orCancelled<T>(nothing: string, ask: () => Promise<T>): Promise<T> {
  return ask().catch((error: unknown) => {
    const isCancelled = error instanceof CliError && error.details.isCancelled;
    throw isCancelled ? new CliError(error.code, `Cancelled. ${nothing}`, error.details) : error;
  });
}

const MEANING = 'its id (default: SVC_SERVICE, or the linked one)';

/** The option of commands that also work without a service. */
export const OPTIONAL_SERVICE_OPTION = {
  service: option('id', MEANING, parseService, { offer: 'services', short: 's' }),
};
/** The option of commands that need a service: a terminal asks if no setting names one. */
export const SERVICE_OPTION = { service: { ...OPTIONAL_SERVICE_OPTION.service, asked: true } };

/** The argument of commands that take the id in both ways. */
export const SERVICE_ARGUMENT = {
  service: optional(MEANING, { read: parseService, offer: 'services', asked: true }),
};

/** Throws a usage error. */
export function parseService(text: string): string {
  return parseIdentifier(text, 'The service id');
}
