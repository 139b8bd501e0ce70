import { restartService } from '../api/services.ts';
import type { Context } from '../command/context.ts';
import type { Attach, Declaration } from '../command/declaration.ts';
import { answered, asWritten, type Result } from '../command/result.ts';
import type { Screen } from '../io/screen.ts';
import { asBoolean, asText, unreadFields } from '../spec/read.ts';
import type { Restart } from '../spec/types.ts';
import { refusedBy, type Verdict, verdictOf } from './shared/verdict.ts';
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
    examples: [
      ['svc restart', 'restart the linked service'],
      ['svc restart --json', 'the same as JSON, for scripts'],
    ],
    exitCodes: [[9, 'the service says that the restart failed']],
  });
}

export async function run(context: Context, options: RestartOptions): Promise<Result<Restarted>> {
  const service = context.service(options.service);
  const answer = await withProgress(context.io, `Restarting ${service}`, async () =>
    restartService(await context.client(), service),
  );
  const verdict = verdictOf(answer.value, ['success']);
  const failure = verdict === 'refused' ? refusedBy(answer.value, `The service did not restart ${service}`) : undefined;
  const done = `The restart of ${service} was accepted.`;
  return { ...answered(answer, { answer: asWritten(answer), verdict, service }, failure), done };
}

export function human(screen: Screen, { answer, verdict, service }: Restarted): void {
  if (verdict === 'done') screen.success(`Restarted ${service}.`);
  if (verdict === 'unclear') screen.warning(`The service does not say clearly that ${service} was restarted.`);
  screen.fields([['Message', asText(answer.message)]]);
  screen.rest(unreadFields(answer, { success: asBoolean, message: asText }));
  if (verdict !== 'refused') screen.next([`svc metrics ${service}`]);
}
