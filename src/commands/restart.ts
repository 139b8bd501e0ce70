import { SERVICE_ARGUMENT, SERVICE_OPTION } from '../command/ask.ts';
import { defineCommand } from '../command/define.ts';
import { sameTarget } from '../command/next.ts';
import { answered, asWritten, unprinted } from '../command/result.ts';
import type { CliError } from '../errors.ts';
import { asText, asYesOrNo, unreadFields } from '../json/values.ts';
import { restartService } from '../service/operations.ts';
import type { Restart } from '../spec/types.ts';
import { serviceIn } from './shared/names.ts';
import { refusedBy, unconfirmed, verdictOf } from './shared/verdict.ts';

export default defineCommand({
  path: 'restart',
  summary: 'Restart a service with its current image',
  effect: 'changes',
  args: SERVICE_ARGUMENT,
  options: SERVICE_OPTION,
  examples: [
    ['svc restart', 'restart the linked service'],
    ['svc restart --json', 'the same as JSON, for scripts'],
  ],
  exitCodes: [
    [8, 'with outcome "unknown": no answer said whether the service was restarted'],
    [9, 'the service says that the restart failed'],
  ],

  async run(context, { service: given }) {
    const service = context.settings.serviceId(given);
    const look = sameTarget(['svc', 'metrics', service], context.settings.globals);
    const answer = await restartService(await context.api.client(), service, look);
    const verdict = verdictOf(answer.value, ['success']);
    const value = { answer: asWritten(answer), verdict, service };
    if (verdict === 'unclear') return unprinted(value, unclear(answer.value, service, look));
    const failure =
      verdict === 'refused' ? refusedBy(answer.value, `The service did not restart ${service}`) : undefined;
    return { ...answered(answer, value, failure), done: `The restart of ${service} was accepted.` };
  },

  human(screen, { answer, verdict, service }) {
    if (verdict === 'done') screen.success(`Restarted ${serviceIn(answer, service)}.`);
    screen.fields([['Message', asText(answer.message)]]);
    screen.rest(unreadFields(answer, { success: asYesOrNo, message: asText }));
    if (verdict === 'done') screen.next([`svc metrics ${service}`]);
  },
});

function unclear(answer: Restart, service: string, look: string): CliError {
  return unconfirmed(answer, `The service does not say whether ${service} was restarted`, look);
}
