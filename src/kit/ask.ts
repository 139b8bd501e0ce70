import { CliError, listed, usageError } from '../errors.ts';
import type { Io } from '../terminal/terminal.ts';
import type { CommandSettings, Context } from './context.ts';
import { option, optional } from './parameters.ts';
import type { Setting, Settings } from './setting.ts';
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

interface ServiceChoice extends Pick<CommandSettings, 'serviceId' | 'explain'> {
  /** Says which service and organization the run is for, if a link file chose one of them. */
  linkNotice(): string | undefined;
}

/**
 * Finds the service of a run; remembers the setting that named it, for errors and notices.
 * @param propose returns command lines for an error without a service
 * @param organizations returns the slugs that this machine has seen
 */
export function createServiceChoice(
  settings: Settings,
  propose: () => readonly string[],
  organizations: () => readonly string[],
): ServiceChoice {
  let chosen: Setting | undefined;
  return {
    serviceId(given) {
      if (given !== undefined) return given;
      chosen = settings.service();
      if (chosen === undefined) throw noService(settings.ignoredLinks(), propose());
      return parseIdentifier(chosen.value, chosen.where);
    },
    linkNotice() {
      const org = settings.org();
      if (![chosen, org].some((one) => one?.origin === 'link')) return undefined;
      const named = (what: string, setting: Setting | undefined) =>
        setting === undefined ? [] : [`the ${what} ${setting.value} (${setting.where})`];
      return `For ${[...named('service', chosen), ...named('organization', org)].join(' and ')}.`;
    },
    explain(error) {
      if (!(error instanceof CliError)) return error;
      const org = error.code === 'forbidden' ? settings.org() : undefined;
      const seen = org === undefined ? [] : organizations();
      if (org !== undefined && seen.length > 0 && !seen.includes(org.value)) {
        return error.withLines(`${org.where} names ${org.value}. Seen on this machine: ${listed(seen)}.`);
      }
      if (chosen === undefined || error.code !== 'not_found') return error;
      return error.withLines(`Looked in service ${chosen.value} (from ${chosen.where}).`);
    },
  };
}

function noService(ignored: readonly string[], proposals: readonly string[]): CliError {
  return new CliError('usage', 'This command needs a service. Set its id in one of these ways:', {
    lines: [
      ...ignored,
      '--service <id>     for one command',
      'SVC_SERVICE=<id>   for this shell or pipeline',
      'svc link <id>      for this folder and those below it',
    ],
    hint: { say: SERVICE_IDS, run: proposals },
  });
}

/** Reads the id of a service. Throws a usage error. */
export function parseService(text: string): string {
  return parseIdentifier(text, 'The service id');
}
