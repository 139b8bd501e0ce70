import { expect, test } from 'vitest';
import { render } from '../../src/terminal/render.ts';
import { createScreen, type Screen } from '../../src/terminal/screen.ts';
import type { View } from '../../src/terminal/terminal.ts';
import { testView } from './gallery.ts';

async function drawn(fill: (screen: Screen) => void, view: Partial<View> = {}): Promise<string> {
  const screen = createScreen();
  fill(screen);
  return await render(screen.blocks, testView({ columns: 120, ...view }));
}

const rest = (value: unknown, view?: Partial<View>) => drawn((screen) => screen.rest(value), view);

const HASH = '5b1d0c7f2a9e4c68b3f7a1d2e6905c4438fb7e21';

test.each<[value: object, row: string]>([
  [{ total: { amount: 5400, currency: 'XAF' } }, 'Total  5,400 XAF'],
  [{ total: { amount: '1234.50', currency: 'USD' } }, 'Total  1,234.50 USD'],
  [{ amount: 5400, currency: 'XAF' }, 'Amount  5,400 XAF'],
  [{ totalAmount: 12, currency: 'EUR' }, 'Total amount  12 EUR'],
  [{ durationSeconds: 48 }, 'Duration  48 s'],
  [{ duration_seconds: 93 }, 'Duration  1m 33s'],
  [{ latencyMs: 340 }, 'Latency  340 ms'],
  [{ uptimeMs: 5_400_000 }, 'Uptime  1h 30m'],
  [{ seconds: '1.50' }, 'Seconds  1.5 s'],
  [{ sizeBytes: 1_283_457_024 }, 'Size  1.2 GiB'],
  [{ cpuPercent: 12.34 }, 'CPU  12.3%'],
  [{ lastRestartAt: '2026-11-21T13:03:00Z' }, 'Last restart  13:03 UTC'],
  [{ createdAt: 1_795_266_180 }, 'Created  13:03 UTC'],
  [{ created_at: '1795266180000' }, 'Created  13:03 UTC'],
  [{ created: 12 }, 'Created  12'],
  [{ looksAt: 'the sky' }, 'Looks at  the sky'],
  [{ commit: { sha: HASH } }, `Commit SHA  ${HASH.slice(0, 12)}…`],
  [{ payment_url: 'https://a.example' }, 'Payment URL  https://a.example'],
  [{ env: { DB_HOST: 'db', 'a.example': 1 } }, 'Env DB_HOST    db\n  Env a.example  1'],
  [{ layers: [{ id: 1 }, { id: 2 }] }, 'Layers 1 id  1\n  Layers 2 id  2'],
  [{ port: 20_480, enabled: true }, 'Port     20480\n  Enabled  yes'],
  [{ bytes: 'many', ms: [1, 2] }, 'Bytes  many\n  Ms     1, 2'],
  [{ constructor: 5 }, 'Constructor  5'],
])('%j is written as people write it', async (value, row) => {
  const shown = await rest(value, { now: Date.parse('2026-11-21T14:02:40Z') });
  expect(shown).toBe(`  ${row}\n`);
});

test('empty fields are left out', async () => {
  expect(await rest({ a: null, b: '', c: [], d: {}, e: { f: null } })).toBe('');
});

test('a hash is whole in a pipe, where it may be copied by a program', async () => {
  expect(await rest({ sha: HASH }, { tty: false })).toContain(HASH);
  expect(await rest({ sha: HASH }, { unicode: false })).toContain(`${HASH.slice(0, 12)}...`);
});

test('what failed comes first and in red, a message last, and all else below a heading', async () => {
  const fill = (screen: Screen) => {
    screen.fields([['Status', 'failed']]);
    screen.rest({
      region: 'abj',
      message: 'Look at the log',
      failure: { step: 'build', message: 'No module' },
      errors: 3,
    });
  };
  expect(await drawn(fill)).toBe(
    [
      '  Failure step     build',
      '  Failure message  No module',
      '  Status           failed',
      '  Message          Look at the log',
      '',
      'More',
      '  Region           abj',
      '  Errors           3',
      '',
    ].join('\n'),
  );
  expect(await drawn(fill, { colorLevel: 1 })).toContain('\u001b[31mNo module\u001b[39m');
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
    screen.rest({
      serviceId: 'svc_wp_1',
      startedAt: '2026-11-21T13:03:00Z',
      total: { amount: 5400, currency: 'XAF' },
      branch: 'main',
      port: 5432,
      parent: 'svc_wp',
      child: 'svc_wp_12',
    });
  });
  expect(shown.split('More\n')[1]?.match(/^ {2}\S+/gm)).toEqual(['  Branch', '  Port', '  Parent', '  Child']);
});

test('a terminal shows eight rows of a screen and counts the others, a pipe shows all', async () => {
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, index]));
  const fill = (screen: Screen) => {
    screen.line('Done.');
    screen.rest(many(6));
    screen.rest({ error: 'last', ...many(6) });
  };
  const rows = (await drawn(fill)).split('\n');
  expect(rows.slice(0, 5)).toEqual(['Done.', '', expect.stringMatching(/^ {2}Error +last$/), '', 'More']);
  expect(rows.slice(5)).toHaveLength(7 + 1 + 1);
  expect(rows.at(-2)).toMatch(/^ {2}\+5 fields +--json shows all$/);
  expect(await drawn(fill, { tty: false })).not.toContain('--json');
});

test('parts with a title keep their rows together', async () => {
  const shown = await drawn((screen) => {
    screen.rest({ seats: 5, error: 'unpaid' }, 'Acme');
    screen.rest({ seats: 7 }, 'Guild');
  });
  expect(shown).toBe('Acme\n  Error  unpaid\n  Seats  5\n\nGuild\n  Seats  7\n');
});

test('the first instant of a screen names the zone, and one of another offset names its own', async () => {
  const fill = (screen: Screen) => {
    screen.rest({ aAt: '2026-10-24T10:00:00Z', bAt: '2026-10-24T11:00:00Z', cAt: '2026-11-24T11:00:00Z' });
    screen.fields([['Last', { text: '', tone: 'plain', at: Date.parse('2026-11-24T12:00:00Z') }]]);
  };
  const times = (await drawn(fill, { timeZone: 'Europe/Paris' })).match(/\d\d:\d\d.*/g);
  expect(times).toEqual(['12:00 +02:00', '13:00', '12:00 +01:00', '13:00']);
});
