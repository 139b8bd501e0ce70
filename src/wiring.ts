import { tmpdir } from 'node:os';
import { type Context, chooseService, confirmOrStop, needSomebody } from './command/context.ts';
import { type Globals, readGlobals } from './command/globals.ts';
import { createSettings, type Settings } from './command/settings.ts';
import { createSignIns } from './command/sign-ins.ts';
import { explainMissing, explainUnauthenticated } from './command/unauthenticated.ts';
import type { Client } from './http/call.ts';
import { createClient } from './http/client.ts';
import { createDirectSend } from './http/direct.ts';
import { readProxies } from './http/proxy.ts';
import type { Redactor } from './http/redact.ts';
import type { Send } from './http/send.ts';
import type { createIo } from './io/io.ts';
import { jsonStream, stringifyDocument } from './io/json-text.ts';
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
  const closers: Array<() => Promise<void>> = [];
  let terminalIsLent = false;

  const make = async (flags: Readonly<Record<string, unknown>>): Promise<Context> => {
    const globals = readGlobals(flags, world.env);
    io.configure(globals);
    const folder = () => configDir(world.env, world.machine.platform, world.home);
    const signIns = createSignIns(() => placeOf(world, folder()), io.warn);
    closers.push(() => (signal.aborted ? Promise.resolve() : signIns.settle()));
    const settings = createSettings({
      globals,
      env: world.env,
      cwd: world.cwd,
      configFolder: () => folderOrNone(world, folder),
      readCredentials: () => (folderOrNone(world, folder) ? signIns.read() : { current: undefined, credentials: [] }),
    });
    const freshSend = once(async () => {
      const { createUndiciSend } = await import('./http/undici.ts');
      const engine = createUndiciSend({ proxyFor: readProxies(world.env), reset: true });
      closers.push(engine.close);
      return engine.send;
    });
    const patientSend = once(async () => {
      const { createUndiciSend } = await import('./http/undici.ts');
      const engine = createUndiciSend({ proxyFor: readProxies(world.env) });
      closers.push(engine.close);
      return engine.send;
    });
    const directSend = createDirectSend({ proxyFor: readProxies(world.env) });
    const client = once(() => makeClient(world, io, globals, settings, redactor, signal, directSend));
    const patientClient = once(async () =>
      makeClient(world, io, globals, settings, redactor, signal, await patientSend(), { deadlinePerCall: true }),
    );
    return {
      io,
      env: world.env,
      cwd: world.cwd,
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
      stream: globals.json && globals.jq === undefined ? jsonStream(io.out, { indent: io.out.isTty }) : undefined,
      assume: (name) => assumeFrom(settings.assumptions())(name),
      client: async () => client(),
      patientClient,
      clientFor: async (credential, address = settings.apiUrl()) => {
        const own = { ...settings, credential: () => credential, apiUrl: () => address, org: () => undefined };
        return makeClient(world, io, globals, own, redactor, signal, directSend);
      },
      send: freshSend,
      userAgent: userAgentOf(world),
      hurry,
      storedSignIns: signIns.read,
      store: signIns.store,
      configFolder: folder,
      service: (given) => chooseService(given, settings),
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
        if (globals.json) await io.out.write(`${stringifyDocument(object)}\n`);
      },
      openBrowser: (url) => openPage(world, io, url),
    };
  };

  return {
    make,
    terminalIsLent: () => terminalIsLent,
    close: async () => {
      await Promise.allSettled(closers.map((close) => close()));
    },
  };
}

function makeClient(
  world: World,
  io: ReturnType<typeof createIo>,
  globals: Globals,
  settings: Settings,
  redactor: Redactor,
  signal: AbortSignal,
  send: Send,
  more: { readonly deadlinePerCall?: boolean } = {},
): Client {
  const credential = settings.credential();
  redactor.add(credential?.token);
  return createClient({
    baseUrl: settings.apiUrl().value,
    send,
    credential,
    org: settings.org()?.value,
    userAgent: userAgentOf(world),
    clock: world.clock,
    random: world.random,
    ...more,
    retry: globals.retry,
    deadlineMs: globals.timeoutSeconds * 1000,
    allowHttp: settings.allowHttp,
    signal,
    redactor,
    debug: globals.debug ? (line: string) => void io.err.write(`${redactor.redact(line)}\n`) : undefined,
    explain401: () => explainUnauthenticated(settings, world.clock.now()),
    explainMissing: () => explainMissing(settings),
  });
}

function userAgentOf({ version, nodeVersion, machine }: World): string {
  return `svc/${version} node/${nodeVersion} ${machine.platform}`;
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
