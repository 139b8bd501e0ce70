import type { Fields } from './field.ts';

/** Body of operation 6. */
export const ACTION_BODY = {
  action: { type: 'string', meaning: 'name of the action' },
  params: { type: 'object', meaning: 'parameters of the action' },
} as const satisfies Fields;

/** Answer to operation 6, and the assumed lookup of its job. */
export const JOB = {
  jobId: { type: 'string', assumed: 'type', meaning: 'id of the job' },
  status: { type: 'string', assumed: 'type', meaning: 'state of the job' },
  action: { type: 'string', assumed: 'type', meaning: 'name of the action' },
  id: { type: 'string', optional: true, assumed: 'field', meaning: 'another name of `jobId`' },
  state: { type: 'string', optional: true, assumed: 'field', meaning: 'another name of `status`' },
  serviceId: { type: 'string', optional: true, assumed: 'field', meaning: 'id of its service' },
  message: { type: 'string', optional: true, assumed: 'field', meaning: 'a sentence for people' },
  createdAt: { type: 'time', optional: true, assumed: 'field', meaning: 'when it was queued' },
  startedAt: { type: 'time', optional: true, assumed: 'field', meaning: 'when it was started' },
  finishedAt: { type: 'time', optional: true, assumed: 'field', meaning: 'when it ended' },
  progress: { type: 'number', optional: true, assumed: 'field', meaning: 'how much is done, 0 to 100' },
} as const satisfies Fields;
