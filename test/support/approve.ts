import { expect } from 'vitest';
import { type RunOptions, svc } from './svc.ts';
import { until } from './until.ts';

/**
 * Runs a command line that signs in, and approves the login on the page that it names, as a browser
 * without scripts does: reads the page, sends its form. For sandboxes of another process; in this
 * one there is `sandbox.approve`.
 */
export async function signInOnPage(argv: readonly string[], options: RunOptions) {
  let shown = () => '';
  const run = svc(argv, { ...options, onStart: (_send, soFar) => (shown = soFar) });
  const page = (await until(() => /https?:\S+code=\S+/.exec(shown())?.[0], shown)) ?? '';
  const text = await (await fetch(page)).text();
  expect(text).toContain('method="post"');
  const [, code = ''] = /name="code" value="([^"]+)"/.exec(text) ?? [];
  const body = new URLSearchParams({ code, decision: 'approve' });
  const answer = await fetch(new URL('/device', page), {
    method: 'POST',
    body,
    redirect: 'manual',
  });
  expect(answer.status).toBe(303);
  return run;
}
