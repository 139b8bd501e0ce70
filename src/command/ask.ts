import { CliError, cancelled, usageError } from '../errors.ts';
import type { Io } from '../terminal/io.ts';
import { createScreen, type Screen } from '../terminal/screen.ts';
import type { CommandSettings } from './context.ts';
import type { Globals } from './globals.ts';
import { option, optional } from './parameters.ts';
import type { Settings } from './settings.ts';
import type { Setting } from './target.ts';
import { parseIdentifier } from './values/identifier.ts';

/** See `CommandIo.requireInteractive`. */
export function requireInteractive(io: Io, globals: Globals): void {
  if (globals.yes || io.interactive) return;
  throw usageError(
    'This needs a confirmation, but svc cannot ask for one here. Nothing was sent.',
    'Repeat the command with --yes.',
  );
}

/** See `CommandIo.confirmOrStop`; the default answer is no. */
export async function confirmOrStop(
  io: Io,
  globals: Globals,
  question: string,
  details?: (screen: Screen) => void,
): Promise<void> {
  if (globals.yes) return;
  requireInteractive(io, globals);
  if (details !== undefined) {
    const { render } = await import('../terminal/render.ts');
    const screen = createScreen();
    details(screen);
    await io.err.write(await render(screen.blocks, io.view(io.err)));
  }
  if (!(await io.confirm(question))) throw cancelled('usage');
}

/** Asks, and gives a prompt that is cancelled its own ending, such as "Nothing was ordered." */
export async function orCancelled<T>(nothing: string, ask: () => Promise<T>): Promise<T> {
  return ask().catch((error: unknown) => {
    const isCancelled = error instanceof CliError && error.details.isCancelled;
    throw isCancelled ? new CliError(error.code, `Cancelled. ${nothing}`, error.details) : error;
  });
}

export const SERVICE_IDS = 'Find the id in the dashboard: Services › your service › Settings.';

const MEANING = 'id of the service (default: SVC_SERVICE, or the linked one)';

/** For commands that also work without a service. */
export const OPTIONAL_SERVICE_OPTION = { service: option('id', MEANING, parseService, { offer: 'services' }) };
export const SERVICE_OPTION = { service: option('id', MEANING, parseService, { offer: 'services', asked: true }) };

/** For commands that take the id as an argument or, like all others, as `--service <id>`. */
export const SERVICE_ARGUMENT = { service: optional(MEANING, { read: parseService, offer: 'services', asked: true }) };

interface ServiceChoice extends Pick<CommandSettings, 'serviceId' | 'explain'> {
  /** Says which service and organization the run is for, if a link file chose one of them. */
  linkNotice(): string | undefined;
}

/** Finds the service of a run; remembers the setting that named it, for errors and notices. */
export function createServiceChoice(settings: Settings): ServiceChoice {
  let chosen: Setting | undefined;
  return {
    serviceId(given) {
      if (given !== undefined) return given;
      chosen = settings.service();
      if (chosen === undefined) throw noService(settings.ignoredLinks());
      return parseIdentifier(chosen.value, chosen.where);
    },
    linkNotice() {
      const org = settings.org();
      if (chosen?.origin !== 'link' && org?.origin !== 'link') return undefined;
      const named = (what: string, setting: Setting | undefined) =>
        setting === undefined ? [] : [`the ${what} ${setting.value} (${setting.where})`];
      return `For ${[...named('service', chosen), ...named('organization', org)].join(' and ')}.`;
    },
    explain(error) {
      if (chosen === undefined || !(error instanceof CliError) || error.code !== 'not_found') return error;
      const source = `Looked in service ${chosen.value} (from ${chosen.where}).`;
      return error.with({ lines: [...(error.details.lines ?? []), source] });
    },
  };
}

function noService(ignored: readonly string[]): CliError {
  return new CliError('usage', 'This command needs a service. Give its id in one of these ways:', {
    lines: [
      ...ignored,
      SERVICE_IDS,
      '--service <id>     for one command',
      'SVC_SERVICE=<id>   for this shell or pipeline',
      'svc link <id>      for this folder and those below it',
    ],
  });
}

export function parseService(text: string): string {
  return parseIdentifier(text, 'The service id');
}
