import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { browser, openChromium } from '../../support/chromium.ts';
import { type Visitor, visitSandbox } from '../visit.ts';

describe.skipIf(browser.missing)(browser.title('the approval page in Chromium, without scripts'), () => {
  let chromium: Awaited<ReturnType<typeof openChromium>>;

  beforeAll(async () => {
    chromium = await openChromium();
  });

  afterAll(() => chromium?.close());

  async function newPage(): Promise<Page> {
    const page = await chromium.context.newPage();
    onTestFinished(() => page.close());
    return page;
  }

  async function startLogin({ open }: Visitor) {
    return (await open('POST', '/v1/auth/device', { clientName: 'marie-laptop' })).json;
  }

  async function poll({ open }: Visitor, deviceCode: string) {
    return (await open('POST', '/v1/auth/device/token', { deviceCode })).json;
  }

  test('Approve connects the device', async () => {
    const visitor = await visitSandbox();
    const login = await startLogin(visitor);
    const page = await newPage();
    await page.goto(login.verificationUriComplete);
    expect(await page.getByText(login.userCode, { exact: true }).isVisible()).toBe(true);
    expect(await page.getByText('marie-laptop').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'Device connected' }).waitFor();
    expect((await poll(visitor, login.deviceCode)).token).toMatch(/^svc_sandbox_/);
    await page.reload();
    await page.getByRole('heading', { name: 'Device connected' }).waitFor();
  });

  test('a code is typed in by keyboard alone, and a wrong one can be corrected', async () => {
    const visitor = await visitSandbox();
    const login = await startLogin(visitor);
    const page = await newPage();
    await page.goto(login.verificationUri);
    await page.locator('#code:focus').waitFor();
    await page.keyboard.type('WRNG-CDXX');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('No login is waiting with this code').waitFor();
    expect(await page.getByLabel('Code').inputValue()).toBe('WRNG-CDXX');
    await page.getByLabel('Code').fill(login.userCode.toLowerCase());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Approve this login?' }).waitFor();
    expect(visitor.sandbox.pendingLogins()).toEqual([login.userCode]);
  });

  test('a form on a page of another site decides nothing', async () => {
    const visitor = await visitSandbox();
    const login = await startLogin(visitor);
    const { text } = await visitor.open('GET', `/device?code=${login.userCode}`);
    const form = (/<form method="post".*<\/form>/s.exec(text)?.[0] ?? '').replace(
      'action="/device"',
      `action="${visitor.sandbox.url}/device"`,
    );
    expect(form).toContain(login.userCode);
    for (const host of ['127.0.0.1', 'localhost']) {
      const page = await newPage();
      await page.goto(await otherSite(host, form));
      const [answer] = await Promise.all([
        page.waitForResponse(`${visitor.sandbox.url}/device`),
        page.getByRole('button', { name: 'Approve' }).click(),
      ]);
      expect(answer.status()).toBe(403);
      expect(visitor.sandbox.pendingLogins()).toEqual([login.userCode]);
    }
    expect(await poll(visitor, login.deviceCode)).toEqual({ error: 'authorization_pending' });
  });

  test('another site cannot show it in a frame', async () => {
    const visitor = await visitSandbox();
    const login = await startLogin(visitor);
    const page = await newPage();
    const frame = `<iframe src="${login.verificationUriComplete}" width="600" height="600"></iframe>`;
    await page.goto(await otherSite('127.0.0.1', frame));
    expect(await page.frameLocator('iframe').getByRole('button', { name: 'Approve' }).count()).toBe(0);
  });
});

/** A page of another origin, served until the test is over. */
async function otherSite(host: string, content: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(`<!doctype html><title>Other</title>${content}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://${host}:${(server.address() as AddressInfo).port}/`;
}
