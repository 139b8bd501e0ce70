import { SIGN_IN_VARIABLES } from '../environment.ts';
import { readProxies } from '../http/proxy.ts';
import type { Send } from '../http/send.ts';
import { createSingleSend } from '../http/single.ts';
import type { CommandSettings, Context } from '../kit/context.ts';
import type { ChosenCredential, Setting } from '../kit/setting.ts';
import { explainMissing, explainUnauthenticated } from '../kit/unauthenticated.ts';
import { once } from '../once.ts';
import type { Answer, Call, Client } from '../service/call.ts';
import { type ClientOptions, createClient, type ShownCall } from '../service/client.ts';
import { isAt } from '../sign-in/record.ts';
import type { CredentialRecord, Credentials } from '../sign-in/types.ts';
import { changesSomething, TOKEN_PREFIX } from '../spec/operations.ts';
import { maskText } from '../terminal/mask-text.ts';
import type { Io } from '../terminal/terminal.ts';
import type { World } from '../world.ts';
import type { Recording } from './record-change.ts';
import type { Started } from './start.ts';

/** What clients need beside the settings. */
interface Beside {
  /** The stored sign-ins, without warnings. May throw. */
  readonly stored: () => Credentials;
  /** The configuration folder. May throw. */
  readonly folder: () => string;
  /** Which service and organization the run is for, if a link file chose one of them. */
  readonly linkNotice: () => string | undefined;
}

type Clients = Pick<Context, 'client' | 'pollingClient' | 'gatedClients' | 'clientFor' | 'send' | 'userAgent'>;

/** A token that lasts longer is not looked at more closely: that takes time. */
const MANY_DAYS_MS = 15 * 86_400_000;

function isUsual(credential: ChosenCredential | undefined, nowMs: number): boolean {
  const { record, token = '' } = credential ?? {};
  if (record === undefined) return token.startsWith(TOKEN_PREFIX);
  return Date.parse(record.expiresAt ?? '') - nowMs > MANY_DAYS_MS;
}

/** Returns the clients of a run, each made at its first use. */
export function createClients(
  run: Started,
  settings: CommandSettings,
  { stored, folder, linkNotice }: Beside,
): Clients {
  const { world, io, closers } = run;
  const proxyFor = readProxies(world.env);
  const send = createSingleSend({ proxyFor });
  const pooled = once(async (): Promise<Send> => {
    const { createPooledSend } = await import('../http/pooled.ts');
    const pool = createPooledSend(send, proxyFor);
    closers.push(pool.close);
    return pool.send;
  });
  const begin = once(async () => {
    const credential = settings.credential();
    await checkSignIn(credential, settings.apiUrl(), settings, stored, world.argv);
    if (isUsual(credential, world.clock.now())) return;
    const { warnOfToken } = await import('./sign-in-trouble.ts');
    await warnOfToken({ world, io, settings, folder });
  });
  const sayLink = once(async () => {
    const notice = settings.globals.yes || !io.interactive ? linkNotice() : undefined;
    if (notice !== undefined) await io.note(notice);
  });
  const warnUnkept = warnerOfHistory(io);
  const make = (own: CommandSettings, through: Send, options: Partial<ClientOptions> = {}, before = sayLink) => {
    const client = createClient({ ...clientOptions(run, own, through), ...options });
    return aroundChanges(client, { ...run, settings: own, folder, warnUnkept }, before);
  };
  const single = once(() => make(settings, send));
  const polling = once(async () => make(settings, await pooled(), { deadlinePerCall: true }));
  return {
    send,
    userAgent: userAgent(world),
    client: () => begin().then(single),
    pollingClient: () => begin().then(polling),
    async gatedClients({ signal, org = settings.org(), atOnce }) {
      await begin();
      const through = await pooled();
      const common = { signal, memory: { ...world.runtime, answers: atOnce }, show: undefined };
      return (own) => make({ ...settings, org: () => org }, through, { ...common, ...own });
    },
    async clientFor(credential, address = settings.apiUrl(), deadlineMs) {
      await checkSignIn(credential, address, settings, stored, world.argv);
      // A login may be for a profile that does not exist yet, so nothing that was given is looked up.
      const fixed = { credential: () => credential, apiUrl: () => address, findApiUrl: () => address };
      const options = deadlineMs === undefined ? {} : { deadlineMs };
      return make({ ...settings, ...fixed, org: () => undefined }, send, options, async () => undefined);
    },
  };
}

function clientOptions({ world, io, redactor, signal }: Started, settings: CommandSettings, send: Send): ClientOptions {
  const { globals } = settings;
  const credential = settings.credential();
  redactor.add(credential?.token);
  return {
    baseUrl: settings.apiUrl().value,
    send,
    credential,
    org: settings.org()?.value,
    userAgent: userAgent(world),
    clock: world.clock,
    random: world.random,
    deadlineMs: globals.timeoutSeconds * 1000,
    retry: globals.retry,
    allowHttp: settings.allowHttp,
    signal,
    redactor,
    memory: { ...world.runtime, answers: 1 },
    runtime: world.runtime,
    debug: globals.debug ? (line: string) => void io.err.write(`${redactor.redact(maskText(line))}\n`) : undefined,
    show: (call) => showCall(io, call, settings.apiUrl().value),
    explain401: () => explainUnauthenticated(settings, world.clock.now()),
    explainMissing: () => explainMissing(settings),
  };
}

function userAgent({ version, runtime, machine }: World): string {
  return `svc/${version} ${runtime.name}/${runtime.version} ${machine.platform}`;
}

/** Says, once a run, that the history of changes cannot be written. */
function warnerOfHistory(io: Io): Recording['warnUnkept'] {
  let hasWarned = false;
  return (why) => {
    if (!hasWarned) void io.warn(`svc changes will not show what this command did: ${why}.`, 'change_not_kept');
    hasWarned = true;
  };
}

/** Runs `before` ahead of each request that changes something, which the history of changes keeps. */
function aroundChanges(client: Client, recording: Recording, before: () => Promise<void>): Client {
  return {
    ...client,
    async call<T>(call: Call): Promise<Answer<T>> {
      if (!changesSomething(call.operation)) return client.call<T>(call);
      const { sendChange } = await import('./record-change.ts');
      await before();
      return sendChange<T>(client, call, recording);
    },
  };
}

/** Shows every request of every command, so that no wait is silent. */
function showCall(io: Io, { doing }: Call, baseUrl: string): ShownCall {
  const byDefault = doing === undefined;
  const progress = io.progress(byDefault ? `Asking ${new URL(baseUrl).host}` : doing, { byDefault });
  return {
    retry(text) {
      progress.update(text);
      if (io.accessible && io.err.isTty) void io.note(text());
    },
    stop: progress.stop,
  };
}

/**
 * Stops a sign-in of the environment that contradicts the stored ones, before it is sent: beside a named profile with
 * another token, and at another address than the one it is stored for.
 * @throws CliError `usage`.
 */
async function checkSignIn(
  credential: ChosenCredential | undefined,
  address: Setting,
  settings: CommandSettings,
  stored: () => Credentials,
  argv: readonly string[],
): Promise<void> {
  if (credential === undefined || !SIGN_IN_VARIABLES.some((name) => name === credential.source)) return;
  const named = settings.profileName();
  const profile = named && settings.profile();
  const isSame = credential.kind === 'bearer' && profile?.token === credential.token;
  const isBeside = named !== undefined && profile !== undefined && !isSame;
  const known = recordsOf(credential, stored);
  const [first] = known;
  const isElsewhere = first !== undefined && !known.some((record) => isAt(record, address.value));
  if (!isBeside && !isElsewhere) return;
  const { namedBeside, storedElsewhere } = await import('./sign-in-trouble.ts');
  if (isBeside) throw namedBeside(credential, named, argv);
  if (isElsewhere) throw storedElsewhere(credential, first, address);
}

/** The stored sign-ins with this token. A store that cannot be read says nothing: the environment needs none. */
function recordsOf({ token }: ChosenCredential, stored: () => Credentials): readonly CredentialRecord[] {
  try {
    return stored().credentials.filter((record) => record.token === token);
  } catch {
    return [];
  }
}
