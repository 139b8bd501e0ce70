import { describe, expect, test } from 'vitest';
import { drawLive } from '../../src/live/draw.ts';
import type { LiveEvent, LiveState } from '../../src/live/state.ts';
import type { View } from '../../src/terminal/capabilities.ts';
import { testView } from '../terminal/gallery.ts';
import { answer, BEGUN, keys, NOW, readingAt, stateAfter } from './stage.ts';

const SIZES = [
  [60, 16],
  [80, 24],
  [120, 40],
] as const;

const READ = stateAfter([
  answer(readingAt(30)),
  answer(readingAt(84)),
  answer(readingAt(12), 'svc_app'),
  answer(readingAt(95), 'svc_vps'),
  { kind: 'marks', service: 'svc_wp', marks: [{ time: NOW - 40 * 60_000, sign: 'D', text: 'dep_9m4kx7q2tz' }] },
]);
const LOST: LiveEvent = { kind: 'trouble', service: 'svc_wp', text: 'Cannot reach api.example.com.' };

const STATES: Readonly<Record<string, LiveState>> = {
  begun: BEGUN,
  live: READ,
  zoomed: stateAfter(keys('down', '\r'), READ),
  lost: stateAfter([LOST], READ),
  explained: stateAfter(keys('?'), READ),
  asked: stateAfter(keys('R', 'y'), READ),
  paused: stateAfter(keys('down', 'down', 'down', 'p'), READ),
};

async function draw(state: LiveState, more: Partial<View> = {}): Promise<string[]> {
  return (await drawLive(state, testView({ columns: 80, rows: 24, now: NOW, ...more }))).split('\n');
}

describe.each(SIZES)('at %i × %i', (columns, rows) => {
  test.each(Object.entries(STATES))('%s is the picture', async (name, state) => {
    const lines = await draw(state, { columns, rows });
    expect(lines).toHaveLength(rows);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
    await expect(`${lines.map((line) => line.trimEnd()).join('\n')}\n`).toMatchFileSnapshot(
      `pictures/${name}.${columns}x${rows}.txt`,
    );
  });
});

test.each([
  [20, 4],
  [40, 10],
  [59, 30],
  [60, 9],
  [119, 24],
  [300, 80],
])('every size is filled and not left: %i × %i', async (columns, rows) => {
  for (const state of Object.values(STATES)) {
    const lines = await draw(state, { columns, rows });
    expect(lines.length).toBeLessThanOrEqual(Math.max(rows, 6));
  }
});

test('a row leaves out whole keys, services and marks', async () => {
  const wide = (await draw(READ, { columns: 200, rows: 40 })).slice(-3).flatMap((line) => line.trim().split(/ {2,}/));
  for (let columns = 24; columns < 130; columns += 1) {
    const lines = await draw(READ, { columns, rows: 40 });
    const keys = (lines.at(-1) ?? '').trim().split(/ {2,}/);
    expect(keys[0]).toBe('q quit');
    for (const key of keys.filter((one) => !one.startsWith('1–5'))) expect(wide).toContain(key);
    expect(lines[1]?.trim()).toMatch(/^(\[kola-blog 79\.6%\]|(kola-shop 7\.65%|mail 90\.6%)| +)+$/);
  }
});

test('the service that is shown has room in the row of services, whatever their names are', async () => {
  const services = ['ブログブログブログ', 'two words here', 'shop', 'mail'].map((name, at) => ({
    id: `svc_${at}`,
    name,
  }));
  for (const shown of services.keys()) {
    const row = (await draw({ ...BEGUN, services, shown }, { columns: 26 }))[1];
    expect(row).toContain(`[${services[shown]?.name}]`);
  }
});

test('without Unicode no other character is drawn', async () => {
  for (const state of Object.values(STATES)) {
    expect((await draw(state, { unicode: false })).join('\n')).toMatch(/^[\n\x20-\x7e]*$/);
  }
});

test('a chart and its name have the colour of its values', async () => {
  const painted = async (state: LiveState) => (await draw(state, { colorLevel: 1, rows: 40 })).join('\n');
  const live = await painted(READ);
  expect(live).toMatch(/\u001b\[33m(?:\u001b\[\d+m)?cpuPercent/);
  expect(live).toContain('\u001b[31m 90.6%\u001b[39m');
  expect(await painted(STATES['lost'] as LiveState)).not.toMatch(/\u001b\[3[136]m[^\u001b]*[\u2801-\u28ff]/);
});

test('values that have changed are marked, and only those', async () => {
  const marked = (lines: string[]) => lines.flatMap((line) => /(\w+) [↑↓]/.exec(line)?.[1] ?? []);
  expect(marked(await draw(READ, { rows: 60 }))).toEqual(['cpuPercent']);
  expect(marked(await draw(stateAfter([answer(readingAt(84))], READ), { rows: 60 }))).toEqual([]);
});

test('what is said is shown whole', async () => {
  const text = 'The restart may have happened. '.repeat(6).trim();
  const lines = await draw(stateAfter([{ kind: 'note', note: { text, tone: 'warn' } }], READ));
  expect(lines.join(' ').replaceAll(/ +/g, ' ')).toContain(text);
  expect(lines).toHaveLength(24);
});
