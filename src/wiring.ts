import { tmpdir } from 'node:os';
import { createClients } from './clients.ts';
import { confirmOrStop, needSomebody } from './command/confirm.ts';
import type { Context } from './command/context.ts';
import { readGlobals } from './command/globals.ts';
import { createServiceChoice } from './command/service-choice.ts';
import { createSettings } from './command/settings.ts';
import { createSignIns } from './command/sign-ins.ts';
import { usageError } from './errors.ts';
import type { AnswerStream } from './http/call.ts';
import { hideIn, type Redactor } from './http/redact.ts';
import type { createIo, Sink } from './io/io.ts';
import { stringifyDocument } from './io/json-text.ts';
import { createScreen } from './io/screen.ts';
import { configDir, stateDir } from './login/credentials/location.ts';
import type { Place } from './login/credentials/read.ts';
import { safeWebUrl } from './login/web-url.ts';
import { once } from './once.ts';
import { assumeFrom } from './spec/assumptions.ts';
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
    const signIns = createSignIns(() => placeOf(world, folder()), io.warn, redactor.add);
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
    const filter = once(async () => {
      const { compileFilter } = await import('./io/jq.ts');
      return compileFilter(globals.jq ?? '.', io);
    });
    const context: Context = {
      io,
      env: world.env,
      get cwd() {
        if (world.cwd !== undefined) return world.cwd;
        throw usageError('The current folder was removed.', 'cd to another folder, then the same command');
      },
      machine: world.machine,
      platform: world.machine.platform,
      hostname: world.machine.hostname,
      clock: world.clock,
      random: world.random,
      signal,
      globals,
      settings,
      version: world.version,
      nodeVersion: world.nodeVersion,
      self: world.self,
      packageFolder: world.packageFolder,
      home: world.env['HOME'] || world.home,
      redactor,
      stream: globals.json && globals.jq === undefined ? streamOf(io.out) : undefined,
      assume: (name) => assumeFrom(settings.assumptions())(name),
      client: clients.client,
      patientClient: clients.patientClient,
      clientFor: clients.clientFor,
      send: clients.send,
      userAgent: clients.userAgent,
      hurry,
      storedSignIns: signIns.read,
      store: signIns.store,
      configFolder: folder,
      ...createServiceChoice(settings),
      needSomebody: () => needSomebody(io, globals),
      confirm: (question, details) => confirmOrStop(io, globals, question, details),
      async lendTerminal(work) {
        terminalIsLent = true;
        return await work().finally(() => {
          terminalIsLent = false;
        });
      },
      async show(fill) {
        if (globals.json) return;
        const screen = createScreen();
        fill(screen);
        const { render } = await import('./io/render.ts');
        await io.out.write(await render(screen.blocks, io.view(io.out)));
      },
      async emit(object) {
        if (!globals.json) return;
        const text = `${stringifyDocument(hideIn(object, redactor.conceal))}\n`;
        await io.out.write(globals.jq === undefined ? text : await (await filter())(text));
      },
      openBrowser: (url) => openPage(world, io, url),
    };
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

/** Takes large answers; what checks them is loaded when the first bytes of one come. */
function streamOf(sink: Sink): AnswerStream {
  const stream = once(async () => {
    const { jsonStream } = await import('./io/json-stream.ts');
    return jsonStream(sink, { indent: sink.isTty });
  });
  return {
    write: async (chunk) => (await stream()).write(chunk),
    end: async () => (await stream()).end(),
  };
}

/** Where the sign-ins are kept. */
function placeOf({ env, machine, home, clock }: World, folder: string): Place {
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

/** Opens a page where somebody sits in front of a screen; says so when that fails. Answers whether it tried. */
async function openPage(world: World, io: ReturnType<typeof createIo>, address: string): Promise<boolean> {
  const { openInBrowser, shouldOpenBrowser } = await import('./login/browser.ts');
  const url = safeWebUrl(address);
  const { env, machine, clock } = world;
  const { stdinIsTty, json } = io;
  const situation = { env, platform: machine.platform, uid: machine.uid, stdinIsTty, stderrIsTty: io.err.isTty, json };
  if (url === undefined || !shouldOpenBrowser({ ...situation, noBrowser: false })) return false;
  openInBrowser(url, clock, () => void io.note('Could not open a browser. Use the link above.'));
  return true;
}
