import { Hono } from 'hono';
import type { FaultPlan } from './faults/rule.ts';
import { addPages } from './page/pages.ts';
import type { Parts } from './parts.ts';
import { perform } from './perform.ts';
import type { Route } from './route.ts';
import { ACCOUNT_ROUTES } from './routes/account.ts';
import { ACTION_ROUTES } from './routes/actions.ts';
import { CHECKOUT_ROUTES } from './routes/checkout.ts';
import { DATABASE_ROUTES } from './routes/databases.ts';
import { DOMAIN_ROUTES } from './routes/domains.ts';
import { LOGIN_ROUTES } from './routes/login.ts';
import { SERVICE_ROUTES } from './routes/services.ts';
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

/** Every operation that the sandbox answers: the documented twelve, and the job lookup. */
const ROUTES: readonly Route[] = [
  ...LOGIN_ROUTES,
  ...CHECKOUT_ROUTES,
  ...DOMAIN_ROUTES,
  ...ACTION_ROUTES,
  ...SERVICE_ROUTES,
  ...DATABASE_ROUTES,
  ...ACCOUNT_ROUTES,
];
