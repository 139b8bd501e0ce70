import { tmpdir } from 'node:os';
import { createClients } from './clients.ts';
import { type Clock, clockOfRun } from './clock.ts';
import type { Context } from './command/context.ts';
import { readGlobals } from './command/globals.ts';
import { createSettings } from './command/settings.ts';
import { createSignIns } from './command/sign-ins.ts';
import type { Redactor } from './http/redact.ts';
import type { createIo } from './io/io.ts';
import { configDir, stateDir } from './login/credentials/location.ts';
import type { Place } from './login/credentials/read.ts';
import { createContext } from './run-context.ts';
import type { World } from './world.ts';

/** Makes the context of the command that was typed, and ends what it opened. */
export interface ContextMaker {
  make(flags: Readonly<Record<string, unknown>>): Promise<Context>;
  /** Whether another program has the terminal, and with it Ctrl-C. */
  terminalIsLent(): boolean;
  /** Says what a person should know soon, once the command has succeeded. */
  remind(): Promise<void>;
  close(): Promise<void>;
}

/** Wires the real parts into a context; each is made when a command first asks for it. */
export function createContextMaker(
  world: World,
  io: ReturnType<typeof createIo>,
  redactor: Redactor,
  signal: AbortSignal,
  hurry: AbortSignal,
): ContextMaker {
  // Also where no request carries them, an answer may repeat them.
  for (const name of ['SVC_TOKEN', 'SVC_SESSION_TOKEN']) redactor.add(world.env[name]?.trim());
  const closers: Array<() => Promise<void>> = [];
  let terminalIsLent = false;
  let remind = async (): Promise<void> => undefined;

  const make = async (flags: Readonly<Record<string, unknown>>): Promise<Context> => {
    const globals = readGlobals(flags, world.env);
    io.configure(globals);
    const folder = () => configDir(world.env, world.machine.platform, world.home);
    const clock = clockOfRun(world.clock, signal, globals.timeoutSeconds * 1000);
    const signIns = createSignIns(() => placeOf(world, clock, folder()), io.warn, redactor.add);
    closers.push(() => (signal.aborted ? Promise.resolve() : signIns.settle()));
    const settings = createSettings({
      globals,
      env: world.env,
      cwd: world.cwd,
      configFolder: () => folderOrNone(world, folder),
      readCredentials: () => (folderOrNone(world, folder) ? signIns.read() : { current: undefined, credentials: [] }),
    });
    const clients = createClients({ world, io, globals, settings, redactor, signal });
    closers.push(clients.close);
    const lendTerminal: Context['lendTerminal'] = async (work) => {
      terminalIsLent = true;
      return await work().finally(() => {
        terminalIsLent = false;
      });
    };
    const parts = {
      world,
      clock,
      io,
      redactor,
      signal,
      hurry,
      globals,
      settings,
      clients,
      signIns,
      configFolder: folder,
    };
    const context = createContext({ ...parts, lendTerminal });
    remind = async () => {
      if (!clients.areUsed() || !io.err.isTty) return;
      const { remindOfExpiry } = await import('./command/remind-of-expiry.ts');
      await remindOfExpiry(context);
    };
    return context;
  };

  return {
    make,
    terminalIsLent: () => terminalIsLent,
    remind: () => remind(),
    close: async () => {
      await Promise.allSettled(closers.map((close) => close()));
    },
  };
}

/** Where the sign-ins are kept. */
function placeOf({ env, machine, home }: World, clock: Clock, folder: string): Place {
  return { folder, stateDir: stateDir(env, machine.platform, home), tempDir: tmpdir(), machine, clock };
}

/** Without any home there is no folder; only a folder that was asked for and cannot be is an error. */
function folderOrNone({ env }: World, folder: () => string): string | undefined {
  try {
    return folder();
  } catch (error) {
    if (env['SVC_CONFIG_DIR']) throw error;
    return undefined;
  }
}
