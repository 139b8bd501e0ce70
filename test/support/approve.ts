import { expect } from 'vitest';
import { type Run, type RunOptions, svc } from './svc.ts';
import { until } from './until.ts';

/**
 * Decides a device login of the sandbox over HTTP, as a browser without scripts does: reads the page, sends its form.
 * For sandboxes of another process; in this one there are `sandbox.approve` and `sandbox.deny`.
 * Resolves with the status: 303 when it was decided, 404 when no such login waits, 409 when it is too late.
 */
export async function decideOnPage(pageUrl: string, decision: 'approve' | 'deny'): Promise<number> {
  const page = await fetch(pageUrl);
  const text = await page.text();
  const [, code] = /name="code" value="([^"]+)"/.exec(text) ?? [];
  if (code === undefined || !text.includes('method="post"')) return page.ok ? 409 : page.status;
  const body = new URLSearchParams({ code, decision });
  const answer = await fetch(new URL('/device', pageUrl), { method: 'POST', body, redirect: 'manual' });
  await answer.arrayBuffer();
  return answer.status;
}

/** Runs a command line that signs in, and approves the login on the page that it names. */
export async function signInOnPage(argv: readonly string[], options: RunOptions): Promise<Run> {
  let shown = () => '';
  const run = svc(argv, {
    ...options,
    onStart(_send, soFar) {
      shown = soFar;
    },
  });
  const page = (await until(() => /https?:\S+code=\S+/.exec(shown())?.[0], shown)) ?? '';
  expect(await decideOnPage(page, 'approve')).toBe(303);
  return run;
}
