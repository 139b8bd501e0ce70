import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createReport } from '../../../src/commands/metrics/report.ts';
import type { Usage } from '../../../src/commands/metrics/usage.ts';
import { browser, openChromium } from '../../support/chromium.ts';
import { fakeClock } from '../../support/clock.ts';
import { svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const HOSTILE = '<script>alert(1)</script><b onclick="x">';

/** A report of four services: b alarms, c does not exist, and d is named as no service should be. */
async function reported() {
  const cwd = await temporaryFolder();
  const wire = await testWire();
  const points = (cpu: number) =>
    Array.from({ length: 672 }, (_, index) => ({
      time: new Date(NOON - (672 - index) * 900_000).toISOString(),
      cpuPercent: index % 96 === 5 ? null : cpu + 5 * Math.sin(index / 15),
      memoryBytes: 2 ** 30,
    }));
  const answer = (id: string, body: object, status = 200) =>
    wire.on('GET', `/v1/services/${id}/metrics/history`).reply(status, body);
  answer('a', { points: points(10) });
  answer('b', { points: points(90) });
  answer('c', { error: 'There is no service c.' }, 404);
  answer('d', { service: { name: HOSTILE }, points: points(50).map((point) => ({ ...point, [HOSTILE]: 1 })) });
  const ids = ['a', 'b', 'c', 'd'];
  const argv = ['--since', '7d', '--sort', 'cpu:p95', '--fail-if', 'p95(cpu)>80', '--report', 'week.html'];
  const done = await svc(['metrics', ...ids, '--concurrency', '1', ...argv], {
    url: wire.url,
    cwd,
    clock: fakeClock(),
  });
  const file = join(cwd, 'week.html');
  return { done, cwd, file, html: await readFile(file, 'utf8') };
}

describe('a report of several services', () => {
  test('is one file, with alarms first, then what could not be read', async () => {
    const { done, html } = await reported();
    expect(done.exitCode).toBe(9);
    expect(done.stdout).toContain('✓ Written to week.html');
    expect(done.stderr).toBe('Alert: 1 of 4 services alarms, 1 could not be read.\n');
    expect([...html.matchAll(/<h2>(.{1,40})/g)].map(([, name]) => name?.slice(0, 1))).toEqual(['b', 'c', '&', 'a']);
    expect(html).toContain('2026-02-22T12:00:00Z to 2026-03-01T12:00:00Z, times in UTC');
    expect(html).toMatch(/1 alarms<\/strong> · 1 could not be read/);
    expect(html).not.toMatch(/<script|<link|<img|src=|https?:|@import|url\(/);
    expect(html).not.toContain('<b onclick');
  });

  test('has alarms first, then the highest rank; from the 501st on there are figures and no picture', () => {
    const report = createReport({ start: '2026-03-01T11:00:00Z', end: '2026-03-01T12:00:00Z', stepSeconds: 60 });
    const values = Float64Array.of(1, 2);
    const series = [{ name: 'cpu', unit: '%', times: Float64Array.of(NOON - 60_000, NOON), values, everyMs: 60_000 }];
    const range = { start: '2026-03-01T11:00:00Z', end: '2026-03-01T12:00:00Z', stepSeconds: 60 };
    const usage = { series, range, beside: {} } as unknown as Usage;
    for (let index = 0; index < 500; index += 1)
      report.add({ usage, problem: undefined, alert: undefined, index, id: `s${index}`, rank: index });
    report.add({ usage, problem: undefined, alert: 'too high', index: 500, id: 'last', rank: -1 });
    const html = report.toHtml();
    const heads = [...html.matchAll(/<h2>(.+)<\/h2>/g)].map(([, name]) => name);
    expect(heads).toEqual(['last', ...Array.from({ length: 500 }, (_, index) => `s${499 - index}`)]);
    expect([html.match(/<path/g)?.length, html.match(/last 2% · min 1%/g)?.length]).toEqual([500, 501]);
  });

  test('of one service is the same page', async () => {
    const cwd = await temporaryFolder();
    const wire = await testWire();
    wire.on('GET', '/v1/services/a/metrics/history').reply(200, { points: [] });
    const done = await svc(['metrics', 'a', '--report', 'a.html'], { url: wire.url, cwd });
    expect(done.exitCode).toBe(0);
    expect(await readFile(join(cwd, 'a.html'), 'utf8')).toContain('<h1>Usage of 1 service</h1>');
  });
});

describe.skipIf(browser.missing)(browser.title('in Chromium'), () => {
  let chromium: Awaited<ReturnType<typeof openChromium>>;

  beforeAll(async () => {
    chromium = await openChromium();
  });

  afterAll(() => chromium?.close());

  async function open(file: string): Promise<Page> {
    const page = await chromium.context.newPage();
    onTestFinished(() => page.close());
    await page.goto(pathToFileURL(file).href);
    return page;
  }

  test('a report is read on a phone and on a desk, by day and by night', async () => {
    const { file } = await reported();
    const page = await open(file);
    const problems: string[] = [];
    page.on('console', (message) => problems.push(message.text()));
    const colours = new Set<string>();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await page.reload();
        const boxes = await page.locator('section, figure, svg, h2, p').all();
        for (const box of await Promise.all(boxes.map((one) => one.boundingBox())))
          expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
        const pictures = await page.locator('figure svg').all();
        expect(pictures).toHaveLength(7);
        expect((await pictures[0]?.boundingBox())?.height).toBeGreaterThan(40);
      }
      colours.add(await styleOf(page, 'body', 'background-color'));
    }
    expect(await page.getByRole('heading', { level: 2 }).nth(2).textContent()).toContain(HOSTILE);
    expect(colours.size).toBe(2);
    expect(problems).toEqual([]);
  });

  test('pictures in a page change neither it nor each other, and it does not change them', async () => {
    const { cwd } = await reported();
    const wire = await testWire();
    wire.on('GET', '/v1/services/a/metrics/history').always(200, { points: [{ time: NOON - 60_000, cpu: 1 }] });
    const done = await svc(['metrics', 'a', '--output', 'a.svg'], { url: wire.url, cwd, clock: fakeClock() });
    expect(done.exitCode).toBe(0);
    const svg = await readFile(join(cwd, 'a.svg'), 'utf8');
    const own = '<text class="title name quiet" id="own">mine</text>';
    const page = (pictures: string, style: string) =>
      `<!doctype html><style>${style}</style><p class="page title">Text</p><svg>${own}</svg>${pictures}`;
    const look = async (name: string, html: string) => {
      const file = join(cwd, `${name}.html`);
      await writeFile(file, html);
      const opened = await open(file);
      return (selector: string, property: string) => styleOf(opened, selector, property);
    };
    const style = 'text { fill: red; font: 40px serif } .title { fill: red } .line, path { stroke: red } ';
    const alone = await look('alone', page('', style));
    const among = await look('among', page(svg + svg, style));
    const plain = await look('plain', page(svg, ''));
    for (const [selector, property, like] of [
      ['#own', 'font', alone],
      ['#own', 'fill', alone],
      ['p', 'font', alone],
      ['html', 'color-scheme', alone],
      ['.svc-title', 'fill', plain],
      ['.svc-title', 'font-size', plain],
      ['.svc-quiet', 'fill', plain],
      ['.svc-line', 'stroke', plain],
    ] as const)
      expect(await among(selector, property), selector).toBe(await like(selector, property));
  });
});

async function styleOf(page: Page, selector: string, property: string): Promise<string> {
  const element = `document.querySelector(${JSON.stringify(selector)})`;
  return await page.evaluate(`getComputedStyle(${element}).getPropertyValue(${JSON.stringify(property)})`);
}
