import { usageError } from '../../errors.ts';
import { asObject, asText, readersOf, unreadFields, withoutParts } from '../../json/values.ts';
import { SERVICE_OPTION } from '../../kit/ask.ts';
import { defineCommand } from '../../kit/define.ts';
import { flag, list, option, required } from '../../kit/parameters.ts';
import { answered, asWritten, type Result } from '../../kit/result.ts';
import { parseFields } from '../../kit/values/key-value.ts';
import { parseDuration } from '../../kit/values/time.ts';
import { unknownWord } from '../../service/judged-errors.ts';
import { actionCall, runAction } from '../../service/operations.ts';
import { JOB } from '../../spec/fields/actions.ts';
import type { Job } from '../../spec/types.ts';
import { formatDuration } from '../../terminal/dates.ts';
import { state } from '../../terminal/screen.ts';
import { previewed } from '../shared/dry-run.ts';
import { jobFailure, jobIdOf, jobIn, lookCommand, namedId, type Stage, stateOf, stateWords, statusOf } from './job.ts';
import type { Waited } from './wait-for-job.ts';

interface Ran {
  readonly answer: Job;
  readonly service: string;
  readonly action: string;
  readonly stage: Stage;
  /** Whether svc knows the word of its status. */
  readonly isKnown: boolean;
  /** From the request until the job was done, in milliseconds, if svc waited. */
  readonly tookMs: number | undefined;
  /** The command that shows the job, if the answer names one. */
  readonly look: string | undefined;
}

const WAIT_SECONDS = 600;

export default defineCommand({
  path: 'wp run',
  summary: 'Run a managed action, such as a cache flush or a backup',
  description: 'Run a managed WordPress action, such as a cache flush or a backup',
  effect: 'changes',
  args: { action: required('name of the action', { read: parseAction, offer: 'actions' }) },
  each: 'service',
  options: {
    service: SERVICE_OPTION.service,
    param: list('key=value', 'parameter of the action; key:=value for numbers, booleans and JSON; may be repeated', {
      read: (texts, field) => parseFields(texts, field, { raw: true }),
    }),
    wait: flag('wait until the action is done'),
    waitTimeout: option('duration', 'wait at most this long (default: 10m)', parseDuration),
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
    ['svc wp run cache.flush --wait', 'flush the cache of the linked site, and wait until that is done'],
    ['svc wp run plugin.install --param slug=akismet --param activate:=true', 'install a plugin, in the background'],
  ],
  exitCodes: [
    [8, 'with outcome "unknown": no answer said whether the action was queued'],
    [9, 'the action failed, or the answer says that it was not queued'],
    [10, 'the action is still running and --wait gave up, or svc cannot look at its job'],
  ],

  async run(context, { action, service: given, param, wait, waitTimeout, dryRun }): Promise<Result<Ran>> {
    const { api, settings } = context;
    const service = settings.serviceId(given);
    const call = actionCall(service, action, param);
    const waits = wait || waitTimeout !== undefined;
    const client = await (waits ? api.pollingClient() : api.client());
    if (dryRun) return previewed(client, call);
    const { clock } = context.system;
    const startedAt = clock.monotonic();
    const queued = await runAction(client, call);
    const job = { assume: api.assume, service, action, globals: settings.globals };
    const first = stateOf(queued.value, api.assume);
    let ended: Waited = { answer: queued, failure: jobFailure(queued.value, first, job) };
    if (waits && first.stage === 'running') {
      const { waitForJob } = await import('./wait-for-job.ts');
      ended = await waitForJob(context, client, job, queued, waitTimeout ?? WAIT_SECONDS);
    }
    const { answer, failure } = ended;
    const id = jobIdOf(queued.value);
    const { stage, judgement } = stateOf(answer.value, api.assume);
    const [unknown] = failure === undefined ? unknownWord(judgement, 'job.done') : [];
    if (unknown !== undefined) await context.io.warn(unknown, 'unknown_status');
    const ran: Ran = {
      answer: asWritten(answer),
      service,
      action,
      stage,
      isKnown: unknown === undefined,
      tookMs: answer === queued ? undefined : clock.monotonic() - startedAt,
      look: id === undefined ? undefined : lookCommand(id, job),
    };
    return { ...answered(answer, ran, failure), done: `${action} was accepted.` };
  },

  human(screen, { answer, service, action, stage, isKnown, tookMs, look }) {
    const job = jobIn(answer);
    const status = statusOf(job);
    const isRunning = stage === 'running' && isKnown;
    const line = `${action} is ${stateWords(status ?? 'queued')}.`;
    if (stage === 'done')
      screen.success(`${action} is done${tookMs === undefined ? '' : ` (${formatDuration(tookMs)})`}.`);
    else if (isRunning && tookMs === undefined) screen.success(line);
    else if (isRunning) screen.warning(line);
    // The line above says it all.
    else screen.fields([['Status', status === undefined ? undefined : state(status)]]);
    const named = asText(job.action);
    screen.fields([
      ['Job', namedId(job)],
      ['Service', service],
      ['Action', named === action ? undefined : named],
    ]);
    const read = tookMs === undefined || isRunning ? READ : READ_OF_ENDED;
    const serviceId = (id: unknown) => (id === service ? service : undefined);
    // The error that follows has the message of a failed job.
    screen.rest(unreadFields(job, { ...read, serviceId, ...(stage === 'failed' && { message: asText }) }));
    screen.rest(asObject(withoutParts(answer, new Set([job]))));
    if (stage === 'running' && tookMs === undefined && look !== undefined) screen.next([[look, 'check its progress']]);
  },
});

function parseAction(text: string): string {
  if (text.trim() === '') throw usageError('The name of the action is empty.', 'svc wp run cache.flush');
  return text;
}

const READ = readersOf(JOB, ['jobId', 'id', 'action', 'status', 'state']);
/** The duration stands for the times of a job that svc waited for. */
const READ_OF_ENDED = { ...READ, ...readersOf(JOB, ['createdAt', 'startedAt', 'finishedAt', 'progress']) };
