import { getAutopay, getUser } from '../api/call.ts';
import { defineCommand, document } from '../cli/define/define.ts';
import { OPTIONAL_SERVICE_OPTION } from '../cli/values/parameters.ts';
import type { DocumentOf } from '../contract/fields/documents.ts';
import type { Expiry } from '../sign-in/expiry.ts';
import { plural } from '../terminal/format.ts';
import {
  date,
  day,
  dim,
  type Screen,
  type Series,
  type Styled,
  state,
  type Text,
} from '../terminal/screen.ts';
import { toKnownOrganizations } from './shared/membership.ts';
import { describeKnown, describeNamed } from './shared/names.ts';
import {
  attempt,
  readAccount,
  readLastHour,
  readLatestDeployment,
  readRenewals,
} from './status/read-status.ts';

/** A part that could not be read is null or empty, and is listed in `missing`. */
type Status = DocumentOf<'status'>;

const PARTS = ['account', 'renewals', 'usage', 'deployment'] as const;

export default defineCommand({
  summary: 'Show your account and service at a glance',
  effect: 'reads',
  options: OPTIONAL_SERVICE_OPTION,
  tool: {
    title: 'Account, service and usage',
    description:
      'Start here: account, organization, days left on the token, how renewals are paid, and the latest usage of one service. For usage over time call metrics. About 400 tokens.',
    arguments: { service: 'id of a service; default: the one that a person chose' },
  },
  examples: [
    ['svc status', 'the account, the linked service and the renewals'],
    ['svc status --json', 'the same as JSON, for scripts'],
  ],

  async run(context, { service: givenService }) {
    const { io, settings } = context;
    const chosen = givenService === undefined ? settings.service() : { where: '--service' };
    const service = chosen && { id: settings.serviceId(givenService), where: chosen.where };
    const client = await context.api.client();
    const [account, renewals, usage, deployment] = await io.during('Reading the status', () =>
      Promise.all([
        attempt(() => getUser(client)),
        attempt(() => getAutopay(client)),
        attempt(async () => service && (await readLastHour(context, client, service.id))),
        attempt(async () => service && (await readLatestDeployment(context, client, service.id))),
      ]),
    );
    context.time.signal.throwIfAborted();

    const parts = { account, renewals, usage, deployment };
    const isUseless = Object.values(parts).every(({ value }) => value === undefined);
    if (account.error?.code === 'unauthenticated' || isUseless) throw account.error;

    const { organizations, expiry, tokenAdvice, ...facts } = readAccount(context, account.value);
    const series = usage.value ?? [];
    const result = document('status', {
      address: settings.apiUrl().value,
      ...facts,
      renewals: renewals.value === undefined ? null : readRenewals(renewals.value.value),
      service: service ?? null,
      usage: series.map(({ name, unit, at, last }) => ({ series: name, unit, at, value: last })),
      deployment: deployment.value ?? null,
      missing: PARTS.flatMap((part) => {
        const { error } = parts[part];
        return error === undefined ? [] : [{ part, code: error.code, error: error.message }];
      }),
    });
    const title = describeKnown(context, 'services', service?.id);
    return {
      ...result,
      value: { status: result.value, expiry, tokenAdvice, title, series },
      namesToCache: toKnownOrganizations(organizations),
    };
  },

  human(screen, { status, expiry, tokenAdvice, title, series }) {
    const { account, organization, service, missing } = status;
    screen.fields([
      ['Signed in as', describeNamed({ name: account?.name, id: account?.email })],
      [
        'Organization',
        describeNamed({ name: organization?.name, id: organization?.slug ?? organization?.id }),
      ],
      ['Role', organization?.role ?? undefined],
      ['Token', describeToken(status.token, expiry, tokenAdvice)],
      ['Renewals', describeRenewals(status.renewals)],
    ]);
    if (service !== null) showService(screen, status, `Service ${title}`, series);
    for (const { part, error } of missing) {
      screen.warning(`The ${part} could not be read: ${error.replace(/^The /, 'the ')}`);
    }

    if (service === null) return screen.next(['svc link']);
    const words = service.where === '--service' ? `svc metrics ${service.id}` : 'svc metrics';
    if (!isUsageMissing(status)) screen.next([`${words} --history`]);
  },
});

function isUsageMissing({ missing }: Status) {
  return missing.some(({ part }) => part === 'usage');
}

function showService(screen: Screen, status: Status, title: string, series: readonly Series[]) {
  const { deployment } = status;
  screen.heading([title, dim(series.length > 0 ? ' (last hour)' : '')]);
  if (series.length > 0) screen.series({ rows: series });
  else if (!isUsageMissing(status)) screen.line(dim('No usage in the last hour.'));
  if (deployment === null) return;

  screen.line();
  screen.fields([
    ['Deployment', [deployment.id ?? '', dim(' (the last you inspected)')]],
    ['State', describeDeployment(deployment)],
  ]);
}

function describeDeployment({ status, createdAt, live }: NonNullable<Status['deployment']>) {
  const facts: Styled[] = [];
  if (live === true) facts.push({ text: 'live', tone: 'good' });
  if (live === false) facts.push({ text: 'not live', tone: 'plain' });
  if (status !== null) facts.push(state(status));
  if (createdAt !== null) facts.push(date(createdAt));
  return facts.flatMap((fact, index) => (index === 0 ? [fact] : [', ', fact]));
}

/** @param renewal the sentence that says where a new token goes; undefined for a stored one */
function describeToken({ source }: Status['token'], expiry?: Expiry, tokenAdvice?: string): Text {
  if (expiry === undefined) return source;
  const { at, daysLeft, isPast, isSoon } = expiry;
  const text = isPast ? 'has expired' : `${plural(daysLeft, 'day')} left`;
  const isUrgent = isPast || isSoon;
  const advice = isUrgent && tokenAdvice !== undefined ? `). ${tokenAdvice}` : ')';
  return [`${source}, `, { text, tone: isUrgent ? 'warn' : 'plain' }, ' (', day(at), advice];
}

function describeRenewals(renewals: Status['renewals']) {
  if (typeof renewals?.automatic !== 'boolean') return undefined;
  if (!renewals.automatic) return 'by hand';
  return renewals.phone === null ? 'automatic' : `automatic, charged to ${renewals.phone}`;
}
