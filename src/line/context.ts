import { resolve } from 'node:path';
import { usageError } from '../errors.ts';
import { againWith, createServiceChoice } from '../kit/ask.ts';
import type { CommandIo, Context, System, Vault } from '../kit/context.ts';
import { type Globals, sameLine } from '../kit/globals.ts';
import { namesSeen } from '../kit/known.ts';
import type { Settings } from '../kit/setting.ts';
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
import type { Recording } from './record-change.ts';
import type { SignIns } from './sign-ins.ts';

interface ContextParts
  extends Pick<System, 'clock' | 'signal' | 'hurry' | 'runInside'>,
    Pick<CommandIo, 'redactor' | 'lendTerminal'>,
    Pick<Vault, 'folder'> {
  readonly world: World;
  readonly io: Io;
  readonly globals: Globals;
  readonly settings: Settings;
  readonly clients: Clients;
  readonly signIns: SignIns;
}

/** Makes the context that commands get. */
export function createContext(given: ContextParts): Context {
  const { io, globals, settings, clients, signIns } = given;
  let hasWarned = false;
  const parts = {
    ...given,
    warnUnkept(why: string) {
      if (!hasWarned) void io.warn(`svc changes will not show what this command did: ${why}.`, 'change_not_kept');
      hasWarned = true;
    },
  };
  const system = createSystem(parts);
  const { linkNotice, ...choice } = createServiceChoice(
    settings,
    () => againWith(context, ...namesSeen(context, 'services').map(({ name }) => ['--service', name])),
    () => namesSeen(context, 'organizations').map(({ name }) => name),
  );
  const sayLink = once(async () => {
    const notice = globals.yes || !io.interactive ? linkNotice() : undefined;
    if (notice !== undefined) await io.note(notice);
  });
  const context: Context = {
    io: createCommandIo(parts, system),
    api: {
      assume: (name) => assumeFrom(settings.assumptions())(name),
      client: async () => aroundChanges(await clients.client(), parts, sayLink),
      pollingClient: async () => aroundChanges(await clients.pollingClient(), parts, sayLink),
      async gatedClients(options) {
        const make = await clients.gatedClients(options);
        const org = options.org ?? settings.org();
        const own = { ...parts, settings: { ...settings, org: () => org } };
        return (gated) => aroundChanges(make(gated), own, sayLink);
      },
      clientFor: async (...given) => {
        const own = { ...parts, settings: { ...settings, org: () => undefined } };
        return aroundChanges(await clients.clientFor(...given), own);
      },
      send: clients.send,
      userAgent: clients.userAgent,
    },
    vault: { signIns: signIns.read, store: signIns.store, folder: parts.folder },
    settings: { ...settings, ...choice, globals },
    system,
  };
  return context;
}

/** Runs `before` ahead of each request that changes something, which the history of changes keeps. */
function aroundChanges(client: Client, recording: Recording, before?: () => Promise<void>): Client {
  return {
    ...client,
    async call<T>(call: Call): Promise<Answer<T>> {
      if (!changesSomething(call.operation)) return client.call<T>(call);
      const { sendChange } = await import('./record-change.ts');
      await before?.();
      return sendChange<T>(client, call, recording);
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
    commit: world.commit,
    runtime: world.runtime,
    again: (...words) => sameLine(world.argv, words),
    packageFolder: world.packageFolder,
    runInside,
  };
}

function createCommandIo(parts: ContextParts, system: System): CommandIo {
  const { world, io, globals, settings, redactor, lendTerminal } = parts;
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
    async readFile(source: string, name: string, maxBytes: number) {
      if (source === '-') return io.readInput(maxBytes);
      const { readNamed } = await import('../store/named-file.ts');
      return readNamed(resolve(system.cwd, source), name, maxBytes, system.signal);
    },
    lendTerminal,
    ...createOutputs(io, globals, redactor),
    async openBrowser(page: string | URL, failure?: string) {
      const { openPage } = await import('./open-page.ts');
      return openPage(world, io, page, failure);
    },
  });
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
