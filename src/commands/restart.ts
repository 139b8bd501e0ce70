import type { Command } from 'commander';
import { restartService } from '../api/services.ts';
import type { Attach } from '../command/attach.ts';
import type { Context } from '../command/context.ts';
import { answered, type Result } from '../command/result.ts';
import { CliError } from '../errors.ts';
import type { Screen } from '../io/screen.ts';
import { asBoolean, asText, unreadFields } from '../spec/read.ts';
import type { Restart } from '../spec/types.ts';
import { withProgress } from './shared/with-progress.ts';

export interface RestartOptions {
  /** The service's id. */
  readonly service?: string;
}

interface Restarted {
  readonly answer: Restart;
  readonly service: string;
}

export function define(parent: Command, attach: Attach): void {
  const command = parent
    .command('restart')
    .description('Restart a service with its current image')
    .argument('[service]', 'id of the service (default: SVC_SERVICE, or the linked one)');
  attach(command, {
    run,
    human,
    examples: [
      ['svc restart', 'restart the linked service'],
      ['svc restart --json', 'the same, for scripts'],
    ],
    exitCodes: [[9, 'the service says that the restart failed']],
  });
}

export async function run(context: Context, options: RestartOptions): Promise<Result<Restarted>> {
  const service = context.service(options.service);
  const answer = await withProgress(context.io, `Restarting ${service}`, async () =>
    restartService(await context.client(), service),
  );
  return answered(answer, { answer: answer.value, service }, failureOf(answer.value, service));
}

export function human(screen: Screen, { answer, service }: Restarted): void {
  const { success, message } = answer;
  if (success !== false) screen.success(`Restarted ${service}.`);
  screen.fields([['Message', asText(message)]]);
  screen.rest(unreadFields(answer, { success: asBoolean, message: asText }));
  if (success !== false) screen.next([`svc metrics ${service}`]);
}

function failureOf({ success, message }: Restart, service: string): CliError | undefined {
  if (success !== false) return undefined;
  const words = asText(message);
  return new CliError('failed', `The service did not restart ${service}${words ? `: ${words}` : '.'}`);
}
