/**
 * Words in statuses of orders, jobs and records. A status that has words of two kinds is not known.
 */
const STATUS_WORDS = {
  failed:
    'fail fails failed failing failure failures error errors errored refused rejected declined denied cancelled canceled ' +
    'aborted killed crashed dead expired timeout void voided insufficient blocked reverted conflict ' +
    'conflicts conflicting',
  pending:
    'pending queued queueing created initiated accepted processing running waiting awaiting scheduled submitted started ' +
    'starting restarting progress provisioning installing building deploying unpaid requires required incomplete',
  done:
    'done complete completed success successful successfully succeeded finished ok paid provisioned active settled staged ' +
    'added updated unchanged deployed restarted live confirmed placed approved fulfilled captured ' +
    'saved imported synced',
} as const;

const ROWS = [
  ['metrics.start', 'start', 'query parameter of svc metrics: start of the range'],
  ['metrics.end', 'end', 'query parameter of svc metrics: end of the range'],
  ['metrics.step', 'step', 'query parameter of svc metrics: bucket size in seconds'],
  [
    'metrics.points',
    '',
    'field with the usage points (default: the only array of objects in the answer)',
  ],
  ['checkout.paymentMethod', 'paymentMethod', 'body field: mobile_money or credit_card'],
  ['checkout.currency', 'currency', 'body field: USD or local'],
  ['checkout.networks', 'mtn orange', 'mobile money networks that `svc buy` offers on a terminal'],
  ['checkout.language', 'language', 'body field: fr or en, of the payment page'],
  [
    'checkout.status',
    'status state paymentStatus payment_status payment.status',
    'fields with the status of an order; payment.status is one inside another',
  ],
  ['checkout.failed', STATUS_WORDS.failed, 'words in the status of an order that failed (exit 9)'],
  ['checkout.pending', STATUS_WORDS.pending, 'words in the status of an order that has not ended'],
  ['checkout.done', STATUS_WORDS.done, 'words in the status of an order that is placed'],
  [
    'checkout.keyLifetime',
    '24h',
    'how long after its first request the key of an order is sent again; an older one could buy twice',
  ],
  ['job.path', '/v1/services/{id}/actions/{jobId}', 'where `wp run --wait` asks for the job'],
  ['job.status', 'status state', 'fields with the status of a job, a restart or a staging'],
  ['job.pending', STATUS_WORDS.pending, 'words in the status of a job that has not ended'],
  ['job.done', STATUS_WORDS.done, 'words in the status of a job that ended well'],
  ['job.failed', STATUS_WORDS.failed, 'words in the status of a job that ended badly (exit 9)'],
  ['deployment.status', 'status state', 'fields with the status of a deployment'],
  [
    'deployment.live',
    '',
    'field that says whether a deployment is live (default: a name such as live, isLive, active or currentDeploymentId)',
  ],
  [
    'dashboard.service',
    '/services/{id}',
    'page of a service in the dashboard, for `svc open service`',
  ],
  ['dashboard.org', '/organizations/{id}', 'page of an organization, for `svc open org`'],
] as const;

/** A name in `SVC_ASSUME`. */
export type AssumptionName = (typeof ROWS)[number][0];

/** The places where the API document is silent. `SVC_ASSUME` and `svc config set assume.<name>` change it. */
export const ASSUMPTIONS = ROWS.map(([name, value, note]) => ({ name, value, note }));

/** Returns what is assumed. */
export type Assume = (name: AssumptionName) => string;

const DEFAULTS: ReadonlyMap<string, string> = new Map(ROWS.map(([name, value]) => [name, value]));

/** Whether it is in the table. */
export function isAssumptionName(name: string): name is AssumptionName {
  return DEFAULTS.has(name);
}

/** Applies overrides. One that begins with `+` adds words; any other replaces them. */
export function createAssume(overrides: ReadonlyMap<string, string>): Assume {
  return (name) => {
    const value = DEFAULTS.get(name) ?? '';
    const override = overrides.get(name) ?? value;
    return override.startsWith('+') ? `${value} ${override.replaceAll('+', ' ').trim()}` : override;
  };
}
