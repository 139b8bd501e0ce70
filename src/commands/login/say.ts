import type { Context } from '../../command/context.ts';
import { OutputClosed } from '../../terminal/io.ts';
import { drawScreen, type Screen } from '../../terminal/screen.ts';

/** Shows something on stderr, since stdout is for events; nothing with `--json`. A closed terminal does not end the login. */
export async function say({ io, settings: { globals } }: Context, fill: (screen: Screen) => void): Promise<void> {
  if (!globals.json) await io.err.write(await drawScreen(fill, io.view(io.err))).catch(() => undefined);
}

/** Tells scripts what people see on the screen. */
export async function warnScripts({ io }: Context, warnings: readonly string[]): Promise<void> {
  for (const warning of io.json ? warnings : []) await io.warn(warning, 'login_doubtful');
}

/** Prints an event with `--json`. A reader that closed its end of the pipe does not end the login. */
export async function emitEvent(context: Context, event: object): Promise<void> {
  try {
    await context.io.emit(event);
  } catch (error) {
    if (!(error instanceof OutputClosed)) throw error;
  }
}
