import { once } from 'node:events';
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Sandbox, SandboxOptions } from '../../../sandbox/server.ts';
import type { Needs } from '../../cli/define/context.ts';
import { defineCommand } from '../../cli/define/define.ts';
import { printed } from '../../cli/define/result.ts';
import { parseWholeNumber } from '../../cli/values/number.ts';
import { fileOption, option } from '../../cli/values/parameters.ts';
import { parseDuration } from '../../cli/values/time.ts';
import { CliError, quoted, usageError } from '../../errors.ts';
import { setVariable, shellWord } from '../../shell-line.ts';
import { resolveLink } from '../../store/files.ts';
import { acquireLock } from '../../store/lock.ts';
import { isFileName } from '../../store/named-file.ts';
import { describeSystemError } from '../../store/problem.ts';
import { formatCount } from '../../terminal/numbers.ts';
import { code, type Screen, strong } from '../../terminal/screen.ts';
import { WORLD_OPTIONS, worldOf } from './options.ts';
import { loadSandbox } from './with-sandbox.ts';

const PORT = 4750;

export default defineCommand({
  path: 'sandbox start',
  summary: 'Serve the sandbox on this machine until Ctrl-C',
  effect: 'local',
  args: {},
  options: {
    port: option(
      'number',
      `port on 127.0.0.1; 0 picks a free one (default: ${PORT})`,
      (text, field) => parseWholeNumber(text, field, { min: 0, max: 65_535 }),
    ),
    data: fileOption('file', 'keep the state in this file'),
    interval: option('duration', 'time between the polls of a login', parseDuration),
    ...WORLD_OPTIONS,
  },
  examples: [
    ["svc sandbox --port 0 --fault 'restart:503*2'", 'refuse two restarts'],
    ['svc sandbox --services 1000 --limit 50/s', 'many services'],
  ],

  more: async () => ({ title: 'Ids of every sandbox', rows: (await loadSandbox()).SAMPLES }),

  async run(context, { port = PORT, data, interval, ...world }) {
    const options = await worldOf(world);
    const locked = data === undefined ? undefined : await lockData(context, data);
    try {
      await serve(context, {
        ...options,
        port,
        ...(locked && { dataFile: locked.path, mayWrite: locked.isMine }),
        ...(interval !== undefined && { intervalSeconds: interval }),
      });
    } finally {
      locked?.release();
    }
    return printed();
  },
});

/** The next sandbox removes a lock that is not renewed. */
const RENEWAL_MS = 2_000;
const PATIENCE_MS = 500;

/**
 * Locks the data file, since two sandboxes would overwrite each other's changes. Throws a usage
 * error.
 */
async function lockData(
  { store, time, program }: Needs<'store' | 'time' | 'program'>,
  given: string,
) {
  const path = resolve(program.cwd(), given);
  if (!isFileName(basename(path))) {
    throw usageError(`No file can be called ${quoted(basename(path))} on Windows.`);
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    const inside = shellWord(join(given, 'sandbox.json'));
    throw usageError(`The data file ${path} is a folder.`, `svc sandbox start --data ${inside}`);
  }
  try {
    const target = resolveLink(join(realpathSync(dirname(path)), basename(path)));
    const lock = await acquireLock(target, store.machine, time.clock, PATIENCE_MS).catch(
      (error: unknown) => {
        if (!(error instanceof CliError)) throw error;
        throw usageError(`Another sandbox keeps its state in ${path}.`, error.details.hint);
      },
    );
    const renewal = setInterval(lock.renew, RENEWAL_MS).unref();
    const release = () => {
      clearInterval(renewal);
      lock.release();
    };
    // Another sandbox may have taken over if this one was suspended for long.
    return { path: target, isMine: lock.isHeld, release };
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw usageError(`The data file ${path} cannot be written: ${describeSystemError(error)}.`);
  }
}

async function serve(context: Needs<'io' | 'time'>, options: SandboxOptions): Promise<void> {
  const { startSandbox } = await loadSandbox();
  const sandbox = await startSandbox(options);
  try {
    await context.io.emit(sandbox.listing);
    await context.io.show((screen) => introduce(screen, sandbox, options));
    if (!context.time.signal.aborted) await once(context.time.signal, 'abort');
  } finally {
    await sandbox.close();
  }
}

/** At most 23 rows of 80 columns, so that nothing scrolls off a small terminal. */
function introduce(
  screen: Screen,
  sandbox: Sandbox,
  { services: many, requestsPerSecond }: SandboxOptions,
): void {
  const { listing, sessionToken, samples } = sandbox;
  const { url, token, services, dnsServer } = listing;
  const limit = requestsPerSecond === undefined ? '' : ` (limit ${requestsPerSecond}/s)`;
  screen.exact();
  screen.line([strong('The sandbox is ready'), ` on ${url}${limit}. Ctrl-C stops it.`]);
  screen.line(['Paste this in another terminal, or use ', code('svc sandbox shell'), ' instead:']);
  const lines = [
    setVariable('SVC_API_URL', url),
    setVariable('SVC_TOKEN', token),
    // On one line, for a terminal of 24.
    `${setVariable('SVC_SERVICE', services[0]?.id ?? '')}; ${setVariable('SVC_DNS_SERVER', dnsServer)}`,
    setVariable('SVC_DASHBOARD', url),
    `# ${setVariable('SVC_SESSION_TOKEN', sessionToken)}`,
  ];
  screen.verbatim(lines.map((line) => `  ${line}`).join('\n'));
  screen.line();
  if (many === undefined) {
    screen.line('To try the login page:');
    screen.line(['  ', code(`svc login --api-url ${url}`)]);
  } else {
    const list = code("svc api /sandbox --jq '.services[].id' > services.txt");
    screen.line([`The ids of all ${formatCount(many)}: `, list]);
    screen.line(['To restart them all: ', code('svc restart --services services.txt')]);
  }
  screen.heading('Sample ids');
  screen.fields(samples);
}
