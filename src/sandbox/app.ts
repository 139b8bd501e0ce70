import type { ServerResponse } from 'node:http';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import type { Fault, FaultPlan } from './faults.ts';
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

/** One request to an operation: a fault where one is due, the work, and the answer. */
async function perform(context: SandboxContext, route: Route, parts: Parts, faults: FaultPlan): Promise<Response> {
  const fault = faults.take(route.operation.name);
  if (fault?.effect.kind === 'delay') await wait(context, fault.effect.ms, parts);
  const worked = fault !== undefined && comesBeforeWork(fault) ? undefined : await work(context, route, parts);
  const reply = fault === undefined ? worked : (statusReply(fault) ?? worked);
  const isDropped = fault?.effect.kind === 'drop';
  parts.log(logLine(context, isDropped ? 'dropped' : reply?.status, fault));
  if (reply === undefined || isDropped) {
    drop(context.env.outgoing);
    return RESPONSE_ALREADY_SENT;
  }
  if (fault?.effect.kind === 'cut') {
    sendCut(context.env.outgoing, reply, parts.clock.now());
    return RESPONSE_ALREADY_SENT;
  }
  const response = jsonResponse(reply, parts.clock.now());
  return fault?.effect.kind === 'garbage' ? damaged(response) : response;
}

/** Lets a request wait longer than connections may stay silent. When the sandbox closes, the wait is over. */
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

/** Method, path as it was sent, and what came of it; no query and no headers. */
function logLine({ req }: SandboxContext, outcome: number | string | undefined, fault: Fault | undefined): string {
  const line = `${req.method} ${new URL(req.url).pathname} ${outcome}`;
  return fault === undefined ? line : `${line} (fault ${fault.text})`;
}

/** The answer of a status fault; `undefined` for faults of another kind. */
function statusReply({ effect }: Fault): Reply | undefined {
  if (effect.kind !== 'status') return undefined;
  const { status, error, retryAfterSeconds } = effect;
  return {
    status,
    body: { error: error ?? `This ${status} is a fault that was asked for.` },
    headers: retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) },
  };
}

/** Whether the fault keeps the request from being worked on. */
function comesBeforeWork({ effect }: Fault): boolean {
  return (effect.kind === 'status' || effect.kind === 'drop') && !effect.afterWork;
}

/** Breaks the connection without an answer. */
function drop(outgoing: ServerResponse): void {
  outgoing.socket?.destroy();
}

/** Sends the head of an answer as it should be, half of the body, and then breaks the connection. */
function sendCut(outgoing: ServerResponse, reply: Reply, now: number): void {
  const bytes = Buffer.from(JSON.stringify(reply.body));
  outgoing.writeHead(reply.status, { ...jsonHeaders(reply, now), 'Content-Length': bytes.length });
  outgoing.write(bytes.subarray(0, bytes.length >> 1), () => drop(outgoing));
}

/** The same answer with a body that is not JSON. */
function damaged(response: Response): Response {
  return new Response('{"this is": not JSON\u0000', { status: response.status, headers: response.headers });
}

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
