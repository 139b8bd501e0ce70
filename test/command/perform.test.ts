import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Context } from '../../src/command/context.ts';
import type { CommandSpec } from '../../src/command/declaration.ts';
import { createPerform } from '../../src/command/perform.ts';
import { CliError } from '../../src/errors.ts';
import { createIo } from '../../src/io/io.ts';

/** Runs a command whose result cannot be shown, and answers the error that it ends with. */
async function errorOf(said: { readonly receipt?: string; readonly done?: string }): Promise<unknown> {
  const spec: Pick<CommandSpec<object, null>, 'run' | 'human'> = {
    run: async () => ({ value: null, json: '{}', ...said }),
    human() {
      throw new RangeError('Maximum call stack size exceeded');
    },
  };
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const io = createIo({ ...streams, env: {}, platform: 'linux' });
  const context = { io, globals: { json: false }, explained: (error: unknown) => error };
  const perform = createPerform(
    async () => context as unknown as Context,
    () => {},
  );
  return perform(spec as CommandSpec<object, null>, {}, {}).catch((error: unknown) => error);
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
    // Nobody is told to do it again.
    expect((error as CliError).details.hint).toBeUndefined();
  },
);

test('where nothing was done, the error is the problem itself', async () => {
  expect(await errorOf({})).toBeInstanceOf(RangeError);
});
