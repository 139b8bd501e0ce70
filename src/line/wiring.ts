import { clockOfRun } from '../clock.ts';
import type { CommandIo, Context, System } from '../kit/context.ts';
import { readGlobals } from '../kit/globals.ts';
import type { Texts } from '../kit/read-values.ts';
import type { Settings } from '../kit/setting.ts';
import { createSettings } from '../kit/settings.ts';
import { once } from '../once.ts';
import type { Redactor } from '../service/redact.ts';
import { readEnvironmentToken } from '../sign-in/token.ts';
import { configDir } from '../store/location.ts';
import { checkTrusted } from '../store/trust.ts';
import type { createIo } from '../terminal/io.ts';
import type { World } from '../world.ts';
import { createClients } from './clients.ts';
import { createContext } from './context.ts';
import type { Main } from './inside.ts';
import { createSignIns } from './sign-ins.ts';

/** Makes the context of a run, and ends what it began. */
export interface ContextMaker {
  make(globals: Texts): Promise<Context>;
  /** Whether another program has the terminal now, and with it Ctrl-C. */
  terminalIsLent(): boolean;
  close(): Promise<void>;
}

/** Wires the real parts into a context, each made at its first use. */
export function createContextMaker(
  world: World,
  io: ReturnType<typeof createIo>,
  redactor: Redactor,
  signal: AbortSignal,
  hurry: AbortSignal,
  main: Main,
): ContextMaker {
  const environmentToken = once(() => readEnvironmentToken(world.env, world.cwd));
  hideTokens(world, environmentToken, redactor);
  const closers: Array<() => Promise<void>> = [];
  let terminalIsLent = false;

  const lendTerminal: CommandIo['lendTerminal'] = async (work) => {
    terminalIsLent = true;
    return work().finally(() => {
      terminalIsLent = false;
    });
  };

  const make = async (texts: Texts): Promise<Context> => {
    const globals = readGlobals(texts, world.env);
    const folder = once(() => trustedFolder(world));
    const clock = clockOfRun(world.clock, signal, globals.timeoutSeconds * 1000);
    const signIns = createSignIns(() => ({ folder: folder(), machine: world.machine, clock }), io.warn, redactor.add);
    closers.push(() => (signal.aborted ? Promise.resolve() : signIns.settle()));
    const warn = (text: string, code: string) => void io.warn(text, code);
    const settings = createSettings({ globals, environmentToken, warn, ...sourcesOf(world, folder, signIns) });
    io.configure({ ...globals, bell: () => wantsBell(settings) });
    const clients = createClients({ world, io, globals, settings, redactor, signal, stored: signIns.peek, folder });
    closers.push(clients.close);
    const inside: System['runInside'] = async (call) => {
      const { runInside } = await import('./inside.ts');
      return runInside(main, world, call);
    };
    const run = { world, io, redactor, signal, hurry, clock, runInside: inside };
    return createContext({ ...run, globals, settings, clients, signIns, folder, lendTerminal });
  };

  return {
    make,
    terminalIsLent: () => terminalIsLent,
    close: async () => void (await Promise.allSettled(closers.map((close) => close()))),
  };
}

/** What the settings are read from beside the flags. */
function sourcesOf(world: World, folder: () => string, signIns: ReturnType<typeof createSignIns>) {
  const { env, cwd, machine, defaultApiUrl } = world;
  return {
    ...{ env, cwd, machine, defaultApiUrl },
    configFolder: () => (hasFolder(world) ? folder() : undefined),
    readCredentials: () => (hasFolder(world) ? signIns.read() : { current: undefined, credentials: [] }),
  };
}

/** Redacts the tokens of the environment: an answer may repeat them even if no request carried them. */
function hideTokens({ env }: World, environmentToken: () => { token: string } | undefined, redactor: Redactor): void {
  for (const name of ['SVC_TOKEN', 'SVC_SESSION_TOKEN']) redactor.add(env[name]?.trim());
  try {
    redactor.add(environmentToken()?.token);
  } catch {
    // Reported when a command needs the token.
  }
}

function wantsBell(settings: Pick<Settings, 'choice'>): boolean {
  try {
    return settings.choice('bell')?.value !== 'off';
  } catch {
    // The command reports a damaged configuration when it needs it.
    return true;
  }
}

/** Throws a usage error without a home folder, and if others may have written the configuration folder. */
function trustedFolder({ env, machine, home }: World): string {
  const folder = configDir(env, machine.platform, home);
  checkTrusted(folder, 'The configuration folder', machine);
  return folder;
}

/** Returns false without a home folder; an unusable SVC_CONFIG_DIR is an error of {@link trustedFolder} instead. */
function hasFolder({ env, machine, home }: World): boolean {
  try {
    configDir(env, machine.platform, home);
    return true;
  } catch {
    return Boolean(env['SVC_CONFIG_DIR']);
  }
}
