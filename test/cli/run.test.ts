import { PassThrough, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { runCommand } from '../../src/cli/run.ts';
import type { Context } from '../../src/command/context.ts';
import { defineCommand } from '../../src/command/define.ts';
import type { Result } from '../../src/command/result.ts';
import { CliError } from '../../src/errors.ts';
import { createIo, OutputClosed } from '../../src/terminal/io.ts';
import type { Screen } from '../../src/terminal/screen.ts';

type Said = Pick<Result<null>, 'receipt' | 'done'> & { readonly json?: string };

/** Runs a command with this result; returns its error, and how often it did unguarded work. */
async function perform(
  said: Said,
  human: (screen: Screen) => void,
  stdout: Writable = new PassThrough().resume(),
): Promise<{ error: unknown; unguarded: number }> {
  const command = defineCommand({
    path: 'x',
    summary: 'x',
    effect: 'reads',
    args: {},
    options: {},
    examples: [],
    run: async () => ({ value: null, json: '{}', ...said }),
    human: (screen) => human(screen),
  });
  let unguarded = 0;
  const io = createIo({
    ...{ stdin: new PassThrough(), stdout, stderr: new PassThrough() },
    env: {},
    platform: 'linux',
    unguarded(work) {
      unguarded += 1;
      return work();
    },
  });
  const context = { io, settings: { globals: { json: false }, explain: (error: unknown) => error } };
  const line = { command, texts: new Map(), globals: new Map() };
  const error = await runCommand(line, async () => context as unknown as Context).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { error, unguarded };
}

async function errorOf(said: Said): Promise<unknown> {
  const { error } = await perform(said, () => {
    throw new RangeError('Maximum call stack size exceeded');
  });
  return error;
}

test.each([{ receipt: 'Order ord_1 was placed.' }, { done: 'Order ord_1 was placed.' }])(
  'where an answer cannot be shown, the error says what was done: %j',
  async (said) => {
    const error = await errorOf(said);
    expect(error).toBeInstanceOf(CliError);
    expect(error).toMatchObject({
      code: 'unexpected',
      message: 'Order ord_1 was placed. svc could not show the answer: RangeError: Maximum call stack size exceeded',
    });
    // No hint suggests to repeat the change.
    expect((error as CliError).details.hint).toBeUndefined();
  },
);

test('if nothing was done, the error is passed on unchanged', async () => {
  expect(await errorOf({})).toBeInstanceOf(RangeError);
});

test.each<[what: string, said: Said, times: number]>([
  ['of a read ends on a signal at once', { json: `"${'x'.repeat(300_000)}"` }, 2],
  ['of a write is shown to its end', { json: `"${'x'.repeat(300_000)}"`, done: 'It was done.' }, 0],
  ['that is short needs none of it', {}, 0],
])('an answer %s', async (_what, said, times) => {
  expect(await perform(said, (screen) => screen.line('x'))).toEqual({ error: undefined, unguarded: times });
});

test('a closed stdout is an error if a receipt is lost, but not for a change alone', async () => {
  const errorTo = async (said: Said) => {
    const closed = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('closed'), { code: 'EPIPE' })),
    });
    return (await perform(said, (screen) => screen.line('x'), closed)).error;
  };
  expect(await errorTo({ done: 'It was done.' })).toBeInstanceOf(OutputClosed);
  expect(await errorTo({ receipt: 'Order ord_1 was placed.' })).toMatchObject({
    message: 'Order ord_1 was placed. The output could not be written.',
  });
});
