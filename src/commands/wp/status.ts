import { jobsOnRecord } from '../../cli/define/changes.ts';
import { defineCommand } from '../../cli/define/define.ts';
import { parseIdentifier } from '../../cli/values/names.ts';
import { required, SERVICE_OPTION } from '../../cli/values/parameters.ts';
import { describeKnown } from '../shared/names.ts';
import { planWait, waitOptions } from '../shared/wait.ts';
import { showJob, toJobResult } from './job.ts';
import { waitForJob } from './wait-for-job.ts';

export default defineCommand({
  summary: 'Show the progress of managed actions, or wait for their end',
  effect: 'reads',
  args: {
    jobId: required('id of the job', {
      read: (text) => parseIdentifier(text, 'The job id'),
      offer: 'jobs',
    }),
  },
  options: { service: SERVICE_OPTION.service, ...waitOptions('wait until the job has ended') },
  tool: {
    title: 'Look at a WordPress job',
    description:
      'Shows how far a job of a managed action is, such as one that wp_run did not wait for. About 100 tokens.',
    arguments: {
      jobId: { name: 'job', description: 'id of the job, from the answer that queued it' },
      service: 'id of the service of the job; default: the one that a person chose',
      wait: 'wait until it has ended',
      waitTimeout: { type: 'seconds', description: 'wait at most so long; default: 600' },
    },
  },
  examples: [
    ['svc wp status job_4kx9m7q2tz', 'a job of the linked site'],
    ['svc wp status --jobs backup.ndjson --wait', 'wait for the jobs of a log'],
  ],
  exitCodes: [
    [0, 'the job is done'],
    [9, 'the job failed'],
    [10, 'the job is still running, or --wait gave up'],
  ],

  names: async (context) =>
    jobsOnRecord(context).map(({ id, what, service }) => ({
      name: id,
      about: [what, service].filter(Boolean).join(' on '),
    })),

  async run(context, { jobId, service: givenService, ...waiting }) {
    const { assume, globals, settings } = context;
    const recorded = jobsOnRecord(context).find(({ id }) => id === jobId);
    const service = settings.serviceId(givenService ?? recorded?.service);
    const title = describeKnown(context, 'services', service);
    const job = { assume, service, title, globals, id: jobId };

    const { client, seconds } = await planWait(context, waiting);
    return toJobResult(job, await waitForJob(context, client, job, seconds));
  },

  human: showJob,

  batch: {
    of: 'jobId',
    checks: 'always',
    row: {
      head: ['Action', 'Status', 'Service'],
      cells: ({ action, status, service }) => [action, status, service],
    },
  },
});
