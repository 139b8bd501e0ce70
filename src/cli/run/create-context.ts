import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { redactIn } from '../../api/redact.ts';
import { type Clock, createRunClock } from '../../clock.ts';
import { createAssume } from '../../contract/assumptions.ts';
import { listSignInVariables } from '../../environment.ts';
import { CliError, cancelledError, getErrorCode, tryOr, usageError } from '../../errors.ts';
import { once } from '../../once.ts';
import { repeatLine } from '../../shell-line.ts';
import { CREDENTIALS, readCredentials } from '../../sign-in/credentials.ts';
import { resolveConfigFolder } from '../../store/location.ts';
import { checkTrusted } from '../../store/machine.ts';
import { describeSystemError } from '../../store/problem.ts';
import { drawScreen } from '../../terminal/draw.ts';
import type { Io } from '../../terminal/io.ts';
import { stringifyDocument } from '../../terminal/safe-text.ts';
import type { World } from '../../world.ts';
import {
  type CommandIo,
  type Context,
  type KeptFiles,
  type Needs,
  needsYesError,
  proposeRepeats,
  type Started,
} from '../define/context.ts';
import { getCachedNames, saveNames } from '../define/name-cache.ts';
import { NameNotes } from '../define/name-notes.ts';
import { classifyNext } from '../define/next-kind.ts';
import { AGENTS_SPEND } from '../settings/config-file.ts';
import { type Globals, readGlobals } from '../settings/globals.ts';
import { createSettings, type Settings } from '../settings/settings.ts';
import type { NameKind, Texts } from '../values/parameters.ts';
import { createClients } from './clients.ts';

/** Reads the global options; the rest is made at its first use. */
export function createContext(run: Started, texts: Texts): Context {
  const { world, io, signal, forceQuitSignal, main } = run;
  const { env, random, argv: line, home, machine } = world;
  const { runtime, version, built, commit, packageFolder } = world;
  const globals = readGlobals(texts, env);
  const clock = createRunClock(world.clock, signal, globals.timeoutSeconds * 1000);
  const files = createStore(run, globals, clock);
  const { store } = files;
  const settings = readSettings(run, globals, files);

  io.configure({
    ...globals,
    bell: () => tryOr(() => settings.choice('bell')?.value, undefined) !== 'off',
  });
  const context: Context = {
    api: createClients({ ...run, globals, settings, store }),
    assume: (name) => createAssume(settings.assumptions())(name),
    io: createCommandIo(run, { globals, settings, line }),
    globals,
    settings,
    store,
    time: { clock, signal, forceQuitSignal, random },
    env,
    line,
    program: {
      home: env['HOME'] || home,
      platform: machine.platform,
      runtime,
      version,
      built,
      commit,
      packageFolder,
      cwd: () => getCurrentFolder(world),
      runInside: async (call) => (await import('./in-process.ts')).runInside(main, world, call),
    },
  };
  run.closers.push(() => saveNames(context));
  return context;
}

/** Settings that no stronger source has are looked up in the files, if there is a folder for them. */
function readSettings(
  { world, io, environmentToken }: Started,
  globals: Globals,
  { store, settingsFolder }: ReturnType<typeof createStore>,
): Settings {
  const { env, cwd, machine, defaultApiUrl, argv: line } = world;
  const getNames = (kind: NameKind): readonly string[] =>
    getCachedNames({ settings, store }, kind).map(({ name }) => name);
  const settings = createSettings({
    globals,
    env,
    cwd,
    machine,
    defaultApiUrl,
    environmentToken,
    configFolder: settingsFolder,
    readCredentials: () => (hasConfigFolder(world) ? store.signIns() : CREDENTIALS.empty),
    warn: (text, code) => void io.warn(text, code),
    withServices: () => {
      const ways = getNames('services').map((name) => ['--service', name]);
      const lines = proposeRepeats({ io, line }, ...ways);
      return classifyNext(lines) === 'look' ? lines : [];
    },
    organizations: () => getNames('organizations'),
  });
  return settings;
}

/** `signIns` also lets what a killed login left be merged in the end. */
function createStore(
  { world, io, redactor, signal, closers }: Started,
  globals: Globals,
  clock: Clock,
) {
  const { machine } = world;
  const configFolder = once(() => getConfigFolder(world));
  const settingsFolder = once(() => {
    try {
      if (hasConfigFolder(world)) return configFolder();
    } catch (error) {
      if (!(error instanceof CliError) || !needsNoConfigFolder(world, globals)) throw error;
      const goesOn = 'svc goes on without it, as the token and the address are given.';
      void io.warn(`${error.message} ${goesOn}`, 'store');
    }
    return undefined;
  });
  const place = () => ({ folder: configFolder(), machine, clock });
  const warnings = new Map<string, Promise<void>>();
  let isUnmerged = false;
  closers.push(async () => {
    if (signal.aborted) return;
    await Promise.all(warnings.values());
    if (!isUnmerged) return;
    const { openCredentials } = await import('../../sign-in/store.ts');
    await openCredentials(place()).settle();
  });
  const store: KeptFiles = {
    machine,
    readSignIns() {
      const stored = readCredentials(place());
      for (const { token } of stored.credentials) redactor.add(token);
      return stored;
    },
    signIns() {
      const stored = store.readSignIns();
      for (const text of stored.warnings)
        if (!warnings.has(text)) warnings.set(text, io.warn(text, 'store'));
      isUnmerged ||= stored.unmerged > 0;
      return stored;
    },
    signInPlace() {
      tryOr(store.signIns, undefined);
      return place();
    },
    configFolder,
    names: new NameNotes(),
  };
  return { store, settingsFolder };
}

function createCommandIo(run: Started, parts: Needs<'globals' | 'settings' | 'line'>): CommandIo {
  const { world, io, redactor, signal } = run;
  const { json, jq } = parts.globals;
  const filter = once(async () =>
    (await import('../../terminal/jq.ts')).compileFilter(jq ?? '.', io, world.env),
  );
  const own: Omit<CommandIo, keyof Io> = {
    redactor,
    ...createConsent(io, parts),
    async show(fill) {
      if (!json) await io.out.write(await drawScreen(fill, io.view(io.out)));
    },
    async emit(event) {
      if (!json) return;
      const text = `${stringifyDocument(redactIn(event, redactor.conceal))}\n`;
      if (jq === undefined) return io.out.write(text, 'json');
      await io.out.write(await (await filter())(text), 'raw');
    },
    pipe: () => ({ input: world.stdin, output: world.stdout }),
    async readFile(source, name, maxBytes) {
      if (source === '-') return io.readInput(maxBytes);
      const { readNamedFile } = await import('../../store/named-file.ts');
      return readNamedFile(resolve(getCurrentFolder(world), source), name, maxBytes, signal);
    },
    async readText(source, name, maxBytes) {
      const bytes = await own.readFile(source, name, maxBytes);
      const { decodeUserText } = await import('../../store/named-file.ts');
      return decodeUserText(bytes, source === '-' ? 'Standard input' : source);
    },
    async lendTerminal(work) {
      run.isTerminalLent = true;
      return work().finally(() => {
        run.isTerminalLent = false;
      });
    },
    openBrowser: (page, failure) => openPage(run, page, failure),
  };
  // A copy would read the getters of the streams.
  return Object.assign(io, own);
}

async function openPage(
  { world: { env, machine, clock }, io }: Started,
  page: string | URL,
  failure = 'Could not open a browser. Use the link above.',
): Promise<boolean> {
  const { openInBrowser, parseSafeUrl, shouldOpenBrowser } = await import(
    '../../sign-in/browser.ts'
  );
  const url = typeof page === 'string' ? parseSafeUrl(page) : page;
  const { stdinIsTty, json } = io;
  const situation = { ...machine, env, stdinIsTty, stderrIsTty: io.err.isTty, json };
  if (!url || !shouldOpenBrowser(situation)) return false;
  openInBrowser(url, { ...machine, clock, env }, () => void io.note(failure));
  return true;
}

function getCurrentFolder({ cwd }: World): string {
  if (cwd !== undefined) return cwd;
  throw usageError('The current folder was removed.', { say: 'Go to another:', run: ['cd'] });
}

interface ConsentParts {
  readonly globals: Pick<Globals, 'yes'>;
  readonly settings: Pick<Settings, 'choice'>;
  readonly line: readonly string[];
}

/** Asks before money is spent or DNS is moved. */
export function createConsent(
  io: Io,
  { globals, settings, line }: ConsentParts,
): Pick<CommandIo, 'requireInteractive' | 'confirmOrStop'> {
  const { host } = io;
  const requireInteractive: CommandIo['requireInteractive'] = async (service) => {
    const typed = repeatLine(line, ...(service === undefined ? [] : ['--service', service]));
    if (host?.confirm) return;
    if (host) throw needsPersonError('this program cannot ask one', [typed]);
    if (io.agent !== undefined && settings.choice(AGENTS_SPEND)?.value !== 'allow') {
      const allow = `svc config set ${AGENTS_SPEND} allow`;
      throw needsPersonError(`${io.agent} says that an agent typed this`, [typed, allow]);
    }
    if (!globals.yes && !io.interactive) throw needsYesError({ io, line });
  };
  return {
    requireInteractive,
    async confirmOrStop(question, details, { word = true } = {}) {
      await requireInteractive();
      if (!host && globals.yes) return;
      const text = details ? await drawScreen(details, io.view(io.err)) : '';
      if (!host && text !== '') await io.err.write(text);
      const isConfirmed = await (host?.confirm?.(question, text) ?? io.confirm(question, { word }));
      if (!isConfirmed) throw cancelledError('usage');
    },
  };
}

function needsPersonError(why: string, run: readonly string[]) {
  const orAllow = run.length > 1 ? ', or allow it to agents' : '';
  return usageError(`Only a person may spend money or move DNS, and ${why}.`, {
    say: `Nothing was sent. A person can run the command on a terminal${orAllow}:`,
    run,
    by: 'person',
  });
}

/**
 * Returns the folder of sign-ins and settings.
 * @throws CliError `usage` without a home folder, if svc cannot look at the folder, or if others may
 * have written there
 */
function getConfigFolder({ env, machine, home }: World): string {
  const folder = resolveConfigFolder(env, machine.platform, home);
  checkTrusted(folder, 'The configuration folder', machine);
  try {
    // It may be behind a loop of links, on a dead network drive and the like.
    statSync(folder, { throwIfNoEntry: false });
  } catch (error) {
    if (['EACCES', 'EPERM', 'ENOTDIR'].includes(getErrorCode(error))) return folder;
    throw usageError(
      `The configuration folder ${folder} cannot be used: ${describeSystemError(error)}.`,
      'Set SVC_CONFIG_DIR to another folder.',
    );
  }
  return folder;
}

/** Whether the line and the environment say where to send a request, and with which token. */
function needsNoConfigFolder({ env }: World, { apiUrl, profile }: Globals): boolean {
  const hasAddress = apiUrl !== undefined || Boolean(env['SVC_API_URL']?.trim());
  const hasProfile = profile !== undefined || Boolean(env['SVC_PROFILE']?.trim());
  return hasAddress && !hasProfile && listSignInVariables(env).length > 0;
}

/** {@link getConfigFolder} refuses an unusable SVC_CONFIG_DIR. */
function hasConfigFolder({ env, machine, home }: World): boolean {
  return tryOr(
    () => resolveConfigFolder(env, machine.platform, home) !== '',
    Boolean(env['SVC_CONFIG_DIR']),
  );
}
