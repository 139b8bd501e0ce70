import { Hono } from 'hono';
import type { FaultPlan } from './faults/rule.ts';
import { addPages } from './page/pages.ts';
import type { Parts } from './parts.ts';
import { perform } from './perform.ts';
import { ROUTES } from './routes/all.ts';
import { errorReply, jsonResponse } from './web/answer.ts';
import type { SandboxApp } from './web/hono.ts';

/** All that the sandbox answers, once a request has passed the guard. */
export function createApp(parts: Parts, faults: FaultPlan): SandboxApp {
  const app: SandboxApp = new Hono();
  const now = () => parts.clock.now();
  addPages(app, parts);
  for (const route of ROUTES) {
    const path = route.operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.on(route.operation.method, path, (context) => perform(context, route, parts, faults));
  }
  app.notFound(({ req }) =>
    jsonResponse({ status: 404, body: { error: `There is nothing at ${req.method} ${req.path}.` } }, now()),
  );
  app.onError((error) => jsonResponse(errorReply(error, parts.log), now()));
  return app;
}
