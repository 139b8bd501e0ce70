import { SERVICE_OPTION } from '../../kit/ask.ts';
import { defineCommand } from '../../kit/define.ts';
import { required } from '../../kit/parameters.ts';
import { jobResult, parseJobId, showJob } from './show-job.ts';
import { waitForJob } from './wait-for-job.ts';

export default defineCommand({
  path: 'wp status',
  summary: 'Show the progress of managed actions',
  effect: 'reads',
  args: { jobId: required('id of the job', { read: parseJobId }) },
  each: 'jobId',
  options: { service: SERVICE_OPTION.service },
  tool: {
    title: 'Look at a WordPress job',
    says: 'Shows how far a job of a managed action is, such as one that wp_run did not wait for. About 100 tokens.',
    takes: {
      jobId: { name: 'job', says: 'id of the job, from the answer that queued it' },
      service: 'id of the service of the job; default: the one that a person chose',
    },
  },
  examples: [
    ['svc wp status job_4kx9m7q2tz', 'a job of the linked site'],
    ['svc wp status job_4kx9m7q2tz --service svc_wp_7k2m9qx4 --json', 'a job of another site, for scripts'],
  ],
  exitCodes: [
    [0, 'the job is done'],
    [9, 'the job failed'],
    [10, 'the job is still running'],
  ],

  async run(context, { jobId, service: given }) {
    const { api, settings } = context;
    const service = settings.serviceId(given);
    const job = { assume: api.assume, service, action: undefined, globals: settings.globals };
    const client = await api.client();
    const found = await waitForJob(context, client, { ...job, id: jobId }, 0);
    return jobResult(job, { ...found, id: jobId });
  },

  human: showJob,
});
