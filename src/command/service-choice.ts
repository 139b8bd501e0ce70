import { CliError } from '../errors.ts';
import type { Context } from './context.ts';
import { parseIdentifier } from './parse/identifier.ts';
import type { Setting, Settings } from './settings.ts';

/** Finds the service of a run, and remembers what named it. */
export function createServiceChoice(settings: Settings): Pick<Context, 'service' | 'explained'> {
  let silent: Setting | undefined;
  return {
    service(given) {
      if (given !== undefined) return parseIdentifier(given, 'The service id');
      silent = settings.service();
      if (silent === undefined) throw noService();
      return parseIdentifier(silent.value, silent.where);
    },
    explained(error) {
      if (silent === undefined || !(error instanceof CliError) || error.code !== 'not_found') return error;
      return error.with({
        lines: [...(error.details.lines ?? []), `${silent.where} names the service ${silent.value}.`],
      });
    },
  };
}

function noService(): CliError {
  return new CliError('usage', 'This command needs a service. Give its id in one of these ways:', {
    lines: [
      'svc restart <id>, svc metrics <id>; every other command takes --service <id>',
      'SVC_SERVICE=<id>   for this shell or pipeline',
      'svc link <id>      for this folder and those below it',
    ],
  });
}
