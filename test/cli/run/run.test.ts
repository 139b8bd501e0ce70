import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Context } from '../../../src/cli/define/context.ts';
import { defineCommand, type Result } from '../../../src/cli/define/define.ts';
import { runCommand } from '../../../src/cli/run/run.ts';
import { CliError } from '../../../src/errors.ts';
import { createIo } from '../../../src/terminal/io.ts';
import { OutputClosed } from '../../../src/terminal/output.ts';
import type { Screen } from '../../../src/terminal/screen.ts';
import { IO_DEFAULTS } from '../../support/io.ts';
import { written } from '../../support/written.ts';

type Said = Pick<
  Result<null>,
  'onDelivered' | 'doneSentence' | 'createdIds' | 'warnings' | 'failure'
> & {
  readonly json?: string;
};

const line = (screen: Screen) => screen.line('x');

/** Runs a command with this result; returns its error, and how often it left signals to the system. */
async function perform(
  said: Said,
  human: (screen: Screen) => void,
  stdout = new Writable(),
  json = false,
) {
  const literal = defineCommand({
    ...{ summary: 'x', effect: 'reads', args: {}, options: {}, examples: [] },
    run: async () => ({ value: null, json: '{}', ...said }),
    human: (screen) => human(screen),
  });
  let withDefaultSignals = 0;
  const stderr = new PassThrough();
  const io = createIo({
    ...IO_DEFAULTS,
    ...{ stdin: new PassThrough(), stdout, stderr, env: {}, platform: 'linux' },
    withDefaultSignals(work) {
      withDefaultSignals += 1;
      return work();
    },
  });
  const context = { io, globals: { json }, settings: { explain: (error: unknown) => error } };
  io.configure({ json, quiet: false, noInput: false, yes: false, noColor: false });
  const nothing = {
    texts: new Map(),
    globals: new Map(),
    missing: new Map(),
    items: undefined,
    values: undefined,
  };
  const error = await runCommand(
    { command: { path: 'x', ...literal }, tree: [], ...nothing },
    () => context as unknown as Context,
    async () => 0,
  ).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { error, withDefaultSignals, stderr: written(stderr) };
}

const taking = (error?: Error) => new Writable({ write: (_chunk, _encoding, done) => done(error) });

test('where an answer cannot be shown, the error says what was done, and names what was made', async () => {
  const human = () => {
    throw new RangeError('too deep');
  };
  const createdIds = { orderId: 'ord_1', idempotencyKey: 'k', jobId: 'job_1' };
  const { error } = await perform({ doneSentence: 'Order ord_1 was placed.', createdIds }, human);
  const message = expect.stringContaining('Order ord_1 was placed.');
  // No hint suggests to repeat the change.
  expect(error).toMatchObject({ code: 'unexpected', exitCode: 1, message, details: createdIds });
  expect((error as CliError).details).not.toHaveProperty('hint');
  expect((await perform({}, human)).error).toBeInstanceOf(RangeError);
});

const LONG = { json: `"${'x'.repeat(300_000)}"` };
test('an answer of a read ends on a signal at once, and that of a write is shown to its end', async () => {
  expect(await perform(LONG, line, taking())).toMatchObject({
    error: undefined,
    withDefaultSignals: 2,
  });
  expect(await perform({ ...LONG, doneSentence: 'It was done.' }, line, taking())).toMatchObject({
    withDefaultSignals: 0,
  });
});

const DONE = { doneSentence: 'Order ord_1 was placed.', createdIds: { orderId: 'ord_1' } };
const FAILURE = new CliError('failed', 'It failed.');
const CUT = expect.objectContaining({
  exitCode: 129,
  details: expect.objectContaining(DONE.createdIds),
});

test.each<
  [what: string, said: Said, isTTY: boolean, code: string, error: unknown, delivered: number]
>([
  ['pipe has been read as far as was wanted', DONE, false, 'EPIPE', expect.any(OutputClosed), 1],
  ['pipe keeps the failure', { ...DONE, failure: FAILURE }, false, 'EPIPE', FAILURE, 1],
  ['terminal has not been read: the error says what was done', DONE, true, 'EIO', CUT, 0],
  ['terminal has nothing to say if nothing was done', {}, true, 'EIO', expect.any(OutputClosed), 0],
])('a closed %s', async (_what, said, isTTY, code, error, times) => {
  let delivered = 0;
  const count = async () => {
    delivered += 1;
  };
  const stdout = Object.assign(taking(Object.assign(new Error('closed'), { code })), { isTTY });
  const run = await perform({ ...said, onDelivered: count }, line, stdout);
  expect([run.error, delivered]).toEqual([error, times]);
});

test('what a result warns of reaches people and scripts, also if it failed or cannot be printed', async () => {
  const warned: Said = {
    warnings: [{ text: ['Only ', { text: '2', tone: 'strong' }, ' of 3.'], code: 'partly' }],
  };
  for (const said of [warned, { ...warned, failure: FAILURE }]) {
    for (const stdout of [taking(), taking(new Error('full'))]) {
      expect((await perform(said, line, stdout)).stderr).toBe('Warning: Only 2 of 3.\n');
    }
    const { stderr } = await perform(said, line, taking(new Error('full')), true);
    expect(stderr).toBe('{"warning":"Only 2 of 3.","code":"partly"}\n');
  }
});
