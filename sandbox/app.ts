import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { alterReply } from './answer-effects.ts';
import type { Fault, TakeFault } from './faults.ts';
import { addPages } from './page/pages.ts';
import type { Parts, SandboxApp, SandboxContext } from './parts.ts';
import type { Reply, Route } from './route.ts';
import { ACCOUNT_ROUTES } from './routes/account.ts';
import { CHECKOUT_ROUTES } from './routes/checkout.ts';
import { DOMAIN_ROUTES } from './routes/domains.ts';
import { LOGIN_ROUTES } from './routes/login.ts';
import { ACTION_ROUTES, DATABASE_ROUTES, SERVICE_ROUTES } from './routes/services.ts';
import { errorReply, jsonHeaders, jsonResponse } from './web/answer.ts';
import { checkBodyHead, JSON_TYPE, readJson } from './web/body.ts';

const ROUTES: readonly Route[] = [
  ...LOGIN_ROUTES,
  ...CHECKOUT_ROUTES,
  ...DOMAIN_ROUTES,
  ...ACTION_ROUTES,
  ...SERVICE_ROUTES,
  ...DATABASE_ROUTES,
  ...ACCOUNT_ROUTES,
];

/** Answers the requests that have passed the guard. */
export function createApp(parts: Parts, takeFault: TakeFault): SandboxApp {
  const app: SandboxApp = new Hono();
  const now = () => parts.clock.now();
  addPages(app, parts);
  for (const route of ROUTES) {
    const path = route.operation.path.replaceAll(/\{(\w+)\}/g, ':$1');
    app.on(route.operation.method, path, (context) => {
      parts.traffic.requests += 1;
      const seconds = parts.secondsToPause();
      return seconds > 0
        ? refuse(context, seconds, parts)
        : perform(context, route, parts, takeFault(route.operation.name));
    });
  }
  app.get('/sandbox', () => jsonResponse({ status: 200, body: createReport(parts) }, now()));
  app.notFound(({ req }) =>
    jsonResponse(
      { status: 404, body: { error: `${req.method} ${req.path} does not exist.` } },
      now(),
    ),
  );
  app.onError((error) => jsonResponse(errorReply(error, parts.log), now()));
  return app;
}

/** Counts of what was asked of a sandbox. `svc api /sandbox` prints it. */
export function createReport({ catalog, store: { state }, traffic }: Parts) {
  const restarts = new Map(state.restarts.map(({ serviceId, times }) => [serviceId, times]));
  const actions = new Map<string, number>();
  for (const { serviceId } of state.jobs) actions.set(serviceId, (actions.get(serviceId) ?? 0) + 1);
  const services = Array.from(catalog.services.values(), ({ id, kind, name }) => {
    return { id, kind, name, restarts: restarts.get(id) ?? 0, actions: actions.get(id) ?? 0 };
  });
  return { ...traffic, services };
}

function refuse(context: SandboxContext, seconds: number, parts: Parts): Response {
  parts.traffic.refused += 1;
  parts.log(logLine(context, 429));
  const body = { error: `Too many requests; try again in ${seconds} s.` };
  return jsonResponse(
    { status: 429, body, headers: { 'Retry-After': String(seconds) } },
    parts.clock.now(),
  );
}

async function perform(
  context: SandboxContext,
  route: Route,
  parts: Parts,
  fault?: Fault,
): Promise<Response> {
  const effect = fault?.effect;
  if (effect?.kind === 'delay') await wait(context, effect.ms, parts);
  const isSkipped = (effect?.kind === 'status' || effect?.kind === 'drop') && !effect.afterWork;
  const worked = isSkipped ? undefined : await work(context, route, parts);
  const answered =
    effect?.kind === 'answer' && worked !== undefined ? alterReply(worked, effect.change) : worked;
  const reply = effect?.kind === 'status' ? statusReply(effect) : answered;
  const isDropped = effect?.kind === 'drop';
  parts.log(logLine(context, isDropped ? 'dropped' : reply?.status, fault));
  if (reply === undefined || isDropped) {
    context.env.outgoing.socket?.destroy();
    return RESPONSE_ALREADY_SENT;
  }
  if (effect?.kind === 'cut') {
    sendCut(context.env.outgoing, reply, parts.clock.now());
    return RESPONSE_ALREADY_SENT;
  }
  const response = jsonResponse(reply, parts.clock.now());
  return effect?.kind === 'garbage'
    ? new Response('{"this is": not JSON\u0000', response)
    : response;
}

/** Lifts the time limit for silent connections. Closing the sandbox ends the wait. */
async function wait({ env }: SandboxContext, ms: number, { clock, closing }: Parts): Promise<void> {
  env.incoming.socket.setTimeout(0);
  await clock.sleep(ms, closing).catch(() => undefined);
}

async function work(context: SandboxContext, route: Route, parts: Parts): Promise<Reply> {
  const { incoming } = context.env;
  try {
    checkBodyHead(incoming, JSON_TYPE);
    return await route.answer(parts, {
      params: context.req.param(),
      query: new URL(context.req.url).searchParams,
      header: (name) => context.req.header(name),
      body: () => readJson(incoming),
    });
  } catch (error) {
    return errorReply(error, parts.log);
  }
}

/** Holds the method, the path as sent and the outcome; the query and headers may be private. */
function logLine(
  { req }: SandboxContext,
  outcome: number | string | undefined,
  fault?: Fault,
): string {
  const line = `${req.method} ${new URL(req.url).pathname} ${outcome}`;
  return fault === undefined ? line : `${line} (fault ${fault.text})`;
}

function statusReply({
  status,
  error,
  retryAfterSeconds,
}: Extract<Fault['effect'], { kind: 'status' }>): Reply {
  return {
    status,
    body: { error: error ?? `Injected fault.` },
    headers: retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) },
  };
}

function sendCut(outgoing: ServerResponse, reply: Reply, now: number): void {
  const bytes = Buffer.from(JSON.stringify(reply.body));
  outgoing.writeHead(reply.status, { ...jsonHeaders(reply, now), 'Content-Length': bytes.length });
  outgoing.write(bytes.subarray(0, bytes.length >> 1), () => outgoing.socket?.destroy());
}
