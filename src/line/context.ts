import { resolve } from 'node:path';
import { usageError } from '../errors.ts';
import { againWith, createServiceChoice } from '../kit/ask.ts';
import type { CommandIo, Context, System, Vault } from '../kit/context.ts';
import { type Globals, sameLine } from '../kit/globals.ts';
import { namesSeen } from '../kit/known.ts';
import type { Settings } from '../kit/settings.ts';
import { once } from '../once.ts';
import type { Answer, Call, Client } from '../service/call.ts';
import { hideIn, type Redactor } from '../service/redact.ts';
import { assumeFrom } from '../spec/assumptions.ts';
import { changesSomething } from '../spec/operations.ts';
import { drawScreen } from '../terminal/draw.ts';
import type { Io } from '../terminal/io.ts';
import { stringifyDocument } from '../terminal/json-text.ts';
import type { World } from '../world.ts';
import type { Clients } from './clients.ts';
import type { SignIns } from './sign-ins.ts';

interface ContextParts
  extends Pick<System, 'clock' | 'signal' | 'hurry' | 'runInside'>,
    Pick<CommandIo, 'redactor' | 'lendTerminal' | 'page'>,
    Pick<Vault, 'folder'> {
  readonly world: World;
  readonly io: Io;
  readonly globals: Globals;
  readonly settings: Settings;
  readonly clients: Clients;
  readonly signIns: SignIns;
}

/** Makes the context that commands get. */
export function createContext(parts: ContextParts): Context {
  const { io, globals, settings, clients, signIns } = parts;
  const system = createSystem(parts);
  const { linkNotice, ...choice } = createServiceChoice(settings, () => {
    return againWith(context, ...namesSeen(context, 'services').map(({ name }) => ['--service', name]));
  });
  const sayLink = once(async () => {
    const notice = globals.yes || !io.interactive ? linkNotice() : undefined;
    if (notice !== undefined) await io.note(notice);
  });
  const context: Context = {
    io: createCommandIo(parts, system),
    api: {
      assume: (name) => assumeFrom(settings.assumptions())(name),
      client: async () => beforeChanges(sayLink, await clients.client()),
      pollingClient: async () => beforeChanges(sayLink, await clients.pollingClient()),
      async gatedClients(options) {
        const make = await clients.gatedClients(options);
        return (own) => beforeChanges(sayLink, make(own));
      },
      clientFor: clients.clientFor,
      send: clients.send,
      userAgent: clients.userAgent,
    },
    vault: { signIns: signIns.read, store: signIns.store, folder: parts.folder },
    settings: { ...settings, ...choice, globals },
    system,
  };
  return context;
}

/** Wraps a client so that `act` runs before each request that changes something. */
function beforeChanges(act: () => Promise<void>, client: Client): Client {
  return {
    ...client,
    async call<T>(call: Call): Promise<Answer<T>> {
      if (changesSomething(call.operation)) await act();
      return client.call<T>(call);
    },
  };
}

function createSystem({ world, clock, signal, hurry, runInside }: ContextParts): System {
  return {
    env: world.env,
    get cwd() {
      if (world.cwd !== undefined) return world.cwd;
      throw usageError('The current folder was removed.', { say: 'Go to a folder that exists:', run: ['cd'] });
    },
    machine: world.machine,
    platform: world.machine.platform,
    hostname: world.machine.hostname,
    home: world.env['HOME'] || world.home,
    clock,
    random: world.random,
    signal,
    hurry,
    version: world.version,
    built: world.built,
    runtime: world.runtime,
    again: (...words) => sameLine(world.argv, words),
    packageFolder: world.packageFolder,
    runInside,
  };
}

function createCommandIo(parts: ContextParts, system: System): CommandIo {
  const { world, io, globals, settings, redactor, lendTerminal, page } = parts;
  const consent = async () => {
    const { createConsent } = await import('./consent.ts');
    return createConsent({ io, system, globals, settings });
  };
  return Object.assign(io, {
    redactor,
    requireInteractive: async () => (await consent()).requireInteractive(),
    confirmOrStop: async (...asked: Parameters<CommandIo['confirmOrStop']>) =>
      (await consent()).confirmOrStop(...asked),
    pipe: () => ({ input: world.stdin, output: world.stdout }),
    readFile: async (source: string, name: string, maxBytes: number) =>
      source === '-' ? io.readInput(maxBytes) : readNamedFile(system, source, name, maxBytes),
    lendTerminal,
    page: globals.pager ? page : io.out.write,
    ...createOutputs(io, globals, redactor),
    openBrowser: (page: string | URL, failure?: string) => openPage(world, io, page, failure),
  });
}

async function readNamedFile({ cwd, signal }: System, source: string, name: string, maxBytes: number): Promise<Buffer> {
  const { readUpTo } = await import('../vault/named-file.ts');
  const path = resolve(cwd, source);
  const bytes = await readUpTo(path, maxBytes, signal).catch(async (error: unknown) => {
    const { explain } = await import('../vault/problem.ts');
    const why = `${name}: ${path} cannot be read: ${explain(error)}.`;
    throw usageError(why, `Use ${name} <file>, or - for standard input.`);
  });
  if (bytes === undefined) throw usageError(`${name}: ${path} holds more than ${maxBytes} bytes.`);
  return bytes;
}

/** For commands that print before they end. */
function createOutputs(io: Io, globals: Globals, redactor: Redactor): Pick<CommandIo, 'show' | 'emit'> {
  const filter = once(async () => {
    const { compileFilter } = await import('../terminal/jq.ts');
    return compileFilter(globals.jq ?? '.', io);
  });
  return {
    async show(fill) {
      if (!globals.json) await io.out.write(await drawScreen(fill, io.view(io.out)));
    },
    async emit(object) {
      if (!globals.json) return;
      const text = `${stringifyDocument(hideIn(object, redactor.conceal))}\n`;
      await (globals.jq === undefined ? io.out.write(text, 'json') : io.out.write(await (await filter())(text), 'raw'));
    },
  };
}

async function openPage(
  { env, machine, clock }: World,
  io: Io,
  page: string | URL,
  failure = 'Could not open a browser. Use the link above.',
): Promise<boolean> {
  const { openInBrowser, safeWebUrl, shouldOpenBrowser } = await import('../login/browser.ts');
  const url = typeof page === 'string' ? safeWebUrl(page) : page;
  const { platform, uid } = machine;
  const situation = { env, platform, uid, stdinIsTty: io.stdinIsTty, stderrIsTty: io.err.isTty, json: io.json };
  if (url === undefined || !shouldOpenBrowser(situation)) return false;
  openInBrowser(url, clock, () => void io.note(failure));
  return true;
}
