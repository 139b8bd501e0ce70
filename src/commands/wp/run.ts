import { actionCall, type Call, type Client } from '../../api/call.ts';
import type { Needs } from '../../cli/define/context.ts';
import { defineCommand, type Result } from '../../cli/define/define.ts';
import { parseFields } from '../../cli/values/key-value.ts';
import { flag, list, required, SERVICE_OPTION } from '../../cli/values/parameters.ts';
import { notBlank } from '../../cli/values/text.ts';
import type { Job } from '../../contract/operations.ts';
import { CliError } from '../../errors.ts';
import { previewRequest } from '../shared/dry-run.ts';
import { describeKnown } from '../shared/names.ts';
import { planWait, waitOptions } from '../shared/wait.ts';
import {
  createJobFailure,
  findJobId,
  type JobContext,
  judgeJob,
  type ShownJob,
  showJob,
  toJobResult,
} from './job.ts';

export default defineCommand({
  summary: 'Run a WordPress action, such as a cache flush or a backup',
  effect: 'changes',
  args: {
    action: required('name of the action', {
      read: (text) => notBlank(text, 'The action'),
      offer: 'actions',
    }),
  },
  options: {
    service: SERVICE_OPTION.service,
    param: list('key=value', 'parameter of the action; key:=value for JSON', {
      read: (texts, field) => parseFields(texts, field, { raw: true }),
    }),
    ...waitOptions('wait until the action is done'),
    dryRun: flag('show the request without sending it'),
  },
  tool: {
    title: 'Run a WordPress action',
    description:
      'Runs a managed action, such as cache.flush, backup.create or plugin.install. It is only queued unless wait is true; done is what status says. About 100 tokens.',
    arguments: {
      action: 'name of the action',
      service: 'id of the service; default: the one that a person chose',
      param: 'parameters, each as key=value, or key:=value for a number, true, false or JSON',
      wait: 'wait until it has ended',
      waitTimeout: { type: 'seconds', description: 'wait at most so long; default: 600' },
      dryRun: 'only show the request',
    },
  },
  examples: [
    ['svc wp run cache.flush --wait', 'flush the cache, and wait for the end'],
    [
      'svc wp run plugin.install --param slug=akismet --param activate:=true',
      'install a plugin, in the background',
    ],
  ],
  exitCodes: [
    [8, 'no clear answer: the action may be queued'],
    [9, 'the action failed, or the answer says that it was not queued'],
    [10, 'the action is still running and --wait gave up, or svc cannot look at its job'],
  ],

  async run(
    context,
    { action, service: givenService, param, dryRun, ...waiting },
  ): Promise<Result<ShownJob>> {
    const { assume, globals, settings, time } = context;
    const service = settings.serviceId(givenService);
    const call = actionCall(service, action, param);
    const { waits, client, seconds } = await planWait(context, waiting);
    if (dryRun) return previewRequest(client, call);

    const startedAtMs = time.clock.monotonic();
    const title = describeKnown(context, 'services', service);
    const job = { assume, service, title, action, globals, waits };
    const doneSentence = `${action} was accepted.`;
    const loggedId = context.batch?.jobId;
    const queued = loggedId === undefined ? await queueJob(context, client, call, job) : undefined;
    const id = loggedId ?? queued?.id;
    const createdIds = { jobId: id };
    if (queued?.isSettled) {
      const result = toJobResult(job, { ...queued, isNew: true });
      return { ...result, doneSentence, createdIds, isUnfinished: queued.isUnfinished };
    }

    const { waitForJob } = await import('./wait-for-job.ts');
    const knownJob = { ...job, id: id ?? '', queued: queued?.answer };
    const end = await waitForJob(context, client, knownJob, seconds);
    const tookMs = time.clock.monotonic() - startedAtMs;
    // Without --wait it is enough that the job was queued.
    const isUnfinished = !waits && end.failure?.code === 'still_running';
    const failure = isUnfinished ? undefined : end.failure;
    const result = toJobResult(job, { ...end, failure, tookMs });
    return { ...result, doneSentence, createdIds, isUnfinished };
  },

  human: showJob,

  batch: { of: 'service' },
});

/** Queues an action. The log of a batch keeps the job at once. */
async function queueJob(
  context: Needs<'batch'>,
  client: Client,
  call: Call,
  job: JobContext & { readonly waits: boolean },
) {
  const answer = await client.call<Job>(call);
  const judged = judgeJob(answer, job.assume);
  const id = findJobId(answer.value);
  const isRunning = judged.stage === 'running';
  if (isRunning && id !== undefined) context.batch?.queued(id);

  const isLost = job.waits && isRunning && id === undefined;
  return {
    answer,
    id,
    // To run its action again would do it twice.
    failure: isLost
      ? new CliError(
          'still_running',
          `${job.action} is queued, but the answer has no job to wait for.`,
          { hint: 'Check it in the dashboard, or with svc api and a path that lists jobs.' },
        )
      : createJobFailure(answer.value, judged, job, false),
    isSettled: isLost || !job.waits || !isRunning,
    isUnfinished: isRunning,
  };
}
