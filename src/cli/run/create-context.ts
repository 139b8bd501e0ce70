import { resolve } from 'node:path';
import { hideIn } from '../../api/redact.ts';
import { clockOfRun } from '../../clock.ts';
import { assumeFrom } from '../../contract/assumptions.ts';
import { cancelled, usageError } from '../../errors.ts';
import { once, tryRead } from '../../once.ts';
import { readCredentials } from '../../sign-in/credentials.ts';
import { CREDENTIALS } from '../../sign-in/record.ts';
import type { StoredCredentials } from '../../sign-in/types.ts';
import { configDir } from '../../store/location.ts';
import { checkTrusted } from '../../store/trust.ts';
import { drawScreen } from '../../terminal/draw.ts';
import { stringifyDocument } from '../../terminal/safe-text.ts';
import type { Io } from '../../terminal/terminal.ts';
import type { World } from '../../world.ts';
import { againWith, needsYes } from '../define/ask.ts';
import type { CommandIo, Context } from '../define/context.ts';
import { namesSeen } from '../define/known.ts';
import { AGENTS_SPEND } from '../settings/config-file.ts';
import { readGlobals, sameLine, sameTarget } from '../settings/globals.ts';
import type { Settings } from '../settings/setting.ts';
import { createSettings } from '../settings/settings.ts';
import type { NameKind } from '../values/parameters.ts';
import type { Texts } from '../values/read-values.ts';
import { createClients } from './clients.ts';
import type { Started } from './start.ts';

/** Reads the global options; the rest is made at its first use. */
export function createContext(run: Started, texts: Texts): Context {
  const { world, io, signal, hurry, environmentToken } = run;
  const {
    env,
    cwd,
    machine,
    random,
    runtime,
    version,
    built,
    commit,
    packageFolder,
    defaultApiUrl,
  } = world;
  const globals = readGlobals(texts, env);
  const clock = clockOfRun(world.clock, signal, globals.timeoutSeconds * 1000);
  const folder = once(() => trustedFolder(world));
  const place = () => ({ folder: folder(), machine, clock });
  const { stored, signIns } = createSignIns(run, place);
  const namesOf = (kind: NameKind) => namesSeen(context, kind).map(({ name }) => name);
  const settings = createSettings({
    ...{ globals, env, cwd, machine, defaultApiUrl, environmentToken },
    configFolder: () => (hasFolder(world) ? folder() : undefined),
    readCredentials: () => (hasFolder(world) ? signIns() : CREDENTIALS.empty),
    warn: (text, code) => void io.warn(text, code),
    withServices: () =>
      againWith(context, ...namesOf('services').map((name) => ['--service', name])),
    organizations: () => namesOf('organizations'),
  });
  io.configure({
    ...globals,
    bell: () => tryRead(() => settings.choice('bell')?.value, undefined) !== 'off',
  });
  const again: Context['again'] = (...words) => sameLine(world.argv, words);
  const context: Context = {
    io: createCommandIo(run, settings, again),
    settings,
    ...createClients({ ...run, settings, stored, folder }),
    assume: (name) => assumeFrom(settings.assumptions())(name),
    signIns,
    signInPlace() {
      tryRead(signIns, undefined);
      return place();
    },
    configFolder: folder,
    home: env['HOME'] || world.home,
    ...{
      env,
      machine,
      random,
      runtime,
      version,
      built,
      commit,
      packageFolder,
      clock,
      signal,
      hurry,
      again,
    },
    lineWith: (word, by) => sameLine(world.argv.map((one) => (one === word ? by : one))),
    sameTarget: (...words) => sameTarget(words, globals),
    platform: machine.platform,
    cwd: () => folderOf(world),
    runInside: async (call) => (await import('./in-process.ts')).runInside(run.main, world, call),
  };
  return context;
}

/** `signIns` warns of each problem, and lets what a killed login left be merged in the end. */
function createSignIns({ io, redactor, signal, closers }: Started, place: Context['signInPlace']) {
  const warnings = new Map<string, Promise<void>>();
  let isUnmerged = false;
  closers.push(async () => {
    if (signal.aborted) return;
    await Promise.all(warnings.values());
    if (!isUnmerged) return;
    const { openCredentials } = await import('../../sign-in/store.ts');
    await openCredentials(place()).settle();
  });
  const stored = (): StoredCredentials => {
    const found = readCredentials(place());
    for (const { token } of found.credentials) redactor.add(token);
    return found;
  };
  const signIns = (): StoredCredentials => {
    const found = stored();
    for (const text of found.warnings)
      if (!warnings.has(text)) warnings.set(text, io.warn(text, 'store'));
    isUnmerged ||= found.unmerged > 0;
    return found;
  };
  return { stored, signIns };
}

function createCommandIo(run: Started, settings: Settings, again: Context['again']): CommandIo {
  const { world, io, redactor, signal } = run;
  const { json, jq } = settings.globals;
  const filter = once(async () =>
    (await import('../../terminal/jq.ts')).compileFilter(jq ?? '.', io),
  );
  // A copy would read the getters of the streams.
  return Object.assign(io, {
    redactor,
    ...createConsent(io, settings, again),
    async show(...[fill]: Parameters<CommandIo['show']>) {
      if (!json) await io.out.write(await drawScreen(fill, io.view(io.out)));
    },
    async emit(...[event]: Parameters<CommandIo['emit']>) {
      if (!json) return;
      const text = `${stringifyDocument(hideIn(event, redactor.conceal))}\n`;
      await (jq === undefined
        ? io.out.write(text, 'json')
        : io.out.write(await (await filter())(text), 'raw'));
    },
    pipe: () => ({ input: world.stdin, output: world.stdout }),
    async readFile(source: string, name: string, maxBytes: number) {
      if (source === '-') return io.readInput(maxBytes);
      const { readNamed } = await import('../../store/named-file.ts');
      return readNamed(resolve(folderOf(world), source), name, maxBytes, signal);
    },
    async lendTerminal<T>(work: () => Promise<T>) {
      run.isTerminalLent = true;
      return work().finally(() => {
        run.isTerminalLent = false;
      });
    },
    openBrowser: (page: string | URL, failure?: string) => openPage(run, page, failure),
  });
}

/** For what spends money or moves DNS. */
export function createConsent(
  io: Io,
  settings: Pick<Settings, 'globals' | 'choice'>,
  again: Context['again'],
): Pick<CommandIo, 'requireInteractive' | 'confirmOrStop'> {
  const { host } = io;
  const requireInteractive = async () => {
    if (host !== undefined) {
      if (host.confirm === undefined) throw needsPerson('this program cannot ask one', [again()]);
      return;
    }
    if (io.agent !== undefined && settings.choice(AGENTS_SPEND)?.value !== 'allow') {
      const allow = `svc config set ${AGENTS_SPEND} allow`;
      throw needsPerson(`${io.agent} says that an agent typed this`, [again(), allow]);
    }
    if (!settings.globals.yes && !io.interactive) throw needsYes({ io, again });
  };
  return {
    requireInteractive,
    async confirmOrStop(question, details, { word = true } = {}) {
      await requireInteractive();
      if (host === undefined && settings.globals.yes) return;
      const text = details === undefined ? '' : await drawScreen(details, io.view(io.err));
      if (host === undefined && text !== '') await io.err.write(text);
      const isConfirmed = await (host?.confirm?.(question, text) ?? io.confirm(question, { word }));
      if (!isConfirmed) throw cancelled('usage');
    },
  };
}

function needsPerson(why: string, run: readonly string[]) {
  return usageError(`Only a person may spend money or move DNS, and ${why}.`, {
    say: `Nothing was sent. A person can run the command on a terminal${run.length > 1 ? ', or allow it to agents' : ''}:`,
    run,
    by: 'person',
  });
}

async function openPage(
  { world: { env, machine, clock }, io }: Started,
  page: string | URL,
  failure = 'Could not open a browser. Use the link above.',
): Promise<boolean> {
  const { openInBrowser, safeWebUrl, shouldOpenBrowser } = await import('../../sign-in/browser.ts');
  const { platform, uid } = machine;
  const url = typeof page === 'string' ? safeWebUrl(page) : page;
  const situation = {
    env,
    platform,
    uid,
    stdinIsTty: io.stdinIsTty,
    stderrIsTty: io.err.isTty,
    json: io.json,
  };
  if (url === undefined || !shouldOpenBrowser(situation)) return false;
  openInBrowser(url, clock, () => void io.note(failure));
  return true;
}

function folderOf({ cwd }: World): string {
  if (cwd !== undefined) return cwd;
  throw usageError('The current folder was removed.', { say: 'Go to another:', run: ['cd'] });
}

/** Throws a usage error without a home folder, and if others may have written there. */
function trustedFolder({ env, machine, home }: World): string {
  const folder = configDir(env, machine.platform, home);
  checkTrusted(folder, 'The configuration folder', machine);
  return folder;
}

/** {@link trustedFolder} refuses an unusable SVC_CONFIG_DIR. */
function hasFolder({ env, machine, home }: World): boolean {
  return tryRead(
    () => configDir(env, machine.platform, home) !== '',
    Boolean(env['SVC_CONFIG_DIR']),
  );
}
