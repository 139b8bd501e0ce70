// The platform that is measured against, in a process of its own: a small answer, and a large one that is either ready
// beforehand or written while it is sent.

import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { portOf } from '../port.mjs';

const POINTS = 1_000_000;
const POINTS_AT_A_TIME = 1_000;
const FIRST_MS = Date.UTC(2026, 0, 1);

const user = JSON.stringify({
  user: { id: 'usr_1', email: 'amina@example.com', name: 'Amina' },
  organization: { id: 'org_1', slug: 'kola', name: 'Kola' },
  organizations: [{ id: 'org_1', slug: 'kola', name: 'Kola' }],
  authMethod: 'api_token',
  token: { id: 'tok_1', name: 'bench', expiresAt: '2026-06-01T00:00:00Z' },
});

/** The pieces of an answer with a million points, 103 MB in all. */
function* pieces() {
  for (let first = 0; first < POINTS; first += POINTS_AT_A_TIME) {
    const points = Array.from({ length: POINTS_AT_A_TIME }, (_, index) => point(first + index));
    yield Buffer.from(`${first === 0 ? '{"points":[' : ','}${points.join(',')}`);
  }
  yield Buffer.from(']}');
}

const ready = [...pieces()];

const WEEK_MS = 7 * 86_400_000;

/** A week until now, a point every two hours, as svc asks for it. */
function week() {
  const start = Date.now() - WEEK_MS;
  const points = Array.from({ length: 84 }, (_, index) => ({
    time: new Date(start + (index + 1) * 7_200_000).toISOString(),
    cpuPercent: 50 + 40 * Math.sin(index),
    memoryBytes: 400_000_000 + index * 1_000,
    requests: 1_000 + index,
    responseTimeMs: 100 + (index % 50),
  }));
  return Buffer.from(JSON.stringify({ points }));
}

/** @param {number} index */
function point(index) {
  const time = new Date(FIRST_MS + index * 1000).toISOString();
  const cpu = (50 + 40 * Math.sin(index / 5_000)).toFixed(4).padStart(7, '1');
  const memory = 400_000_000 + (index % 100_000) * 1_000;
  return `{"time":"${time}","cpuPercent":${cpu},"memoryBytes":${memory},"requestsPerMin":${1_000 + (index % 9_000)}}`;
}

/** @param {string} url */
function answerTo(url) {
  if (url.endsWith('/restart')) return ['{"success":true}'];
  if (!url.includes('/metrics/')) return [user];
  if (url.startsWith('/week/')) return [week()];
  return url.startsWith('/ready/') ? ready : pieces();
}

/** From a request about a job to its answer, and from queueing it to its end. */
const [JOB_ANSWER_MS, JOB_MS] = [20, 250];

/** @type {Map<string, number>} */
const queuedAt = new Map();

/**
 * Queues a job, or says how far it is.
 * @param {import('node:http').IncomingMessage} request
 */
async function job({ method, url = '' }) {
  await setTimeout(JOB_ANSWER_MS);
  const [, , , service = '', , id = `job_${service}_${queuedAt.size}`] = url.split('/');
  if (method === 'POST') queuedAt.set(id, Date.now());
  const status = Date.now() - (queuedAt.get(id) ?? 0) >= JOB_MS ? 'completed' : 'running';
  return JSON.stringify({ jobId: id, status, action: 'backup' });
}

const server = createServer(async (request, response) => {
  response.setHeader('content-type', 'application/json');
  const url = request.url ?? '';
  const pieces = url.includes('/actions') ? [await job(request)] : answerTo(url);
  for (const piece of pieces) {
    if (!response.write(piece)) await once(response, 'drain');
  }
  response.end();
});
server.listen(0, '127.0.0.1', () => process.send?.(portOf(server)));
process.on('disconnect', () => process.exit());
