import type { Answer, Call, Client, ClientOptions, ShownCall } from '../../api/call.ts';
import { createClient } from '../../api/client.ts';
import { changesSomething } from '../../contract/operations.ts';
import { isOn, SIGN_IN_VARIABLES } from '../../environment.ts';
import { quote, tryOr, usageError } from '../../errors.ts';
import { readProxies } from '../../http/address.ts';
import { createPooledSend, createSingleSend } from '../../http/engines.ts';
import type { Send } from '../../http/send.ts';
import { once } from '../../once.ts';
import { repeatLine, splitAtDoubleDash, unsetVariable } from '../../shell-line.ts';
import { isForAddress } from '../../sign-in/credentials.ts';
import { describeSoonExpiry } from '../../sign-in/expiry.ts';
import { describeOddPrefix } from '../../sign-in/token.ts';
import { changeDocument, readDocument } from '../../store/document.ts';
import type { Io } from '../../terminal/io.ts';
import { maskText } from '../../terminal/mask.ts';
import type { World } from '../../world.ts';
import type { Clients, RunWithSettings } from '../define/context.ts';
import { CACHE, getCachePath } from '../define/name-cache.ts';
import type { ChosenCredential, Setting, Settings } from '../settings/settings.ts';
import {
  explainMissing,
  explainUnauthenticated,
  signInCommand,
} from '../settings/unauthenticated.ts';

/** Each is made at its first use. */
export function createClients(run: RunWithSettings): Clients {
  const { world, io, closers, globals, settings } = run;
  const proxyFor = readProxies(world.env);
  const send = createSingleSend(proxyFor);
  const pooled = once((): Send => {
    const pool = createPooledSend(send, proxyFor);
    closers.push(pool.close);
    return pool.send;
  });
  const begin = once(async () => {
    checkSignIn(settings.credential(), settings.apiUrl(), run);
    await warnOfToken(run);
  });
  const sayLink = once(async () => {
    const notice = globals.yes || !io.interactive ? settings.linkNotice() : undefined;
    if (notice !== undefined) await io.note(notice);
  });
  const make = (
    own: Settings,
    through: Send,
    options: Partial<ClientOptions> = {},
    before = sayLink,
  ) => {
    const ownRun = { ...run, settings: own };
    return recorded(
      createClient({ ...clientOptions(ownRun, through), ...options }),
      ownRun,
      before,
    );
  };
  const single = once(() => make(settings, send));
  const polling = once(async () => make(settings, pooled(), { deadlinePerCall: true }));
  return {
    send,
    userAgent: userAgent(world),
    client: () => begin().then(single),
    pollingClient: () => begin().then(polling),
    async gatedClients({ signal, org = settings.org(), atOnce }) {
      await begin();
      const memory = { ...world.runtime, answers: atOnce };
      return (own) =>
        make({ ...settings, org: () => org }, pooled(), {
          signal,
          memory,
          show: undefined,
          ...own,
        });
    },
    async clientFor(credential, address = settings.apiUrl(), deadlineMs) {
      checkSignIn(credential, address, run);
      // The profile of a login may not exist yet, so nothing is looked up.
      const fixed = {
        ...settings,
        credential: () => credential,
        apiUrl: () => address,
        findApiUrl: () => address,
        org: () => undefined,
      };
      return make(fixed, send, deadlineMs === undefined ? {} : { deadlineMs }, async () => {});
    },
  };
}

/** Runs `before` ahead of each change, which the history keeps, and notes names of all answers. */
function recorded(client: Client, run: RunWithSettings, before: () => Promise<void>): Client {
  const { names } = run.store;
  const change = async <T>(call: Call) => {
    const { sendChange } = await import('./record-change.ts');
    await before();
    return sendChange<T>(client, call, run);
  };
  return {
    ...client,
    async call<T>(call: Call): Promise<Answer<T>> {
      const org = run.settings.org()?.value;
      try {
        const isChange = changesSomething(call.operation);
        const answer = await (isChange ? change<T>(call) : client.call<T>(call));
        names.addAnswered(call, org);
        return answer;
      } catch (error) {
        names.addMissing(call, org, error);
        throw error;
      }
    },
  };
}

function clientOptions(
  { world, io, redactor, signal, globals, settings }: RunWithSettings,
  send: Send,
): ClientOptions {
  const { clock, random, runtime } = world;
  const credential = settings.credential();
  const baseUrl = settings.apiUrl().value;
  redactor.add(credential?.token);
  return {
    baseUrl,
    send,
    credential,
    clock,
    random,
    allowHttp: settings.allowHttp,
    signal,
    redactor,
    org: settings.org()?.value,
    userAgent: userAgent(world),
    deadlineMs: globals.timeoutSeconds * 1000,
    retry: globals.retry,
    memory: { ...runtime, answers: 1 },
    extraAuthorities: world.env['NODE_EXTRA_CA_CERTS'],
    debug: globals.debug
      ? (line: string) => void io.err.write(`${redactor.redact(maskText(line))}\n`)
      : undefined,
    show: (call) => showCall(io, call, baseUrl),
    explain401: () => explainUnauthenticated(settings, clock.now()),
    explainMissing: () => explainMissing(settings),
  };
}

function userAgent({ version, runtime, machine }: World): string {
  return `svc/${version} ${runtime.name}/${runtime.version} ${machine.platform}`;
}

/** No wait is silent. */
function showCall(io: Io, { doing }: Call, baseUrl: string): ShownCall {
  const progress = io.progress(doing ?? `Asking ${new URL(baseUrl).host}`, {
    byDefault: doing === undefined,
  });
  return {
    retry(text) {
      progress.update(text);
      if (io.accessible && io.err.isTty) void io.note(text());
    },
    stop: progress.stop,
  };
}

/**
 * Refuses a sign-in of the environment beside a profile with another one, or at another address
 * than it is stored for.
 */
function checkSignIn(
  credential: ChosenCredential | undefined,
  address: Setting,
  { world, settings, store }: RunWithSettings,
): void {
  const isVariable = SIGN_IN_VARIABLES.some((name) => name === credential?.source);
  if (!credential || !isVariable) return;

  const { source, kind, token } = credential;
  const named = settings.profileName();
  const profile = named && settings.profile();
  const isSame = kind === 'bearer' && profile?.token === token;
  if (named && profile && !isSame) {
    throw twoSignInsError(source, named, world.argv);
  }
  // A store that cannot be read says nothing: the environment needs none.
  const known = tryOr(
    () => store.readSignIns().credentials.filter((record) => record.token === token),
    [],
  );
  const [first] = known;
  if (!first || known.some((record) => isForAddress(record, address.value))) return;
  const { baseUrl } = first;
  throw usageError(
    `The token in ${source} is stored for ${baseUrl} (profile ${quote(first.profile)}), and would go to ${address.value} (${address.where}). Nothing was sent.`,
    {
      say: `Unset ${source}, or name the address that the token belongs to: --api-url ${baseUrl}`,
      run: [unsetVariable(source)],
    },
  );
}

function twoSignInsError(
  source: string,
  { where, value, origin }: Setting,
  argv: readonly string[],
) {
  return usageError(
    `${source} is set, and ${where} selects the profile ${quote(value)}, which stores another sign-in. Nothing was sent.`,
    {
      say: `Unset ${source} to use the profile, or leave out ${where} to use ${source}:`,
      run: [
        unsetVariable(source),
        origin === 'flag' ? lineWithout(argv, where) : unsetVariable(where),
      ],
    },
  );
}

function lineWithout(argv: readonly string[], flag: string): string {
  const [own, rest] = splitAtDoubleDash(argv);
  const isLeftOut = (word: string, at: number) =>
    word === flag || word.startsWith(`${flag}=`) || own[at - 1] === flag;
  return repeatLine([...own.filter((word, at) => !isLeftOut(word, at)), ...rest]);
}

/**
 * Warns of a token that ends soon, once a day, in CI every time; before the first request, as stderr
 * ends with an error or counts.
 */
async function warnOfToken(run: RunWithSettings): Promise<void> {
  const { io, world, settings } = run;
  const credential = settings.credential();
  const record = credential?.record;
  if (!record) {
    const odd =
      credential?.kind === 'bearer' && describeOddPrefix(credential.token, credential.source);
    if (odd) await io.warn(odd, 'odd_token');
    return;
  }
  const notice = describeSoonExpiry(record, world.clock.now(), signInCommand(settings));
  if (notice === undefined || io.quiet) return;
  if (isOn(world.env['CI']) || (await isFirstToday(record.profile, run))) {
    await io.warn(notice, 'token_expires');
  }
}

/** Notes the day in the cache; true if that cannot be used. */
async function isFirstToday(profile: string, { world, store }: RunWithSettings): Promise<boolean> {
  const { machine, clock } = world;
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  let isFirst = true;
  try {
    const path = getCachePath(store.configFolder());
    if (readDocument(path, CACHE, machine).content.reminders[profile] === today) return false;
    await changeDocument({ path, machine, clock }, CACHE, ({ content, write }) => {
      const said = Object.entries(content.reminders).filter(([, day]) => day === today);
      isFirst = said.every(([name]) => name !== profile);
      if (isFirst) write({ reminders: Object.fromEntries([...said, [profile, today]]) });
    });
  } catch {
    // A second reminder does no harm.
  }
  return isFirst;
}
