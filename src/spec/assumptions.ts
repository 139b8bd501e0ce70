interface Assumption {
  readonly name: string;
  readonly value: string;
  readonly note: string;
}

const ROWS = [
  ['metrics.start', 'start', 'query parameter of svc metrics: start of the range'],
  ['metrics.end', 'end', 'query parameter of svc metrics: end of the range'],
  ['metrics.step', 'step', 'query parameter of svc metrics: bucket size in seconds'],
  ['metrics.points', '', 'field with the usage points (default: the only array of objects in the answer)'],
  ['checkout.paymentMethod', 'paymentMethod', 'body field: mobile_money or credit_card'],
  ['checkout.currency', 'currency', 'body field: USD or local'],
  ['checkout.language', 'language', 'body field: fr or en, of the payment page'],
  [
    'checkout.failed',
    'failed declined rejected cancelled canceled expired',
    'statuses of an order that failed (exit 9)',
  ],
  [
    'checkout.pending',
    'awaiting_payment pending processing',
    'statuses of an order that is not paid or provided yet; any other is a placed order',
  ],
  ['job.path', '/v1/services/{id}/actions/{jobId}', 'where `wp run --wait` asks for the job'],
  ['job.done', 'completed succeeded success done finished', 'statuses of a job that ended well'],
  ['job.failed', 'failed error errored cancelled canceled timed_out', 'statuses of a job that ended badly'],
  [
    'deployment.live',
    '',
    'field that says whether a deployment is live (default: a name such as live, isLive, active or currentDeploymentId)',
  ],
  ['dashboard.service', '/services/{id}', 'page of a service in the dashboard, for `svc open service`'],
  ['dashboard.org', '/organizations/{id}', 'page of an organization, for `svc open org`'],
] as const;

export type AssumptionName = (typeof ROWS)[number][0];

/**
 * Details that the service's document leaves open, with the values that svc assumes. `SVC_ASSUME` and
 * `svc config set assume.<name>` change the values.
 */
export const ASSUMPTIONS: readonly Assumption[] = ROWS.map(([name, value, note]) => ({ name, value, note }));

export type Assume = (name: AssumptionName) => string;

export function isAssumptionName(name: string): name is AssumptionName {
  return ASSUMPTIONS.some((assumption) => assumption.name === name);
}

export function assumeFrom(overrides: ReadonlyMap<string, string>): Assume {
  return (name) => overrides.get(name) ?? ASSUMPTIONS.find((assumption) => assumption.name === name)?.value ?? '';
}
