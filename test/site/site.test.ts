import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browser, openChromium } from '../support/chromium.ts';
import { until } from '../support/until.ts';

const SITE = join(import.meta.dirname, '../../site');
const AXE = join(SITE, 'node_modules/axe-core/axe.min.js');
const FILES = readdirSync(join(SITE, 'dist'), { recursive: true, encoding: 'utf8' });
const PAGES = FILES.filter((name) => name.endsWith('.html') && name !== '404.html');
/** One of each kind: the first page, a recipe, the longest tables, drawings. */
const KINDS = [
  'index.html',
  'cookbook/domains.html',
  'commands.html',
  'troubleshooting.html',
  'how-it-works.html',
];
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

let context: BrowserContext;
let close: () => Promise<void>;
let origin: string;
const server = createServer(({ url = '/' }, response) => {
  const { pathname } = new URL(url, 'http://localhost');
  const file = join(SITE, 'dist', pathname.endsWith('/') ? `${pathname}index.html` : pathname);
  if (!existsSync(file)) return void response.writeHead(404).end();
  response
    .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
    .end(readFileSync(file));
});

beforeAll(async () => {
  if (browser.missing) return;
  ({ context, close } = await openChromium({ javaScriptEnabled: true }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  if (!browser.missing) await close();
});

async function open(page: string, colorScheme: 'light' | 'dark', width: number): Promise<Page> {
  const tab = await context.newPage();
  await tab.setViewportSize({ width, height: 800 });
  await tab.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await tab.goto(`${origin}/${page}`, { waitUntil: 'networkidle' });
  return tab;
}

test('every link leads to a page and a part of it', () => {
  const html = new Map(PAGES.map((page) => [page, readFileSync(join(SITE, 'dist', page), 'utf8')]));
  const dead = [...html].flatMap(([page, text]) =>
    [...text.matchAll(/<a[^>]* href="([^"]+)"/g)].flatMap(([, href = '']) => {
      if (!/^[./#]/.test(href)) return [`${page}: ${href}`];
      const { pathname, hash } = new URL(href, `http://localhost/${page}`);
      const file = pathname.slice(1).replace(/(^|\/)$/, '$1index.html');
      const target = html.get(file);
      const isThere =
        target !== undefined &&
        (hash === '' || target.includes(`id="${decodeURIComponent(hash.slice(1))}"`));
      return isThere ? [] : [`${page}: ${href}`];
    }),
  );
  expect(html.size).toBeGreaterThan(20);
  expect(dead).toEqual([]);
});

describe.skipIf(browser.missing)(browser.title('in Chromium'), () => {
  describe.each(['light', 'dark'] as const)('%s', (scheme) => {
    test.each([360, 1280])(
      '%i px wide, nothing scrolls sideways and axe finds nothing',
      async (width) => {
        for (const page of KINDS) {
          const tab = await open(page, scheme, width);
          const wide = await tab.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );
          expect(wide, page).toBe(0);
          expect(await tab.evaluate("document.documentElement.classList.contains('dark')")).toBe(
            scheme === 'dark',
          );
          await tab.addScriptTag({ path: AXE });
          const found: string[] = await tab.evaluate(
            "axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))",
          );
          expect(found, page).toEqual([]);
          await tab.close();
        }
      },
    );
  });

  test('with the keyboard alone, the search finds a page and opens it', async () => {
    const tab = await open('index.html', 'light', 1280);
    await tab.keyboard.press('Tab');
    expect(await tab.evaluate('document.activeElement?.textContent?.trim()')).toBe(
      'Skip to content',
    );
    await openSearch(tab);
    await tab
      .locator('.VPLocalSearchBox input')
      .pressSequentially('move a domain without losing mail');
    const chosen = tab.locator('.VPLocalSearchBox a.result.selected', {
      hasText: 'Move a domain without losing mail',
    });
    await chosen.waitFor();
    await tab.keyboard.press('Enter');
    await tab.waitForURL(/domains\.html#move-a-domain/);
    await tab.locator('h2', { hasText: 'Move a domain without losing mail' }).waitFor();
    await tab.close();
  });
});

/** Opens the search with its key, which does nothing before the page's scripts have run. */
async function openSearch(tab: Page): Promise<void> {
  const box = tab.locator('.VPLocalSearchBox input');
  await until(async () => {
    if (!(await box.isVisible())) await tab.keyboard.press('Control+k');
    return box.isVisible();
  });
}
