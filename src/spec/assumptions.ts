interface Assumption {
  readonly name: string;
  readonly value: string;
  readonly note: string;
}

/**
 * Details that the service's document leaves open, with the values that svc assumes. `SVC_ASSUME` and
 * `svc config set assume.<name>` change the values.
 */
export const ASSUMPTIONS = [
  { name: 'metrics.start', value: 'start', note: 'query parameter of svc metrics: start of the range' },
  { name: 'metrics.end', value: 'end', note: 'query parameter of svc metrics: end of the range' },
  { name: 'metrics.step', value: 'step', note: 'query parameter of svc metrics: bucket size in seconds' },
  {
    name: 'metrics.points',
    value: '',
    note: 'field with the usage points (default: the only array of objects in the answer)',
  },
  { name: 'checkout.paymentMethod', value: 'paymentMethod', note: 'body field: mobile_money or credit_card' },
  { name: 'checkout.currency', value: 'currency', note: 'body field: USD or local' },
  { name: 'checkout.language', value: 'language', note: 'body field: fr or en, of the payment page' },
  {
    name: 'checkout.failed',
    value: 'failed declined rejected cancelled canceled expired',
    note: 'statuses of an order that failed (exit 9)',
  },
  {
    name: 'checkout.pending',
    value: 'awaiting_payment pending processing',
    note: 'statuses of an order that is not paid or provided yet; any other is a placed order',
  },
  { name: 'job.path', value: '/v1/services/{id}/actions/{jobId}', note: 'where `wp run --wait` asks for the job' },
  { name: 'job.done', value: 'completed succeeded success done finished', note: 'statuses of a job that ended well' },
  {
    name: 'job.failed',
    value: 'failed error errored cancelled canceled timed_out',
    note: 'statuses of a job that ended badly',
  },
  {
    name: 'deployment.live',
    value: '',
    note: 'field that says whether a deployment is live (default: a name such as live, isLive, active or currentDeploymentId)',
  },
  {
    name: 'dashboard.service',
    value: '/services/{id}',
    note: 'page of a service in the dashboard, for `svc open service`',
  },
  { name: 'dashboard.org', value: '/organizations/{id}', note: 'page of an organization, for `svc open org`' },
] as const satisfies readonly Assumption[];

export type AssumptionName = (typeof ASSUMPTIONS)[number]['name'];

export type Assume = (name: AssumptionName) => string;

export function isAssumptionName(name: string): name is AssumptionName {
  return ASSUMPTIONS.some((assumption) => assumption.name === name);
}

export function assumeFrom(overrides: ReadonlyMap<string, string>): Assume {
  return (name) => overrides.get(name) ?? ASSUMPTIONS.find((assumption) => assumption.name === name)?.value ?? '';
}
