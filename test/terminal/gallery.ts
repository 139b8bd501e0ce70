import { longestStep, statisticsOf } from '../../src/metrics/series.ts';
import {
  type Chart,
  code,
  createScreen,
  date,
  dim,
  link,
  type Screen,
  state,
  strong,
} from '../../src/terminal/screen.ts';
import type { View } from '../../src/terminal/terminal.ts';

const NOW = Date.parse('2026-11-21T14:03:00Z');

const HOUR = 3_600_000;

/** A terminal without colours by default. */
export function testView(more: Partial<View> = {}): View {
  return {
    columns: 80,
    colorLevel: 0,
    unicode: true,
    accessible: false,
    tty: true,
    links: false,
    now: NOW,
    timeZone: 'UTC',
    ...more,
  };
}

/** Makes a chart as `svc metrics` does. */
export function chartOf(name: string, points: Chart['points'], unit?: string): Chart {
  const times = Float64Array.from(points, ({ time }) => time);
  const figures = statisticsOf(Float64Array.from(points, ({ value }) => value ?? Number.NaN));
  return { name, unit, points, figures, longestStepMs: longestStep(times, 0) };
}

/** Every kind of block. */
export const GALLERY: Readonly<Record<string, (screen: Screen) => void>> = {
  details(screen) {
    screen.heading(['Deployment ', code('dep_7Kq2')]);
    screen.fields([
      ['Status', state('live')],
      ['Service', ['shop ', dim('(svc_9f2)')]],
      ['Created', date(NOW - 3 * HOUR)],
      ['Expires', date('2027-02-18T14:03:00Z')],
      ['Not known', undefined],
      ['Message', 'Fix the checkout button that did nothing on phones, and a few words more so that it wraps'],
      ['Address', link('https://shop.example.com/a/long/path?with=a+query&that=never&ends=because&it=is&very=long')],
      ['A label that is wider than the others are', 'value'],
    ]);
    screen.rest(
      {
        region: 'eu-west',
        replicas: 3,
        healthy: true,
        note: null,
        empty: '',
        build: { seconds: 41.5, image: { tag: 'v1', layers: [{ size: 1 }, { size: 2 }] } },
        tags: ['a', 'b'],
        finishedAt: '2026-11-21T13:00:00.000Z',
      },
      'More from the platform',
    );
    screen.next(['svc deployments inspect dep_7Kq2', 'svc restart shop', 'svc metrics shop', 'never shown']);
  },
  messages(screen) {
    const words = '. The new container is up and answers, which took eleven seconds in all.';
    screen.success(['Restarted ', strong('shop'), words]);
    screen.warning('The DNS zone has 2 records that cannot be staged; they are listed below.');
    screen.line();
    screen.line('At the registrar:');
    screen.steps([
      'Open the settings of the domain',
      ['Set the nameservers to ', code('ns1.example.net'), ' and ', code('ns2.example.net')],
      'Wait up to 48 hours',
    ]);
    screen.list(['first', 'Café 日本語 👍', 'evil \u001b[31mred\u202e\u0007']);
    screen.diff([
      { kind: 'removed', text: '@ A 198.51.100.7' },
      { kind: 'added', text: '@ A 203.0.113.10' },
    ]);
    screen.verbatim('$ORIGIN example.com.\n@\t3600 IN A 203.0.113.10\n');
  },
  table(screen) {
    const dmarc = 'v=DMARC1; p=none; rua=mailto:postmaster@example.com; fo=1; adkim=s; aspf=s; pct=100';
    screen.heading('DNS records of example.com');
    screen.table({
      head: ['name', 'type', 'value', { name: 'ttl', align: 'right' }, { name: 'priority', align: 'right' }],
      rows: [
        ['@', 'A', '203.0.113.10', '3600', undefined],
        ['www', 'CNAME', 'shop.example.net', '300', undefined],
        ['@', 'MX', 'mail.example.com', '3600', '10'],
        ['_dmarc', 'TXT', dmarc, '3600', undefined],
        ['日本', 'TXT', 'กำลังทดสอบ é 👍 ❤️ 🇨🇲 שָׁלוֹם', '60', undefined],
        ['end', 'TXT', 'e\u0301te\u0301 한국어 ｆｕｌｌ', '60', undefined],
      ],
    });
    screen.table({
      head: [{ name: 'id', whole: true }, 'state', 'note'],
      rows: [
        ['svc_01HZX3J5P4QJ', state('live'), 'x'.repeat(70)],
        ['svc_2', state('failed'), ''],
      ],
      max: 1,
    });
  },
  metrics(screen) {
    const wave = Array.from({ length: 289 }, (_, index) => {
      const value = 45 + 30 * Math.sin(index / 20) + (index === 60 ? 20 : 0);
      return { time: NOW - (288 - index) * 300_000, value: index > 140 && index < 165 ? undefined : value };
    });
    const growth = wave.map((_, index) => index * 1_000_000);
    const cpu = { name: 'cpuPercent', unit: 'percent', points: wave.map(({ value }) => value) };
    screen.series([
      { ...cpu, min: 15, avg: 45.2, p95: 74.4, max: 95, last: 73.6 },
      { name: 'memoryBytes', unit: 'bytes', points: growth, min: 0, avg: 144e6, max: 288e6, last: 288e6 },
      { name: 'requests', points: [1, 5, 2, undefined, 8, 4], min: 1, avg: 4, max: 8, last: 4 },
      { name: 'flat', points: [3, 3, 3], last: 3 },
    ]);
    screen.charts([chartOf('cpuPercent', wave, 'percent')]);
    const growing = growth.map((value, index) => ({ time: NOW + index * 2 * HOUR, value }));
    const memory = chartOf('memoryBytes', growing, 'bytes');
    const nothing = chartOf('nothing', [{ time: NOW, value: undefined }]);
    screen.charts([memory, nothing, chartOf('requests', growing), memory]);
  },
};

export function galleryScreen(name: string): Screen {
  const screen = createScreen();
  GALLERY[name]?.(screen);
  return screen;
}
