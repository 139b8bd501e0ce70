import { type Call, type Client, restartCall } from '../api/call.ts';
import { judge, toVerdictError } from '../api/verdict.ts';
import type { Needs } from '../cli/define/context.ts';
import { asWritten, defineCommand, type Result, toResult } from '../cli/define/define.ts';
import { flag, SERVICE_ARGUMENT, SERVICE_OPTION } from '../cli/values/parameters.ts';
import type { Restart } from '../contract/operations.ts';
import type { ErrorCode } from '../errors.ts';
import { asText, asYesOrNo, unreadFields } from '../json/values.ts';
import { commandLine } from '../shell-line.ts';
import { previewRequest } from './shared/dry-run.ts';
import { describeService, toKnownService } from './shared/names.ts';

interface Restarted {
  readonly answer: Restart;
  /** How it ended: if an error follows, its code. */
  readonly outcome: 'done' | 'begun' | ErrorCode;
  readonly service: string;
  /** The service with its name, if svc knows it. */
  readonly title: string;
}

export default defineCommand({
  summary: 'Restart a service with its current image',
  effect: 'changes',
  args: SERVICE_ARGUMENT,
  options: { ...SERVICE_OPTION, dryRun: flag('show the request without sending it') },
  tool: {
    title: 'Restart a service',
    description:
      'Restarts a service with its current image. For a WordPress cache or backup call wp_run instead. About 30 tokens.',
    arguments: {
      service: 'id of the service; default: the one that a person chose',
      dryRun: 'only show the request',
    },
  },
  examples: [
    ['svc restart', 'restart the linked service'],
    ['svc restart svc_wp_7k2m9qx4 svc_vps_6h1r0wyb --yes', 'restart several'],
  ],
  exitCodes: [
    [8, 'no clear answer: the service may have been restarted'],
    [9, 'the platform says that the restart failed'],
  ],

  async run(context, { service: given, dryRun }) {
    const { api, globals, settings } = context;
    const service = settings.serviceId(given);
    const call = restartCall(service, commandLine(['metrics', service], {}, globals));
    const client = await api.client();
    return dryRun ? previewRequest(client, call) : restart(context, client, call, service);
  },

  human(screen, { answer, outcome, service, title }) {
    if (outcome === 'done') screen.success(`Restarted ${title}.`);
    if (outcome === 'begun') screen.line(`The restart of ${title} has begun.`);
    // The error that follows has the message of a restart that failed.
    screen.fields([['Message', outcome === 'failed' ? undefined : asText(answer.message)]]);
    screen.unknownFields(unreadFields(answer, { success: asYesOrNo, message: asText }));
    if (outcome === 'done' || outcome === 'begun') screen.next([`svc metrics ${service}`]);
  },

  batch: { of: 'service' },
});

/** Restarts a service. The result has an error unless the answer says that it was restarted. */
async function restart(
  context: Needs<'assume' | 'settings' | 'store'>,
  client: Client,
  call: Call,
  service: string,
): Promise<Result<Restarted>> {
  const answer = await client.call<Restart>(call);
  const judgement = judge(answer, 'restart', context.assume);
  const failure = toVerdictError(
    judgement,
    {
      failed: `The platform did not restart ${service}`,
      doubtful: `The answer about the restart of ${service} contradicts itself`,
      unclear: `The platform does not say whether ${service} was restarted`,
    },
    call.settling,
  );
  const outcome = failure?.code ?? (judgement.verdict === 'done' ? 'done' : 'begun');
  const title = describeService(context, answer.value, service);
  return {
    ...toResult(answer, { answer: asWritten(answer), outcome, service, title }, failure),
    doneSentence: `The restart of ${service} was accepted.`,
    namesToCache: toKnownService(answer.value, service),
  };
}
