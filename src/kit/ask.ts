import { CliError, usageError } from '../errors.ts';
import type { Io } from '../terminal/terminal.ts';
import type { Context } from './context.ts';
import { option, optional } from './parameters.ts';
import { parseIdentifier } from './values/identifier.ts';

/** What decides whether svc may ask, and how to write the line again. */
export interface Asked {
  readonly io: Io;
  readonly again: Context['again'];
}

/** Makes the error for a confirmation that svc cannot ask for. */
export function needsYes(asked: Asked): CliError {
  return usageError('This needs a confirmation, but svc cannot ask for one here. Nothing was sent.', {
    say: 'Repeat the command with --yes.',
    run: againWith(asked, ['--yes']),
  });
}

const MAX_PROPOSED = 3;

/** Proposes the same command line with other words added. Only programs get it: it may hold a phone number. */
export function againWith({ io, again }: Asked, ...ways: readonly (readonly string[])[]): readonly string[] {
  if (!io.json && io.agent === undefined) return [];
  return ways.slice(0, MAX_PROPOSED).map((words) => again(...words));
}

/** Asks, and gives a prompt that is cancelled its own ending, such as "Nothing was ordered." */
export async function orCancelled<T>(nothing: string, ask: () => Promise<T>): Promise<T> {
  return ask().catch((error: unknown) => {
    const isCancelled = error instanceof CliError && error.details.isCancelled;
    throw isCancelled ? new CliError(error.code, `Cancelled. ${nothing}`, error.details) : error;
  });
}

/** Where a person finds the id of a service. */
export const SERVICE_IDS = 'Find the id in the dashboard: Services › your service › Settings.';

const MEANING = 'id of the service (default: SVC_SERVICE, or the linked one)';

/** For commands that also work without a service. */
export const OPTIONAL_SERVICE_OPTION = { service: option('id', MEANING, parseService, { offer: 'services' }) };
/** For commands that need a service: asks for it on a terminal if no setting names one. */
export const SERVICE_OPTION = { service: option('id', MEANING, parseService, { offer: 'services', asked: true }) };

/** For commands that take the id as an argument or, like all others, as `--service <id>`. */
export const SERVICE_ARGUMENT = { service: optional(MEANING, { read: parseService, offer: 'services', asked: true }) };

/** Reads the id of a service. Throws a usage error. */
export function parseService(text: string): string {
  return parseIdentifier(text, 'The service id');
}
