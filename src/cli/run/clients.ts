import type { Answer, Call, Client, ClientOptions, ShownCall } from '../../api/call.ts';
import { createClient } from '../../api/client.ts';
import { changesSomething } from '../../contract/operations.ts';
import { readProxies } from '../../http/address.ts';
import { createPooledSend, createSingleSend } from '../../http/engines.ts';
import type { Send } from '../../http/send.ts';
import { once } from '../../lazy.ts';
import type { Io } from '../../terminal/io.ts';
import { maskText } from '../../terminal/mask.ts';
import type { World } from '../../world.ts';
import type { Clients } from '../define/context.ts';
import type { Settings } from '../settings/settings.ts';
import { explainMissing, explainUnauthenticated } from '../settings/unauthenticated.ts';
import { checkSignIn, warnOfToken } from './check-sign-in.ts';
import type { RunWithSettings } from './start.ts';

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
      const through = pooled();
      const common = { signal, memory: { ...world.runtime, answers: atOnce }, show: undefined };
      return (own) => make({ ...settings, org: () => org }, through, { ...common, ...own });
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
  const send = async <T>(call: Call): Promise<Answer<T>> => {
    if (!changesSomething(call.operation)) return client.call<T>(call);
    const { sendChange } = await import('./record-change.ts');
    await before();
    return sendChange<T>(client, call, run);
  };
  return {
    ...client,
    async call<T>(call: Call): Promise<Answer<T>> {
      const org = run.settings.org()?.value;
      try {
        const answer = await send<T>(call);
        run.store.names.addAnswered(call, org);
        return answer;
      } catch (error) {
        run.store.names.addMissing(call, org, error);
        throw error;
      }
    },
  };
}

function clientOptions(
  { world, io, redactor, signal, globals, settings }: RunWithSettings,
  send: Send,
): ClientOptions {
  const { allowHttp } = settings;
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
    allowHttp,
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
  const byDefault = doing === undefined;
  const progress = io.progress(byDefault ? `Asking ${new URL(baseUrl).host}` : doing, {
    byDefault,
  });
  return {
    retry(text) {
      progress.update(text);
      if (io.accessible && io.err.isTty) void io.note(text());
    },
    stop: progress.stop,
  };
}
