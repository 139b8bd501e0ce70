import { expect, test } from 'vitest';
import { render } from '../../src/terminal/render.ts';
import { createScreen, type Screen } from '../../src/terminal/screen.ts';
import type { View } from '../../src/terminal/terminal.ts';
import { inZone, testView } from './view.ts';

async function drawn(fill: (screen: Screen) => void, view: Partial<View> = {}): Promise<string> {
  const screen = createScreen();
  fill(screen);
  return await render(screen.blocks, testView({ columns: 120, ...view }));
}

const HASH = '5b1d0c7f2a9e4c68b3f7a1d2e6905c4438fb7e21';

test.each<[value: object, row: string]>([
  [{ total: { amount: '1234.50', currency: 'USD' } }, 'Total  1,234.50 USD'],
  [{ amount: 5400, currency: 'XAF' }, 'Amount  5,400 XAF'],
  [{ duration_seconds: 93 }, 'Duration  1m 33s'],
  [{ sizeBytes: 1_283_457_024 }, 'Size  1.2 GiB'],
  [{ lastRestartAt: '2026-11-21T13:03:00Z' }, 'Last restart  13:03 UTC'],
  [{ commit: { sha: HASH } }, `Commit SHA  ${HASH.slice(0, 12)}…`],
  [{ env: { DB_HOST: 'db', 'a.example': 1 } }, 'Env DB_HOST    db\n  Env a.example  1'],
  [
    { port: 20_480, enabled: true, a: null, b: '', c: [], e: { f: null } },
    'Port     20480\n  Enabled  yes',
  ],
  [{ constructor: 5 }, 'Constructor  5'],
])('%j is written as people write it', async (value, row) => {
  const shown = await drawn((screen) => screen.unknownFields(value));
  expect(shown).toBe(`  ${row}\n`);
});

test('what failed comes first, a message last, and all else below a heading', async () => {
  const shown = await drawn((screen) => {
    screen.fields([['Status', 'failed']]);
    screen.unknownFields({
      region: 'abj',
      message: 'Look',
      failure: { step: 'build', message: 'No module' },
      errors: 3,
    });
  });
  expect(shown).toMatch(
    /^ +Failure step .*\n +Failure message .*\n +Status .*\n +Message .*\n\nMore\n +Region .*\n +Errors /,
  );
});

test('an id, date or amount that stands above is not repeated; words and numbers are', async () => {
  const shown = await drawn((screen) => {
    screen.heading('Restarted kola-blog (svc_wp_1).');
    screen.fields([
      ['Created', '2026-11-21T13:03:00Z'],
      ['Total', '5,400 XAF'],
      ['Branch', 'main'],
      ['Port', '5432'],
    ]);
    const fresh = { branch: 'main', port: 5432, parent: 'svc_wp', child: 'svc_wp_12' };
    screen.unknownFields({
      serviceId: 'svc_wp_1',
      startedAt: '2026-11-21T13:03:00Z',
      total: { amount: 5400, currency: 'XAF' },
      ...fresh,
    });
  });
  expect(shown.split('More\n')[1]?.match(/^ {2}\S+/gm)).toEqual([
    '  Branch',
    '  Port',
    '  Parent',
    '  Child',
  ]);
});

test('a terminal shows eight rows of a screen and counts the others, a pipe more of them', async () => {
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, index]));
  const fill = (screen: Screen) => {
    screen.unknownFields({
      list: Array.from({ length: 50 }, (_, index) => index),
      text: 'x'.repeat(2_500),
    });
    screen.unknownFields({ error: 'last', ...many(6) });
  };
  const rows = (await drawn(fill)).split('\n');
  expect(rows[0]).toMatch(/^ {2}Error +last$/);
  expect(rows.at(-2)).toMatch(/^ {2}\+1 field +--json shows all$/);
  const whole = await drawn(fill, { tty: false });
  expect(whole).toContain('and 30 more (--json shows all)');
  expect(whole).toContain('(500 more characters)');
  expect(whole).not.toMatch(/\+\d+ field/);
  expect(await drawn((screen) => screen.unknownFields(many(100)), { tty: false })).toMatch(
    /\+40 fields +--json shows all/,
  );
});

test('parts with a title keep their rows together', async () => {
  const shown = await drawn((screen) => {
    screen.unknownFields({ seats: 5, error: 'unpaid' }, 'Acme');
    screen.unknownFields({ seats: 7 }, 'Guild');
  });
  expect(shown).toBe('Acme\n  Error  unpaid\n  Seats  5\n\nGuild\n  Seats  7\n');
});

test('the first instant of a screen names the zone, and one of another offset names its own', async () => {
  const fill = (screen: Screen) => {
    screen.unknownFields({
      aAt: '2026-10-24T10:00:00Z',
      bAt: '2026-10-24T11:00:00Z',
      cAt: '2026-11-24T11:00:00Z',
    });
    screen.fields([['Last', { text: '', tone: 'plain', at: Date.parse('2026-11-24T12:00:00Z') }]]);
  };
  const shown = await inZone('Europe/Paris', () => drawn(fill, { timeZone: undefined }));

  const times = shown.match(/\d\d:\d\d.*/g);
  expect(times).toEqual(['12:00 +02:00', '13:00', '12:00 +01:00', '13:00']);
});
