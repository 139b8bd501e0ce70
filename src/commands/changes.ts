import { CHANGES_DAYS, pastChanges } from '../cli/define/changes.ts';
import { defineCommand, document } from '../cli/define/define.ts';
import { option } from '../cli/values/parameters.ts';
import { parseInstant } from '../cli/values/time.ts';
import type { ChangeEntry } from '../contract/fields/documents.ts';
import { type ColumnFields, createTable } from '../terminal/csv.ts';
import { date, state } from '../terminal/screen.ts';

const COLUMNS = {
  when: 'at',
  who: 'who',
  what: 'what',
  service: 'service',
  result: 'result',
  request: 'requestId',
  address: 'address',
  organization: 'organization',
  command: 'command',
  status: 'status',
} as const satisfies ColumnFields<ChangeEntry>;

export default defineCommand({
  summary: 'Show the changes svc made from this machine',
  description:
    `Show the changes svc made from this machine in the last ${CHANGES_DAYS} days, and none that others made. ` +
    'Nothing is kept in CI, or after svc config set changes off',
  effect: 'local',
  options: {
    service: option('id', 'show only the changes to this service', undefined, {
      offer: 'services',
    }),
    since: option(
      'time',
      'show only those since this time: 6h (ago), 2026-03-01, 2026-03-01T12:00:00Z',
    ),
  },
  tool: {
    title: 'What svc changed',
    description:
      'What was changed from this machine: when, by whom, and how it ended. Ask this first when something broke. About 50 tokens a change.',
    arguments: { service: 'only of this service', since: 'only since: 6h (ago), 2026-03-01' },
  },
  examples: [
    ['svc changes', 'all of them, the oldest first'],
    ['svc changes --service svc_wp_7k2m9qx4 --since 6h', 'what may have caused what you see now'],
  ],

  async run(context, { service, since }) {
    const from = since === undefined ? 0 : parseInstant(since, '--since', context.time.clock.now());
    const changes = pastChanges(context)
      .filter(
        (change) =>
          Date.parse(change.at) >= from && (service === undefined || change.service === service),
      )
      .reverse();
    const isOff = context.settings.choice('changes')?.value === 'off';
    return { ...document('changes', { changes }), value: { changes, isOff } };
  },

  human(screen, { changes, isOff }) {
    if (isOff) {
      screen.warning('svc keeps no changes now. To keep them again: svc config set changes on');
    }
    if (changes.length === 0) return void screen.line('No changes from this machine are known.');
    const hasOneAddress = new Set(changes.map(({ address }) => address)).size === 1;
    screen.table({
      head: [
        { name: 'When', whole: true },
        { name: 'Who', spare: 3 },
        { name: 'What', whole: true },
        { name: 'Service', whole: true },
        'Result',
        { name: 'Request', whole: true, spare: 1 },
        { name: 'Address', whole: true, spare: 2 },
      ],
      rows: changes.map(({ at, who, address, service, result, requestId, ...change }) => [
        date(at),
        who,
        describeChangedThing(change),
        service ?? '',
        state(result),
        requestId ?? '',
        hasOneAddress ? '' : address,
      ]),
    });
  },

  csv: {
    what: 'the changes',
    columns: Object.keys(COLUMNS),
    table({ changes }) {
      const rows = changes.map((one) => ({ ...one, what: describeChangedThing(one) }));
      return createTable(rows, COLUMNS);
    },
  },
});

function describeChangedThing({ command, what }: Pick<ChangeEntry, 'command' | 'what'>) {
  return [command, what].filter(Boolean).join(' ');
}
