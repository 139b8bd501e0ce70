import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { browser, openChromium } from '../../support/chromium.ts';
import { visitSandbox } from '../visit.ts';

describe.skipIf(browser.missing)(
  browser.title('the approval page in Chromium, without scripts'),
  () => {
    let chromium: Awaited<ReturnType<typeof openChromium>>;

    beforeAll(async () => {
      chromium = await openChromium();
    });

    afterAll(() => chromium?.close());

    /** An empty page, and a sandbox in which a login waits. */
    async function startLogin() {
      const { open, sandbox } = await visitSandbox();
      const login = (await open('POST', '/v1/auth/device', { clientName: 'marie-laptop' })).json;
      const page = await chromium.context.newPage();
      onTestFinished(() => page.close());
      return { open, sandbox, login, page };
    }

    test('a code is typed in by keyboard alone, and Approve connects the device', async () => {
      const { open, login, page } = await startLogin();
      await page.goto(login.verificationUri);
      await page.locator('#code:focus').waitFor();
      await page.keyboard.type(login.userCode.toLowerCase());
      await page.keyboard.press('Enter');
      await page.getByText('marie-laptop').waitFor();
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByRole('heading', { name: 'Device connected' }).waitFor();
      const { token } = (
        await open('POST', '/v1/auth/device/token', { deviceCode: login.deviceCode })
      ).json;
      expect(token).toMatch(/^svc_sandbox_/);
    });

    test('a page of another site cannot show it in a frame, and its form decides nothing', async () => {
      const { open, sandbox, login, page } = await startLogin();
      const { text } = await open('GET', `/device?code=${login.userCode}`);
      const [form = ''] = /<form method="post".*<\/form>/s.exec(text) ?? [];
      const frame = `<iframe src="${login.verificationUriComplete}"></iframe>`;
      await page.goto(
        await otherSite(frame + form.replace('action="/device"', `action="${sandbox.url}/device"`)),
      );
      expect(
        await page.frameLocator('iframe').getByRole('button', { name: 'Approve' }).count(),
      ).toBe(0);
      const [answer] = await Promise.all([
        page.waitForResponse(`${sandbox.url}/device`),
        page.getByRole('button', { name: 'Approve' }).click(),
      ]);
      expect([answer.status(), sandbox.pendingLogins()]).toEqual([403, [login.userCode]]);
    });
  },
);

/** A page of another origin, served until the test is over. */
async function otherSite(content: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(`<!doctype html><title>Other</title>${content}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}/`;
}
