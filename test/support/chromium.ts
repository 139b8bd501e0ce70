import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { needs } from './needs.ts';

export const browser = needs('chromium');

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Starts Chromium with an empty profile, and without scripts unless told. Closing it removes the
 * profile.
 */
export async function openChromium({ javaScriptEnabled = false } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-chromium-'));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: browser.path,
    args: FLAGS,
    headless: true,
    javaScriptEnabled,
  });
  context.setDefaultTimeout(20_000);
  return {
    context,
    async close(): Promise<void> {
      await context.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}
