import { SERVICE_OPTION } from '../../kit/ask.ts';
import { defineCommand } from '../../kit/define.ts';
import { required } from '../../kit/parameters.ts';
import { jobResult, parseJobId, showJob, WAIT_SECONDS, WAIT_TIMEOUT } from './show-job.ts';
import { waitForJob } from './wait-for-job.ts';

export default defineCommand({
  path: 'wp wait',
  summary: 'Wait for managed actions to finish',
  description: 'Wait for jobs of svc wp run to finish',
  effect: 'reads',
  args: { jobId: required('id of the job', { read: parseJobId }) },
  each: 'jobId',
  options: { service: SERVICE_OPTION.service, ...WAIT_TIMEOUT },
  examples: [
    ['svc wp wait job_4kx9m7q2tz', 'a job of the linked site'],
    ['svc wp wait --resume run.ndjson', 'all jobs that the log of svc wp run says are running'],
  ],
  exitCodes: [
    [0, 'the job is done'],
    [9, 'the job failed'],
    [10, 'the job is still running and svc gave up'],
  ],

  async run(context, { jobId, service: given, waitTimeout }) {
    const { api, settings } = context;
    const service = settings.serviceId(given);
    const job = { assume: api.assume, service, action: undefined, globals: settings.globals };
    const client = await api.pollingClient();
    const found = await waitForJob(context, client, { ...job, id: jobId }, waitTimeout ?? WAIT_SECONDS);
    return jobResult(job, { ...found, id: jobId });
  },

  human: showJob,
});
