import { fakeClock } from './clock.ts';
import { type RunOptions, svc } from './svc.ts';
import { testWire } from './wire.ts';
import type { WireHeaders } from './wire-plan.ts';

/**
 * One answer: a body with status 200, a status with a body and headers, or a connection that
 * breaks.
 */
export type Answer =
  | object
  | string
  | 'reset'
  | readonly [status: number, body?: object | string, headers?: WireHeaders];

/**
 * What a platform answers: for each `METHOD /path` its answers in order. A GET repeats its last
 * one.
 */
export type Answers = Readonly<Record<string, readonly Answer[]>>;

/**
 * Runs a command line against a platform that gives these answers, under a clock that stands still.
 * Every planned answer must be asked for, and nothing else. Returns what reached the platform, too,
 * and the waits in ms.
 * @param line the words after `svc`, with spaces between them; a list if a word has spaces itself
 */
export async function against(
  line: string | readonly string[],
  answers: Answers,
  options: RunOptions = {},
) {
  const wire = await testWire();
  const clock = fakeClock();
  for (const [request, list] of Object.entries(answers)) {
    const [method = '', path = ''] = request.split(' ');
    const plan = wire.on(method, path);
    for (const [index, answer] of list.entries()) {
      const [status, body, headers] = Array.isArray(answer) ? answer : [200, answer];
      if (answer === 'reset') plan.reset();
      else if (method === 'GET' && index === list.length - 1) plan.always(status, body, headers);
      else plan.reply(status, body, headers);
    }
  }
  const words = typeof line === 'string' ? line.split(' ').filter(Boolean) : line;
  const run = await svc(words, { url: wire.url, clock, ...options });
  return Object.assign(run, { sent: wire.requests, waits: clock.waits });
}
