import { restartService } from '../api/services.ts';
import type { Context } from '../command/context.ts';
import type { Attach, Declaration } from '../command/declaration.ts';
import { answered, asWritten, type Result, unprinted } from '../command/result.ts';
import { sameTarget } from '../command/same-target.ts';
import type { CliError } from '../errors.ts';
import type { Screen } from '../io/screen.ts';
import { asText, asYesOrNo, unreadFields } from '../spec/read.ts';
import type { Restart } from '../spec/types.ts';
import { refusedBy, unconfirmed, type Verdict, verdictOf } from './shared/verdict.ts';
import { withProgress } from './shared/with-progress.ts';

export interface RestartOptions {
  /** The service's id. */
  readonly service?: string;
}

interface Restarted {
  readonly answer: Restart;
  readonly verdict: Verdict;
  readonly service: string;
}

export function define(parent: Declaration, attach: Attach): void {
  const command = parent
    .command('restart')
    .description('Restart a service with its current image')
    .argument('[service]', 'id of the service (default: SVC_SERVICE, or the linked one)');
  attach(command, {
    run,
    human,
    changes: true,
    examples: [
      ['svc restart', 'restart the linked service'],
      ['svc restart --json', 'the same as JSON, for scripts'],
    ],
    exitCodes: [
      [8, 'with outcome "unknown": no answer said whether the service was restarted'],
      [9, 'the service says that the restart failed'],
    ],
  });
}

export async function run(context: Context, options: RestartOptions): Promise<Result<Restarted>> {
  const service = context.settings.serviceId(options.service);
  const answer = await withProgress(context.io, `Restarting ${service}`, async () =>
    restartService(await context.api.client(), service),
  );
  const verdict = verdictOf(answer.value, ['success']);
  const done = `The restart of ${service} was accepted.`;
  const value = { answer: asWritten(answer), verdict, service };
  if (verdict === 'unclear') return unprinted(value, unclear(context, answer.value, service));
  const failure = verdict === 'refused' ? refusedBy(answer.value, `The service did not restart ${service}`) : undefined;
  return { ...answered(answer, value, failure), done };
}

export function human(screen: Screen, { answer, verdict, service }: Restarted): void {
  if (verdict === 'done') screen.success(`Restarted ${service}.`);
  screen.fields([['Message', asText(answer.message)]]);
  screen.rest(unreadFields(answer, { success: asYesOrNo, message: asText }));
  if (verdict === 'done') screen.next([`svc metrics ${service}`]);
}

function unclear({ settings: { globals } }: Context, answer: Restart, service: string): CliError {
  const look = sameTarget(['svc', 'metrics', service], globals);
  return unconfirmed(answer, `The service does not say whether ${service} was restarted`, look);
}
