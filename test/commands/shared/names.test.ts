import { expect, test } from 'vitest';
import { writeNamesSeen } from '../../support/stored.ts';
import { type RunOptions, svc, temporaryFolder } from '../../support/svc.ts';
import { testWire } from '../../support/wire.ts';

const SERVICE = '/v1/services/svc_1';
const POINT = { timestamp: '2026-03-01T11:59:00Z', cpuPercent: 12 };

const USER = ['GET /v1/user', { user: { email: 'marie@example.com' } }] as const;
const RENEWALS = ['GET /v1/billing/autopay', { enabled: false }] as const;
const HISTORY = [`GET ${SERVICE}/metrics/history`, { points: [POINT] }] as const;
const RESTARTED = [`POST ${SERVICE}/restart`, { success: true }] as const;
const QUEUED = [`POST ${SERVICE}/actions`, { jobId: 'job_1', status: 'queued' }] as const;
const JOB = [`GET ${SERVICE}/actions/job_1`, { jobId: 'job_1', status: 'done' }] as const;
const DEPLOYMENT = [
  `GET ${SERVICE}/deployments/dep_1`,
  { deployment: { id: 'dep_1', serviceId: 'svc_1', status: 'live' } },
] as const;

type Answer = readonly [request: string, answer: object];

/** Runs svc on a machine that has seen a name of a service, and a deployment of it. */
async function run(line: string, answers: readonly Answer[], more: RunOptions = {}) {
  const wire = await testWire();
  const configDir = await temporaryFolder();
  writeNamesSeen(configDir, {
    [wire.url]: {
      services: [{ name: 'svc_1', about: 'kola-blog' }, { name: 'svc_2' }],
      deployments: [{ name: 'dep_1', about: 'svc_1' }],
    },
  });
  for (const [request, answer] of answers) {
    const [method = '', path = ''] = request.split(' ');
    wire.on(method, path).reply(200, answer);
  }
  return svc(line.split(' '), { configDir, url: wire.url, ...more });
}

test.each<[line: string, words: string, ...answers: Answer[]]>([
  ['status -s svc_1', 'Service kola-blog (svc_1)', USER, RENEWALS, HISTORY, DEPLOYMENT],
  ['metrics svc_1', 'Latest usage of kola-blog (svc_1)', HISTORY],
  ['metrics svc_1 --history', 'Usage of kola-blog (svc_1)', HISTORY],
  ['restart svc_1', 'Restarted kola-blog (svc_1).', RESTARTED],
  ['deployments inspect dep_1', 'Deployment dep_1 of kola-blog (svc_1)', DEPLOYMENT],
  ['wp status job_1 -s svc_1', 'job_1 · kola-blog (svc_1)', JOB],
  ['wp run cache.flush -s svc_1', 'job_1 · kola-blog (svc_1)', QUEUED],
])('svc %s names the service as its people do: %s', async (line, words, ...answers) => {
  expect((await run(line, answers)).stdout).toContain(words);
});

test.each<[line: string, choices: RegExp, answer: Answer]>([
  ['metrics', /1[.)] kola-blog \(svc_1\)\s+2[.)] svc_2\n/, HISTORY],
  ['deployments inspect', /1[.)] dep_1 \(kola-blog\)\n/, DEPLOYMENT],
])('whoever picks for svc %s reads names first', async (line, choices, answer) => {
  const terminal = { columns: 100, rows: 30 };
  const typed = { terminal, stdin: '1\n1\n', env: { ACCESSIBLE: '1' } };
  expect((await run(line, [answer], typed)).shown).toMatch(choices);
});
