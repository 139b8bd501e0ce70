import type { Fields } from './field.ts';

/** Query parameters of operation 7, in this order. `SVC_ASSUME` sets the names that svc sends. */
export const METRICS_QUERY = {
  start: { type: 'time', assumed: 'name', meaning: 'start of the range' },
  end: { type: 'time', assumed: 'name', meaning: 'end of the range' },
  step: { type: 'integer', unit: 's', assumed: 'name', meaning: 'size of a bucket' },
} as const satisfies Fields;

/** Answer to operation 7: the document shows no field of it. */
export const METRICS_HISTORY = {
  points: {
    type: 'array',
    optional: true,
    assumed: 'field',
    meaning: 'usage points in time buckets; their shape is not documented',
    items: { type: 'object' },
  },
} as const satisfies Fields;

/** A deployment. */
export const DEPLOYMENT = {
  id: { type: 'string', optional: true, assumed: 'field', meaning: 'id of the deployment' },
  status: { type: 'string', optional: true, assumed: 'field', meaning: 'state of the deployment' },
  serviceName: { type: 'string', optional: true, assumed: 'field', meaning: 'name of its service' },
  serviceId: { type: 'string', optional: true, assumed: 'field', meaning: 'id of its service' },
  createdAt: { type: 'time', optional: true, assumed: 'field', meaning: 'when it was created' },
  startedAt: { type: 'time', optional: true, assumed: 'field', meaning: 'when it was started' },
  finishedAt: { type: 'time', optional: true, assumed: 'field', meaning: 'when it ended' },
} as const satisfies Fields;

/** Answer to operation 8. The document does not name its second field, which says whether the deployment is live. */
export const DEPLOYMENT_LOOKUP = {
  deployment: { type: 'object', assumed: 'type', meaning: 'the deployment', fields: DEPLOYMENT },
} as const satisfies Fields;

/** Answer to operation 9. */
export const RESTART = {
  success: { type: 'boolean', assumed: 'type', meaning: 'whether it was restarted' },
  message: { type: 'string', assumed: 'type', meaning: 'a sentence for people' },
} as const satisfies Fields;
