import type { Call, Client } from '../../api/call.ts';
import { actionCall } from '../../api/operations.ts';
import { SERVICE_OPTION } from '../../cli/define/ask.ts';
import type { Needs } from '../../cli/define/context.ts';
import { defineCommand } from '../../cli/define/define.ts';
import type { Result } from '../../cli/define/result.ts';
import { notBlank } from '../../cli/values/choice.ts';
import { parseFields } from '../../cli/values/key-value.ts';
import { flag, list, required } from '../../cli/values/parameters.ts';
import type { Job } from '../../contract/types.ts';
import { CliError } from '../../errors.ts';
import { previewRequest } from '../shared/dry-run.ts';
import { planWait, waitOptions } from '../shared/wait.ts';
import {
  type JobContext,
  type JobSeen,
  jobFailure,
  jobIdOf,
  jobResult,
  showJob,
  stateOf,
} from './job.ts';

export default defineCommand({
  path: 'wp run',
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
    says: 'Runs a managed action, such as cache.flush, backup.create or plugin.install. It is only queued unless wait is true; done is what status says. About 100 tokens.',
    takes: {
      action: 'name of the action',
      service: 'id of the service; default: the one that a person chose',
      param: 'parameters, each as key=value, or key:=value for a number, true, false or JSON',
      wait: 'wait until it has ended',
      waitTimeout: { type: 'seconds', says: 'wait at most so long; default: 600' },
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
    { action, service: given, param, dryRun, ...waiting },
  ): Promise<Result<JobSeen>> {
    const { assume, globals, settings, time } = context;
    const service = settings.serviceId(given);
    const call = actionCall(service, action, param);
    const { waits, client, seconds } = await planWait(context, waiting);
    if (dryRun) return previewRequest(client, call);
    const startedAt = time.clock.monotonic();
    const job = { assume, service, action, globals };
    const done = `${action} was accepted.`;
    const loggedId = context.batch?.jobId;
    const queued =
      loggedId === undefined ? await queue(context, client, call, job, waits) : undefined;
    if (queued?.isSettled) {
      const { isUnfinished } = queued;
      return {
        ...jobResult(job, { ...queued, isNew: true }),
        done,
        made: { jobId: queued.id },
        isUnfinished,
      };
    }
    const id = loggedId ?? queued?.id ?? '';
    const { waitForJob } = await import('./wait-for-job.ts');
    const { answer, failure } = await waitForJob(
      context,
      client,
      { ...job, id, queued: queued?.answer },
      seconds,
    );
    // Without --wait it is enough that the job was queued.
    const isFine = !waits && failure?.code === 'still_running';
    const found = {
      answer,
      failure: isFine ? undefined : failure,
      id,
      tookMs: time.clock.monotonic() - startedAt,
    };
    return { ...jobResult(job, found), done, made: { jobId: id }, isUnfinished: isFine };
  },

  human: showJob,

  batch: { of: 'service' },
});

/** The log of several keeps the job at once. */
async function queue(
  context: Needs<'batch'>,
  client: Client,
  call: Call,
  job: JobContext,
  waits: boolean,
) {
  const answer = await client.call<Job>(call);
  const state = stateOf(answer, job.assume);
  const id = jobIdOf(answer.value);
  const isRunning = state.stage === 'running';
  if (isRunning && id !== undefined) context.batch?.queued(id);
  if (waits && isRunning && id === undefined) {
    // Running the action again would do it twice.
    const hint = 'Check it in the dashboard, or with svc api and a path that lists jobs.';
    const lost = new CliError(
      'still_running',
      `${job.action} is queued, but the answer has no job to wait for.`,
      {
        hint,
      },
    );
    return { answer, id, failure: lost, isSettled: true, isUnfinished: true };
  }
  const failure = jobFailure(answer.value, state, job, false);
  return { answer, id, failure, isSettled: !waits || !isRunning, isUnfinished: isRunning };
}
