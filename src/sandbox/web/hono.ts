import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';

/** The router, with Node's own view of each request. */
export type SandboxApp = Hono<{ Bindings: HttpBindings }>;
/** One request, as the router hands it over. */
export type SandboxContext = Context<{ Bindings: HttpBindings }>;
