import { expect, test } from 'vitest';
import { svc, temporaryFolder } from '../support/svc.ts';
import { resetConnection, send } from '../support/wire-plan.ts';
import { testService } from '../trust/service.ts';
import { idsOf } from './counting-service.ts';

/** A platform that takes so many changes and then answers 401, and what operation 11 then says. */
async function platform({ taken, user }: { readonly taken: number; readonly user: number }) {
  const service = await testService();
  const seen = { changes: 0, users: 0 };
  service.expect(({ request, response }) => {
    if (request.path.endsWith('/user')) {
      seen.users += 1;
      return send(response, user, user === 200 ? { user: { email: 'a@b.example' } } : {});
    }
    seen.changes += 1;
    const isTaken = seen.changes <= taken;
    return send(response, isTaken ? 200 : 401, isTaken ? { success: true } : { error: 'no' });
  });
  const cwd = await temporaryFolder();
  const run = (flags: string) =>
    svc(`restart --services - --yes --json --concurrency 1 ${flags}`.trim().split(' '), {
      url: service.url,
      cwd,
      stdin: idsOf(20).join('\n'),
    });
  const runIds = (flags: string) =>
    svc(`restart s0 s1 s2 --yes --json --concurrency 1 ${flags}`.trim().split(' '), {
      url: service.url,
      cwd,
    });
  return { seen, run, runIds, url: service.url, requests: service.requests };
}

test('a token that is refused in the middle of a list stops it, and says which one it was', async () => {
  const { seen, run } = await platform({ taken: 5, user: 401 });

  const { exitCode, error } = await run('');

  expect(exitCode).toBe(4);
  expect(seen).toEqual({ changes: 6, users: 1 });
  expect(error).toMatchObject({
    code: 'unauthenticated',
    status: 401,
    nextKind: 'sign_in',
    summary: { total: 20, done: 5, failed: 1, left: 14 },
  });
  expect(error['error']).toContain('SVC_TOKEN');
});

test('a token that is dead from the start costs two requests, and the last item changes nothing of that', async () => {
  const { seen, runIds } = await platform({ taken: 2, user: 401 });

  const { exitCode, error } = await runIds('');

  expect(exitCode).toBe(4);
  expect(seen).toEqual({ changes: 3, users: 1 });
  expect(error).toMatchObject({ nextKind: 'sign_in', summary: { done: 2, failed: 1, left: 0 } });
});

test.each([
  ['with a log', 1, '--log run.nd', true],
  ['if nothing was done', 0, '', true],
  ['not without a log: it would restart again', 1, '', false],
])('after signing in the same line follows, %s', async (_when, taken, flags, isRepeated) => {
  const { runIds } = await platform({ taken, user: 401 });

  const { error } = await runIds(flags);

  const [signIn, ...lines] = error['next'] as readonly string[];
  expect(signIn).toContain('svc login');
  const line = `svc restart s0 s1 s2 --yes --json --concurrency 1 ${flags}`.trim();
  expect(lines).toEqual(isRepeated ? [line] : []);
});

test('after signing in the same line does not follow if a service may have been restarted already', async () => {
  const service = await testService();
  service.expect(({ request, response, socket }) => {
    if (request.path.endsWith('/s0/restart')) return resetConnection(socket);
    return send(response, 401, { error: 'no' });
  });

  const line = 'restart s0 s1 s2 --yes --json --concurrency 1';
  const { exitCode, error } = await svc(line.split(' '), { url: service.url });

  expect(exitCode).toBe(4);
  expect(error).toMatchObject({ outcome: 'unknown', summary: { failed: 2, inDoubt: 1, left: 1 } });
  expect(error['next']).toEqual([expect.stringContaining('svc login')]);
});

test('a 401 of one service, while the token is good, is the failure of that service', async () => {
  const { seen, runIds } = await platform({ taken: 1, user: 200 });

  const { exitCode, stdout, error } = await runIds('');

  expect(exitCode).toBe(11);
  expect(seen).toEqual({ changes: 3, users: 1 });
  expect(stdout).not.toContain('svc login');
  expect(error['summary']).toMatchObject({ done: 1, failed: 2, left: 0 });
  expect(error).not.toHaveProperty('nextKind', 'sign_in');
});

test('people read that the token itself is accepted', async () => {
  const { url } = await platform({ taken: 0, user: 200 });

  const { exitCode, stdout } = await svc('restart s0 s1 --yes'.split(' '), { url });

  expect(exitCode).toBe(4);
  expect(stdout).toContain('The platform accepts the token, but answered … for …');
});

test('where operation 11 cannot be asked, the run goes on, and the next 401 asks again', async () => {
  const { seen, runIds } = await platform({ taken: 1, user: 503 });

  const { error } = await runIds('--no-retry');

  expect(seen).toEqual({ changes: 3, users: 2 });
  expect(error['summary']).toMatchObject({ done: 1, failed: 2, left: 0 });
});

test('operation 11 is asked with the token and the organization of the item', async () => {
  const { runIds, requests } = await platform({ taken: 1, user: 200 });

  await runIds('--org acme');

  const asked = requests.find(({ path }) => path.endsWith('/user'));
  expect(asked?.headers['x-service-org']).toBe('acme');
  expect(asked?.headers['authorization']).toMatch(/^Bearer /);
});

test('the organization of the item is asked whether it takes the token', async () => {
  const service = await testService();
  const asked: unknown[] = [];
  service.expect(({ request, response }) => {
    if (!request.path.endsWith('/user')) return send(response, 401, { error: 'no' });
    asked.push(request.headers['x-service-org']);
    return send(response, 200, { user: { email: 'a@b.example' } });
  });

  await svc('restart --services - --yes --json'.split(' '), {
    url: service.url,
    stdin: '{"service":"s1","org":"acme"}',
  });

  expect(asked).toEqual(['acme']);
});

test('a list on standard input is gone: only the way to sign in is proposed, and not the line', async () => {
  const { run } = await platform({ taken: 0, user: 401 });

  const { error } = await run('');

  expect(error['next']).toEqual([expect.stringContaining('svc login')]);
});
