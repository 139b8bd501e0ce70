import { CliError, usageError } from '../errors.ts';
import type { Io } from '../io/io.ts';
import { createScreen, type Screen } from '../io/screen.ts';
import type { Globals } from './globals.ts';

/** Throws a usage error where a confirmation is neither given nor can be asked for; see `Context.needSomebody`. */
export function needSomebody(io: Io, globals: Globals): void {
  if (globals.yes || io.interactive) return;
  throw usageError(
    'This needs a confirmation, but svc cannot ask for one here. Nothing was sent.',
    'the same command with --yes',
  );
}

/** Asks for a confirmation, default No; see `Context.confirm`. */
export async function confirmOrStop(
  io: Io,
  globals: Globals,
  question: string,
  details?: (screen: Screen) => void,
): Promise<void> {
  if (globals.yes) return;
  needSomebody(io, globals);
  if (details !== undefined) {
    const { render } = await import('../io/render.ts');
    const screen = createScreen();
    details(screen);
    await io.err.write(await render(screen.blocks, io.view(io.err)));
  }
  if (!(await io.confirm(question))) throw new CliError('usage', 'Not confirmed. Nothing was changed.');
}
