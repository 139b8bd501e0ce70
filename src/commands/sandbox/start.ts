import type { Context } from '../../command/context.ts';
import type { Attach, Declaration } from '../../command/declaration.ts';
import { parseDuration } from '../../command/parse/duration.ts';
import { repeated } from '../../command/parse/repeated.ts';
import { parseWholeNumber } from '../../command/parse/whole-number.ts';
import { type Result, silent } from '../../command/result.ts';
import { zoneScanner } from '../../dns/zone-scan.ts';
import { code, type Screen, strong } from '../../io/screen.ts';
import type { Sandbox, SandboxOptions } from '../../sandbox/server.ts';
import { holdData } from './hold-data.ts';
import { loadSandbox } from './load.ts';

export interface StartOptions {
  /** TCP port; 0 takes a free one. */
  readonly port: number;
  /** File that keeps the state. */
  readonly data?: string;
  /** Fault rules. */
  readonly fault?: readonly string[];
  /** Seconds between the polls of a device login. */
  readonly interval?: number;
  /** `host[:port]` of a name server whose zones are scanned. */
  readonly dnsServer?: string;
}

export function define(parent: Declaration, attach: Attach): void {
  const command = parent
    .command('start', { isDefault: true })
    .description('Serve the sandbox on this machine until Ctrl-C')
    .option(
      '--port <number>',
      'port on 127.0.0.1; 0 picks a free one',
      (text: string) => parseWholeNumber(text, '--port', { min: 0, max: 65_535 }),
      4750,
    )
    .option('--data <file>', 'keep the state in this file')
    .option('--fault <rule>', 'break requests on purpose, as in restart:503*2; may be repeated', repeated)
    .option('--interval <duration>', 'time between the polls of a login', (text: string) =>
      parseDuration(text, '--interval'),
    )
    .option('--dns-server <host[:port]>', 'scan the zones of this name server');
  attach(command, {
    run,
    human: () => undefined,
    examples: [
      ['svc sandbox --port 0', 'serve on a free port'],
      ["svc sandbox --port 0 --fault 'restart:503*2'", 'answer the first two restarts with 503'],
    ],
  });
}

export async function run(context: Context, options: StartOptions): Promise<Result<undefined>> {
  const { parseFault } = await loadSandbox();
  const data = options.data === undefined ? undefined : await holdData(context, options.data);
  try {
    await serve(context, {
      port: options.port,
      faults: (options.fault ?? []).map(parseFault),
      ...(data === undefined ? {} : { dataFile: data.path, mayWrite: data.isMine }),
      ...(options.interval === undefined ? {} : { intervalSeconds: options.interval }),
      ...(options.dnsServer === undefined ? {} : { dnsScan: zoneScanner(options.dnsServer) }),
    });
  } finally {
    data?.release();
  }
  return silent();
}

async function serve(context: Context, options: SandboxOptions): Promise<void> {
  const { startSandbox } = await loadSandbox();
  const sandbox = await startSandbox(options);
  try {
    await context.emit(sandbox.listing);
    await context.show((screen) => introduce(screen, sandbox));
    await interrupted(context.signal);
  } finally {
    await sandbox.close();
  }
}

function introduce(screen: Screen, { listing, sessionToken }: Pick<Sandbox, 'listing' | 'sessionToken'>): void {
  const { url, token, services, deployments, databases, plans, domains } = listing;
  screen.exact();
  screen.line([strong('The sandbox is ready'), ` on ${url}`]);
  screen.line();
  screen.line('Paste this in another terminal:');
  screen.line();
  screen.verbatim(`  export SVC_API_URL=${url}
  export SVC_TOKEN=${token}
  export SVC_SERVICE=${services[0]?.id ?? ''}
  # or, in place of SVC_TOKEN, a dashboard session:
  # export SVC_SESSION_TOKEN=${sessionToken}`);
  screen.line();
  screen.line(['Or sign in as a person would: ', code(`svc login --api-url ${url}`)]);
  screen.line();
  screen.heading('Ids to try');
  screen.fields([
    ...services.map(({ id, kind, name }) => [kind, `${id} (${name})`] as const),
    ['deployments', deployments.map(({ id }) => id).join(', ')],
    ['databases', databases.map(({ id, engine }) => `${id} (${engine})`).join(', ')],
    ['plans', plans.map(({ id, free }) => (free ? `${id} (free)` : id)).join(', ')],
    ['domains', domains.join(', ')],
  ]);
  screen.line();
  screen.line('Ctrl-C stops it.');
}

function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
