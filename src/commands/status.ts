import { getAutopay, getUser } from '../api/operations.ts';
import { OPTIONAL_SERVICE_OPTION } from '../cli/define/ask.ts';
import { pastChanges } from '../cli/define/changes.ts';
import { defineCommand } from '../cli/define/define.ts';
import { document } from '../cli/define/document.ts';
import type { Result } from '../cli/define/result.ts';
import type { DocumentOf } from '../contract/fields/documents.ts';
import type { Expiry } from '../sign-in/expiry.ts';
import { plural } from '../terminal/numbers.ts';
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
import { describeNamed } from './shared/names.ts';
import {
  attempt,
  readAccount,
  readLastHour,
  readLatestDeployment,
  readRenewals,
} from './status/read-status.ts';

/** A part that could not be read is null or empty, and is listed in `missing`. */
type Status = DocumentOf<'status'>;
type SeenDeployment = NonNullable<Status['deployment']>;

const PARTS = ['account', 'renewals', 'usage', 'deployment'] as const;
type Part = (typeof PARTS)[number];

interface Shown {
  readonly status: Status;
  readonly expiry: Expiry | undefined;
  readonly series: readonly Series[];
}

export default defineCommand({
  path: 'status',
  summary: 'Show your account and service at a glance',
  effect: 'reads',
  args: {},
  options: OPTIONAL_SERVICE_OPTION,
  tool: {
    title: 'Account, service and usage',
    says: 'Start here: account, organization, days left on the token, how renewals are paid, and the latest usage of one service. For usage over time call metrics. About 400 tokens.',
    takes: { service: 'id of a service; default: the one that a person chose' },
  },
  examples: [
    ['svc status', 'the account, the linked service and the renewals'],
    ['svc status --json', 'the same as JSON, for scripts'],
  ],

  async run(context, { service: given }): Promise<Result<Shown>> {
    const { io, settings } = context;
    const chosen = given === undefined ? settings.service() : { where: '--service' };
    const service = chosen && { id: settings.serviceId(given), where: chosen.where };
    const client = await context.api.client();
    const [user, renewals, usage, deployment] = await io.during('Reading the status', () =>
      Promise.all([
        attempt(() => getUser(client)),
        attempt(() => getAutopay(client)),
        attempt(async () => service && (await readLastHour(context, client, service.id))),
        attempt(async () => service && (await readLatestDeployment(context, client, service.id))),
      ]),
    );
    context.time.signal.throwIfAborted();
    const parts = { account: user, renewals, usage, deployment };
    const missing = PARTS.flatMap((part) => {
      const { error } = parts[part];
      return error === undefined ? [] : [{ part, error }];
    });
    const isBarred =
      user.error?.code === 'unauthenticated' ||
      Object.values(parts).every(({ value }) => value === undefined);
    if (user.error !== undefined && isBarred) throw user.error;
    const { organizations, expiry, ...account } = readAccount(context, user.value);
    const address = settings.apiUrl().value;
    const lastChange = pastChanges(context).find(
      (change) =>
        change.address === address && (service === undefined || change.service === service.id),
    );
    const status: Status = {
      address,
      ...account,
      renewals: renewals.value === undefined ? null : readRenewals(renewals.value.value),
      service: service ?? null,
      usage: (usage.value ?? []).map(({ row, at }) => ({
        series: row.name,
        unit: row.unit,
        at,
        value: row.last,
      })),
      deployment: deployment.value ?? null,
      lastChange: lastChange ?? null,
      missing: missing.map(({ part, error }) => ({ part, code: error.code, error: error.message })),
    };
    const shown = { status, expiry, series: usage.value?.map(({ row }) => row) ?? [] };
    return {
      ...document('status', status),
      value: shown,
      seen: toKnownOrganizations(organizations),
    };
  },

  human(screen, { status, expiry, series }) {
    const { account, organization, service, missing } = status;
    const warn = (...about: readonly Part[]) => {
      for (const { part, error } of missing)
        if (about.includes(part)) {
          screen.warning(`The ${part} could not be read: ${error.replace(/^The /, 'the ')}`);
        }
    };
    screen.fields([
      ['Signed in as', describeNamed({ name: account?.name, id: account?.email })],
      [
        'Organization',
        describeNamed({ name: organization?.name, id: organization?.slug ?? organization?.id }),
      ],
      ['Role', organization?.role ?? undefined],
      ['Token', expiryText(status.token, expiry)],
      ['Renewals', renewalText(status.renewals)],
    ]);
    warn('account', 'renewals');
    if (service !== null) showService(screen, status, series);
    if (service !== null) warn('usage', 'deployment');
    showSeen(screen, status);
    if (service === null) return screen.next(['svc link']);
    if (!missing.some(({ part }) => part === 'usage')) {
      screen.next([
        service.where === '--service'
          ? `svc metrics ${service.id} --history`
          : 'svc metrics --history',
      ]);
    }
  },
});

function showService(
  screen: Screen,
  { service, missing }: Status,
  series: readonly Series[],
): void {
  screen.heading([`Service ${service?.id}`, dim(series.length > 0 ? ' (last hour)' : '')]);
  if (series.length > 0) screen.series(series);
  else if (!missing.some(({ part }) => part === 'usage')) {
    screen.line(dim('No usage in the last hour.'));
  }
}

function showSeen(screen: Screen, { deployment, lastChange }: Status): void {
  if (deployment === null && lastChange === null) return;
  screen.line();
  screen.fields([
    ['Deployment', deployment?.id ? [deployment.id, dim(' (the last you inspected)')] : undefined],
    ['State', deployment === null ? undefined : stateText(deployment)],
    ['Last change', lastChange === null ? undefined : changeText(lastChange)],
  ]);
}

function stateText({ status, createdAt, live }: SeenDeployment): Text | undefined {
  const facts: Styled[] = [];
  if (live !== null) {
    facts.push(live ? { text: 'live', tone: 'good' } : { text: 'not live', tone: 'plain' });
  }
  if (status !== null) facts.push(state(status));
  if (createdAt !== null) facts.push(date(createdAt));
  return facts.length === 0
    ? undefined
    : facts.flatMap((one, index) => (index === 0 ? [one] : [', ', one]));
}

function changeText({ at, who, command, what, result }: NonNullable<Status['lastChange']>): Text {
  return [
    [command, what].filter(Boolean).join(' '),
    ', ',
    state(result),
    ', ',
    date(at),
    `, by ${who}`,
  ];
}

function expiryText({ source }: Status['token'], expiry: Expiry | undefined): Text {
  if (expiry === undefined) return source;
  const { at, daysLeft, isPast, isSoon } = expiry;
  const left = isPast ? 'has expired' : `${plural(daysLeft, 'day')} left`;
  return [
    `${source}, `,
    { text: left, tone: isPast || isSoon ? 'warn' : 'plain' },
    ' (',
    day(at),
    ')',
  ];
}

function renewalText(renewals: Status['renewals']): string | undefined {
  if (renewals === null || renewals.automatic === null) return undefined;
  if (!renewals.automatic) return 'by hand';
  return renewals.phone === null ? 'automatic' : `automatic, charged to ${renewals.phone}`;
}
