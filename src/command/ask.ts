import { CliError, cancelled, usageError } from '../errors.ts';
import type { Io } from '../terminal/io.ts';
import { createScreen, type Screen } from '../terminal/screen.ts';
import { AGENTS_SPEND } from './config-file.ts';
import type { CommandIo, CommandSettings, System } from './context.ts';
import type { Globals } from './globals.ts';
import { option, optional } from './parameters.ts';
import type { Settings } from './settings.ts';
import type { Setting } from './target.ts';
import { parseIdentifier } from './values/identifier.ts';

interface Asked {
  readonly io: Io;
  readonly system: Pick<System, 'again'>;
}

interface Consenting extends Asked {
  readonly globals: Globals;
  readonly settings: Pick<Settings, 'agentsMaySpend'>;
}

/** Makes what asks for consent to spend money or to move DNS; the default answer is no. */
export function createConsent({ io, system, globals, settings }: Consenting) {
  const { host } = io;
  const requireInteractive: CommandIo['requireInteractive'] = () => {
    if (host !== undefined) {
      if (host.confirm === undefined) throw needsPerson('this program cannot ask one', [system.again()]);
      return;
    }
    if (io.agent !== undefined && !settings.agentsMaySpend()) {
      const allow = `svc config set ${AGENTS_SPEND} allow`;
      throw needsPerson(`${io.agent} says that an agent typed this`, [system.again(), allow]);
    }
    if (globals.yes || io.interactive) return;
    throw usageError('This needs a confirmation, but svc cannot ask for one here. Nothing was sent.', {
      say: 'Repeat the command with --yes.',
      run: againWith({ io, system }, ['--yes']),
    });
  };
  const confirmOrStop: CommandIo['confirmOrStop'] = async (question, details) => {
    requireInteractive();
    if (host === undefined && globals.yes) return;
    const text = details === undefined ? '' : await drawn(details, io);
    if (host === undefined && text !== '') await io.err.write(text);
    const isConfirmed = await (host?.confirm?.(question, text) ?? io.confirm(question));
    if (!isConfirmed) throw cancelled('usage');
  };
  return { requireInteractive, confirmOrStop };
}

async function drawn(details: (screen: Screen) => void, io: Io): Promise<string> {
  const { render } = await import('../terminal/render.ts');
  const screen = createScreen();
  details(screen);
  return render(screen.blocks, io.view(io.err));
}

const MOST_PROPOSED = 3;

/** Proposes the same command line with other words added. Only programs get it: it may hold a phone number. */
export function againWith({ io, system }: Asked, ...ways: readonly (readonly string[])[]): readonly string[] {
  if (!io.json && io.agent === undefined) return [];
  return ways.slice(0, MOST_PROPOSED).map((words) => system.again(...words));
}

function needsPerson(why: string, run: readonly string[]): CliError {
  return usageError(`Only a person may spend money or move DNS, and ${why}.`, {
    say: `Nothing was sent. A person can run the command on a terminal${run.length > 1 ? ', or allow it to agents' : ''}:`,
    run,
    by: 'person',
  });
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

/**
 * Finds the service of a run; remembers the setting that named it, for errors and notices.
 * @param propose returns command lines for an error without a service
 */
export function createServiceChoice(settings: Settings, propose: () => readonly string[]): ServiceChoice {
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

function noService(ignored: readonly string[], proposals: readonly string[]): CliError {
  return new CliError('usage', 'This command needs a service. Give its id in one of these ways:', {
    lines: [
      ...ignored,
      '--service <id>     for one command',
      'SVC_SERVICE=<id>   for this shell or pipeline',
      'svc link <id>      for this folder and those below it',
    ],
    hint: { say: SERVICE_IDS, run: proposals },
  });
}

export function parseService(text: string): string {
  return parseIdentifier(text, 'The service id');
}
