import { CliError } from '../errors.ts';
import type { CommandSettings } from './context.ts';
import { parseIdentifier } from './parse/identifier.ts';
import type { Setting } from './setting.ts';
import type { Settings } from './settings.ts';

/** The service of a run, and what is to be said of it. */
export interface ServiceChoice extends Pick<CommandSettings, 'serviceId' | 'explain'> {
  /** Which service and organization the run is for, and what chose each, if a link file chose one of them. */
  linkNotice(): string | undefined;
}

/** Finds the service of a run, and remembers what named it. */
export function createServiceChoice(settings: Settings): ServiceChoice {
  let silent: Setting | undefined;
  return {
    serviceId(given) {
      if (given !== undefined) return parseIdentifier(given, 'The service id');
      silent = settings.service();
      if (silent === undefined) throw noService(settings.ignoredLinks());
      return parseIdentifier(silent.value, silent.where);
    },
    linkNotice() {
      const org = settings.org();
      if (silent?.origin !== 'link' && org?.origin !== 'link') return undefined;
      const named = (what: string, setting: Setting | undefined) =>
        setting === undefined ? [] : [`the ${what} ${setting.value} (${setting.where})`];
      return `For ${[...named('service', silent), ...named('organization', org)].join(' and ')}.`;
    },
    explain(error) {
      if (silent === undefined || !(error instanceof CliError) || error.code !== 'not_found') return error;
      return error.with({
        lines: [...(error.details.lines ?? []), `${silent.where} names the service ${silent.value}.`],
      });
    },
  };
}

function noService(ignored: readonly string[]): CliError {
  return new CliError('usage', 'This command needs a service. Give its id in one of these ways:', {
    lines: [
      ...ignored,
      '--service <id>     for one command; with svc api, write the id into the path',
      'SVC_SERVICE=<id>   for this shell or pipeline',
      'svc link <id>      for this folder and those below it',
    ],
  });
}
