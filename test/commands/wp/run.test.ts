import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../../sandbox/server.ts';
import { fakeClock } from '../../support/clock.ts';
import { CANARY_TOKEN, type RunOptions, svc } from '../../support/svc.ts';
import { testWire, type Wire } from '../../support/wire.ts';

const PATH = '/v1/services/svc_1/actions';
const JOB = `${PATH}/job_1`;
const WAIT = 'svc wp status job_1 --service svc_1 --wait';
const QUEUED = { jobId: 'job_1', status: 'queued', action: 'backup' };

/** Runs `svc wp run backup` on svc_1 with more arguments, on a clock that never waits. */
async function run(wire: Wire, argv: readonly string[] = [], options: RunOptions = {}) {
  const clock = fakeClock();
  const done = await svc(['wp', 'run', 'backup', '--service', 'svc_1', ...argv], { url: wire.url, clock, ...options });
  return { done, waits: clock.waits };
}

describe('an action', () => {
  test('is queued with its parameters, and the job is shown', async () => {
    const wire = await testWire();
    wire.on('POST', PATH).reply(200, { ...QUEUED, eta: '2m' });
    const { done } = await run(wire, ['--param', 'name=nightly', '--param', 'keep:=3', '--param', 'note=a=b']);
    expect(done).toMatchObject({ exitCode: 0, stderr: '' });
    expect(done.stdout).toMatchInlineSnapshot(`
      "✓ backup is queued.

        Job      job_1
        Service  svc_1

      More
        Eta      2m
      "
    `);
    expect(wire.requests[0]?.body).toBe('{"action":"backup","params":{"name":"nightly","keep":3,"note":"a=b"}}');
    expect(wire.requests[0]?.headers['authorization']).toBe(`Bearer ${CANARY_TOKEN}`);
  });

  test('carries raw JSON as it was typed, and shows it so', async () => {
    const wire = await testWire();
    wire.on('POST', PATH).reply(200, QUEUED);
    const params = ['--param', 'n:=12345678901234567890', '--param', 'f:=1.10'];
    const body = '{"action":"backup","params":{"n":12345678901234567890,"f":1.10}}';
    await run(wire, params);
    expect(wire.requests[0]?.body).toBe(body);
    expect((await run(wire, [...params, '--dry-run', '--json'])).done.stdout).toContain(`"body":${body}}`);
  });

  test('without parameters sends an empty object', async () => {
    const wire = await testWire();
    wire.on('POST', PATH).reply(202, QUEUED);
    await run(wire);
    expect(wire.requests[0]?.json).toEqual({ action: 'backup', params: {} });
  });

  test('with --json prints the bytes of the answer', async () => {
    const wire = await testWire();
    const text = '{"jobId":"job_1","cost":1.50}';
    wire.on('POST', PATH).reply(200, text);
    const { done } = await run(wire, ['--json']);
    expect(done).toMatchObject({ exitCode: 0, stdout: `${text}\n`, stderr: '' });
  });

  test('that failed at once is exit 9, with or without --wait', async () => {
    for (const flags of [[], ['--wait']]) {
      const wire = await testWire();
      wire.on('POST', PATH).reply(200, { ...QUEUED, status: 'FAILED', message: 'disk full' });
      const { done } = await run(wire, flags);
      expect(done).toMatchObject({ exitCode: 9, stderr: 'Error: backup did not succeed: disk full\n' });
    }
  });

  test('that failed without a job was not queued', async () => {
    const wire = await testWire();
    wire.on('POST', PATH).reply(200, { status: 'failed', message: 'no such action' });
    const { done } = await run(wire);
    expect(done).toMatchObject({ exitCode: 9, stderr: 'Error: The platform did not queue backup: no such action\n' });
  });

  test('whose answer says success and not how far the job is was queued, and is waited for', async () => {
    const wire = await testWire();
    wire.on('POST', PATH).always(200, { success: true, jobId: 'job_1' });
    expect((await run(wire)).done).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('✓ backup is queued.'),
    });
    wire.on('GET', JOB).reply(200, { ...QUEUED, status: 'failed' });
    expect((await run(wire, ['--wait'])).done.exitCode).toBe(9);
  });

  test.each([
    { success: false, message: 'no such action', jobId: 'job_1' },
    { error: 'no such action' },
    { success: false, status: 'queued', error: 'no such action' },
  ])(
    'that the platform refuses in its answer (%j) is exit 9, is not waited for and is not called queued',
    async (answer) => {
      for (const flags of [[], ['--wait'], ['--json']]) {
        const wire = await testWire();
        wire.on('POST', PATH).reply(200, answer);
        const { done } = await run(wire, flags);
        expect(done.exitCode).toBe(9);
        expect(done.stdout).not.toContain('✓');
        const words = 'The platform did not queue backup: no such action';
        if (flags[0] === '--json') expect(done.error['error']).toBe(answer.error ?? words);
        else expect(done.stderr).toContain(words);
        expect(wire.requests).toHaveLength(1);
        if (flags[0] !== '--json') continue;
        expect(done.stdout).toBe(`${JSON.stringify(answer)}\n`);
        expect(done.error).toMatchObject({ code: 'failed', ...(answer.jobId && { jobId: 'job_1' }) });
      }
    },
  );

  test.each([
    ['nothing', {}, ''],
    ['a message alone', { message: 'Plugin not found' }, 'Plugin not found'],
    ['an empty job id', { jobId: '' }, ''],
  ])('whose answer says neither yes nor no, with %s, has an unknown outcome', async (_name, answer, words) => {
    for (const flags of [[], ['--wait'], ['--json']]) {
      const wire = await testWire();
      wire.on('POST', PATH).reply(200, answer);
      const { done } = await run(wire, flags);
      expect(done.exitCode).toBe(8);
      expect(done.stdout).not.toContain('✓');
      expect(done.stderr).toContain('The platform does not say whether backup was queued');
      expect(done.stderr, 'to run it again would do it twice').not.toContain('wp run');
      if (flags[0] !== '--json') expect(done.stdout).toContain(words);
      else expect(done).toMatchObject({ json: answer, error: { code: 'unavailable', outcome: 'unknown' } });
      expect(wire.requests).toHaveLength(1);
    }
  });

  test.each([
    ['job', { job: { id: 'job_1', status: 'queued', action: 'backup' }, eta: '2m' }],
    ['data', { status: 'success', data: { jobId: 'job_1', state: 'queued', action: 'backup' }, eta: '2m' }],
    ['data.job', { success: true, data: { job: { id: 'job_1', status: 'queued', action: 'backup' } }, eta: '2m' }],
    ['state', { jobId: 'job_1', state: 'queued', action: 'backup', eta: '2m' }],
  ])('whose answer keeps the job in %s is read there', async (_name, answer) => {
    const wire = await testWire();
    wire.on('POST', PATH).reply(200, answer);
    const { done } = await run(wire);
    expect(done).toMatchObject({ exitCode: 0, stderr: '' });
    const words = ['✓ backup is queued.', 'Job job_1', 'Service svc_1', 'Eta 2m'];
    const shown = done.stdout.replaceAll(/ +/g, ' ').split('\n');
    expect(
      shown.map((line) => line.trim()).filter((line) => line !== '' && line !== 'More' && line !== 'Success yes'),
    ).toEqual([
      ...words.slice(0, 3),
      ...('data' in answer && 'status' in answer ? ['Status success'] : []),
      ...words.slice(3),
    ]);
  });

  test('with a status that svc does not know gets no tick, and a warning', async () => {
    const wire = await testWire();
    wire.on('POST', PATH).always(200, { ...QUEUED, status: 'on ice' });
    const { done } = await run(wire);
    expect(done).toMatchObject({ exitCode: 0, stdout: expect.not.stringContaining('✓') });
    expect(done.stderr).toMatch(
      /^Warning: svc does not know the status "on ice"\. .*SVC_ASSUME=job\.done=\+on_ice\. .*SVC_ASSUME=job\.failed=\+on_ice\n$/,
    );
    const script = (await run(wire, ['--json'])).done;
    expect(script).toMatchObject({ exitCode: 0, json: { status: 'on ice' }, error: { code: 'unknown_status' } });
  });

  test('is reported even if the filter fails on its answer', async () => {
    const wire = await testWire();
    wire.on('POST', PATH).reply(200, QUEUED);
    const { done } = await run(wire, ['--jq', '.x[]']);
    expect(done).toMatchObject({ exitCode: 1, stdout: '' });
    expect(done.error['error']).toMatch(/^backup was accepted\. The --jq filter failed on the answer: /);
  });

  test.each([['other types', { jobId: ['j7'], status: { s: 'x8' }, action: 9 }, 'j7 x8 9']])(
    'with an answer of %s is shown whole',
    async (_name, answer, words) => {
      const wire = await testWire();
      wire.on('POST', PATH).reply(200, answer);
      const { done } = await run(wire);
      expect(done).toMatchObject({ exitCode: 0, stderr: '' });
      for (const word of words.split(' ')) expect(done.stdout).toContain(word);
    },
  );

  test('whose answer is lost is not sent twice, and its outcome is unknown', async () => {
    const wire = await testWire();
    wire.on('POST', PATH).reset();
    const { done } = await run(wire, ['--wait', '--json']);
    expect(done).toMatchObject({ exitCode: 8, stdout: '', error: { code: 'unavailable', outcome: 'unknown' } });
    expect(wire.requests).toHaveLength(1);
  });
});

test.each([
  [['--param', 'a=1', '--param', 'a=2'], 'given twice'],
  [['--param', 'a'], 'key=value'],
  [['--param', '=1'], 'empty key'],
  [['--param', 'a:=nope'], 'JSON'],
  [['--wait-timeout', '0s'], '--wait-timeout'],
  [['--wait-timeout', 'soon'], '--wait-timeout'],
  [['--wait-timeout', '5'], '--wait-timeout "5" has no unit.\n  For example: --wait-timeout 5s '],
  [['--timeout', '5'], '--timeout "5" has no unit.\n  For example: --timeout 5s '],
  [['another'], 'takes one argument'],
])('%j is refused before anything is sent', async (argv, words) => {
  const wire = await testWire();
  const { done } = await run(wire, argv);
  expect(done).toMatchObject({ exitCode: 2, stdout: '' });
  expect(done.stderr.toLowerCase()).toContain(words.toLowerCase());
  expect(wire.requests).toEqual([]);
});

test('--dry-run shows the request, without a sign-in, and sends nothing', async () => {
  const wire = await testWire();
  const { done } = await run(wire, ['--param', 'a=b', '--dry-run', '--json'], { token: null });
  expect(done.exitCode).toBe(0);
  expect(done.json).toMatchObject({
    schemaVersion: 1,
    method: 'POST',
    url: `${wire.url}${PATH}`,
    body: { action: 'backup', params: { a: 'b' } },
  });
  const people = await run(wire, ['--param', 'a=b', '--dry-run']);
  expect(people.done.stdout).toContain('Nothing was sent.');
  expect(people.done.stdout).not.toContain(CANARY_TOKEN);
  expect(wire.requests).toEqual([]);
});

describe('--wait', () => {
  test('asks after 0.3 s and then ever more slowly, until the job is done', async () => {
    const wire = await testWire();
    const job = wire.on('GET', JOB);
    wire.on('POST', PATH).reply(200, QUEUED);
    for (let poll = 0; poll < 6; poll += 1) job.reply(200, { ...QUEUED, status: 'running', progress: poll * 10 });
    job.reply(200, { ...QUEUED, status: 'Succeeded', url: 'https://example.com/b.zip' });
    const { done, waits } = await run(wire, ['--wait']);
    expect(done).toMatchObject({ exitCode: 0, stderr: '' });
    expect(done.stdout).toMatchInlineSnapshot(`
      "✓ backup is done (10s).

        Job      job_1
        Service  svc_1

      More
        URL      https://example.com/b.zip
      "
    `);
    expect(waits).toEqual([300, 450, 675, 1012.5, 1518.75, 2278.125, 3417.1875]);
  });

  test('with --json prints the last answer about the job and nothing else', async () => {
    const wire = await testWire();
    wire.on('POST', PATH).reply(200, QUEUED);
    wire.on('GET', JOB).reply(200, '{"jobId":"job_1","status":"done","seconds":1.20}');
    const { done } = await run(wire, ['--wait', '--json']);
    expect(done).toMatchObject({
      exitCode: 0,
      stdout: '{"jobId":"job_1","status":"done","seconds":1.20}\n',
      stderr: '',
    });
  });

  test('of a job that is done at once asks for nothing', async () => {
    const wire = await testWire();
    wire.on('POST', PATH).reply(200, { ...QUEUED, status: 'completed' });
    const { done, waits } = await run(wire, ['--wait']);
    expect(done.exitCode).toBe(0);
    expect(done.stdout).toContain('✓ backup is done.');
    expect(waits).toEqual([]);
  });

  test.each([
    [{ job: { id: 'job_1', status: 'completed' } }, 0],
    [{ data: { job: { status: 'done' } } }, 0],
    [{ jobId: 'job_1', state: 'completed' }, 0],
    [{ status: 'success', data: { id: 'job_1', state: 'failed', message: 'no space' } }, 9],
  ])('of a job whose answer is %j ends at once with exit code %i', async (answer, exitCode) => {
    const wire = await testWire();
    wire.on('POST', PATH).reply(200, { job: { id: 'job_1', status: 'queued' } });
    wire.on('GET', JOB).reply(200, answer);
    const { done, waits } = await run(wire, ['--wait']);
    expect(done.exitCode).toBe(exitCode);
    if (exitCode === 0) expect(done.stdout).toContain('✓ backup is done (300ms).');
    else expect(done.stderr).toBe('Error: backup did not succeed: no space\n');
    expect(waits).toEqual([300]);
  });

  test('of a job that has data with a status of their own goes by its own', async () => {
    const wire = await testWire();
    wire.on('POST', PATH).reply(200, QUEUED);
    wire.on('GET', JOB).reply(200, { jobId: 'job_1', status: 'running', data: { status: 'done' } });
    wire.on('GET', JOB).reply(200, { jobId: 'job_1', status: 'failed', data: { status: 'done' } });
    const { done, waits } = await run(wire, ['--wait']);
    expect(done.exitCode).toBe(9);
    expect(waits).toHaveLength(2);
  });

  test('of answers without a status says so when its time is up', async () => {
    const wire = await testWire();
    wire.on('POST', PATH).reply(200, QUEUED);
    wire.on('GET', JOB).always(200, { note: 'completed' });
    const { done } = await run(wire, ['--wait-timeout', '5s']);
    expect(done.exitCode).toBe(10);
    expect(done.stderr).toContain('  The answers have no status that svc can read.\n');
  });

  test('of a job that fails is exit 9, its answer still on stdout', async () => {
    const wire = await testWire();
    wire.on('POST', PATH).reply(200, QUEUED);
    wire.on('GET', JOB).reply(200, { jobId: 'job_1', status: 'errored', error: 'no space' });
    const { done } = await run(wire, ['--wait', '--json']);
    expect(done).toMatchObject({
      exitCode: 9,
      json: { status: 'errored' },
      error: { error: 'no space', code: 'failed', exitCode: 9, jobId: 'job_1' },
    });
  });

  test('gives up after ten minutes, with a last look, and says how to look again', async () => {
    const wire = await testWire();
    wire.on('POST', PATH).reply(200, QUEUED);
    wire.on('GET', JOB).always(200, { ...QUEUED, status: 'running' });
    const { done, waits } = await run(wire, ['--wait']);
    expect(done.exitCode).toBe(10);
    expect(done.stderr).toBe(`backup is still running.\nTry: ${WAIT}\n`);
    expect(done.stdout).toMatch(/^! backup is running\.\n/);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBe(600_000);
    expect(wire.requests).toHaveLength(1 + waits.length);
  });

  test('--wait-timeout sets the limit, and implies --wait', async () => {
    const wire = await testWire();
    wire.on('POST', PATH).reply(200, QUEUED);
    wire.on('GET', JOB).always(200, { ...QUEUED, status: 'odd-word' });
    const { done, waits } = await run(wire, ['--wait-timeout', '6s', '--json']);
    expect(done).toMatchObject({
      exitCode: 10,
      json: { status: 'odd-word' },
      error: { code: 'still_running', jobId: 'job_1', hint: WAIT },
    });
    expect(waits).toEqual([300, 450, 675, 1012.5, 1518.75, 2043.75]);
  });

  test('gives the command that shows the job, with the same target flags', async () => {
    const wire = await testWire();
    wire.on('POST', PATH).reply(200, QUEUED);
    wire.on('GET', JOB).always(200, QUEUED);
    const { done } = await run(wire, ['--wait-timeout', '2s', '--json', '--api-url', wire.url, '--org', 'acme']);
    expect(done.error['hint']).toBe(`${WAIT} --api-url ${wire.url} --org acme`);
  });

  test('outlives questions that fail in passing', async () => {
    const wire = await testWire();
    wire.on('POST', PATH).reply(200, QUEUED);
    const job = wire.on('GET', JOB);
    for (let attempt = 0; attempt < 3; attempt += 1) job.reply(502, 'bad gateway');
    job.reset().reply(429, { error: 'slow' }, { 'retry-after': '120' }).reply(200, { status: 'done' });
    const { done, waits } = await run(wire, ['--wait']);
    expect(done).toMatchObject({ exitCode: 0, stderr: '' });
    expect(Math.max(...waits)).toBeGreaterThanOrEqual(120_000);
  });

  test('that only met failures says so when its time is up', async () => {
    const wire = await testWire();
    wire.on('POST', PATH).reply(200, QUEUED);
    wire.on('GET', JOB).always(503, { error: 'maintenance' });
    const { done } = await run(wire, ['--wait-timeout', '10s']);
    expect(done.exitCode).toBe(10);
    expect(done.stderr).toContain('The last check failed');
  });

  test.each([
    [404, { error: 'Not found' }, 'application/json'],
    [405, { error: 'GET is not allowed' }, 'application/json'],
    [200, '<h1>Sign in</h1>', 'text/html'],
  ])(
    'of a path that cannot be read (%i) is exit 10, keeps the answer and names the assumption',
    async (status, body, type) => {
      const wire = await testWire();
      wire.on('POST', PATH).reply(202, QUEUED);
      wire.on('GET', JOB).reply(status, body, { 'content-type': type });
      const { done } = await run(wire, ['--wait', '--json']);
      expect(done).toMatchObject({
        exitCode: 10,
        json: QUEUED,
        error: { code: 'still_running', jobId: 'job_1', status },
      });
      expect(done.error['error']).toContain('backup is queued as job job_1, but svc cannot look at the job.');
      expect(done.error['hint']).toContain('job.path');
    },
  );

  test.each(['skipped', 'Finished-ish', '42'])(
    'of a job with the unknown status %s names the word and how to declare it',
    async (status) => {
      const wire = await testWire();
      wire.on('POST', PATH).reply(200, QUEUED);
      wire.on('GET', JOB).always(200, { ...QUEUED, status });
      const { done } = await run(wire, ['--wait-timeout', '3s']);
      expect(done.exitCode).toBe(10);
      expect(done.stdout).not.toContain('✓');
      expect(done.stderr).toContain(`"${status}"`);
      expect(done.stderr).toContain('SVC_ASSUME=job.done=+');
    },
  );

  test.each(['complete', 'ok', 'SUCCESSFUL'])('of a job that is %s is done', async (status) => {
    const wire = await testWire();
    wire.on('POST', PATH).reply(200, QUEUED);
    wire.on('GET', JOB).reply(200, { ...QUEUED, status });
    expect((await run(wire, ['--wait'])).done.exitCode).toBe(0);
  });

  test.each(['aborted', 'killed', 'timeout', 'dead', 'partial', 'finished_with_errors'])(
    'of a job that is %s is exit 9',
    async (status) => {
      const wire = await testWire();
      wire.on('POST', PATH).reply(200, QUEUED);
      wire.on('GET', JOB).reply(200, { ...QUEUED, status });
      expect((await run(wire, ['--wait'])).done.exitCode).toBe(9);
    },
  );

  test('takes another path and other words from SVC_ASSUME', async () => {
    const wire = await testWire();
    wire.on('POST', PATH).reply(200, QUEUED);
    wire.on('GET', '/v1/jobs/job_1').reply(200, { jobId: 'job_1', status: 'halfway' });
    wire.on('GET', '/v1/jobs/job_1').reply(200, { jobId: 'job_1', status: 'out' });
    const env = { SVC_ASSUME: 'job.path=/v1/jobs/{jobId},job.done=over out' };
    expect((await run(wire, ['--wait'], { env })).done.exitCode).toBe(0);
  });

  test.each([401, 403, 410])(
    'whose job answers %i stays queued: exit 10 with the first answer, and the job is named',
    async (status) => {
      const wire = await testWire();
      wire.on('POST', PATH).reply(200, QUEUED).reply(200, QUEUED);
      wire.on('GET', JOB).reply(status, { error: 'no' }).reply(status, { error: 'no' });
      const { done } = await run(wire, ['--wait', '--json']);
      expect(done).toMatchObject({
        exitCode: 10,
        json: QUEUED,
        error: { code: 'still_running', jobId: 'job_1', status },
      });
      expect((done.error['next'] as string[]).at(-1)).toBe(WAIT);
      const people = await run(wire, ['--wait']);
      expect(people.done.stderr).toContain('backup is queued as job job_1, but svc cannot look at the job');
      expect(people.done.stderr).toContain('Do not run the action again: it would be done twice.');
      expect(people.done.stderr).toMatch(new RegExp(`^Try: .*${WAIT}$`, 'm'));
    },
  );

  test.each([[{ jobId: '..' }], [{ jobId: { id: 1 } }], [{ status: 'queued' }]])(
    'of an answer that names no job (%j) says that it is queued, and does not send anybody to run it again',
    async (answer) => {
      const wire = await testWire();
      wire.on('POST', PATH).reply(200, answer);
      const { done } = await run(wire, ['--wait', '--json']);
      expect(done).toMatchObject({ exitCode: 10, json: answer, error: { code: 'still_running' } });
      expect(done.error['error']).toContain('backup is queued');
      expect(done.error['hint'], 'to run it again would do it twice').not.toContain('wp run');
      expect(done.error['hint']).toMatch(/dashboard.*svc api/);
    },
  );

  test('that is interrupted says that the job still runs', async () => {
    const wire = await testWire();
    wire.on('POST', PATH).reply(200, QUEUED);
    wire.on('GET', JOB).always(200, { ...QUEUED, status: 'running' });
    const clock = fakeClock();
    let send: ((signal: 'SIGINT') => void) | undefined;
    clock.onSleep(() => {
      if (clock.waits.length === 2) send?.('SIGINT');
    });
    const onStart = (start: NonNullable<typeof send>) => {
      send = start;
    };
    const { done } = await run(wire, ['--wait'], { clock, onStart });
    expect(done).toMatchObject({
      exitCode: 130,
      stdout: '',
      stderr: `Stopped waiting. backup is still running as job job_1.\nTry: ${WAIT}\n`,
    });
  });

  test('works against the sandbox, in success and in failure', async () => {
    const sandbox = await startSandbox({ port: 0 });
    try {
      const service = sandbox.listing.services[0]?.id ?? '';
      const options = { url: sandbox.url, token: sandbox.token };
      const ran = await svc(['wp', 'run', 'cache.flush', '--service', service, '--wait', '--json'], options);
      expect(ran).toMatchObject({ exitCode: 0, stderr: '', json: { status: 'completed' } });
      const failed = await svc(['wp', 'run', 'fail', '--service', service, '--wait'], options);
      expect(failed.exitCode).toBe(9);
    } finally {
      await sandbox.close();
    }
  });
});
