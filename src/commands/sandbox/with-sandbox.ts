import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Sandbox, SandboxOptions } from '../../../sandbox/server.ts';
import type { Needs, ProgramFacts } from '../../cli/define/context.ts';
import { getCachePath } from '../../cli/define/name-cache.ts';
import { list, option, type Values } from '../../cli/values/parameters.ts';
import { example, parseWholeNumber } from '../../cli/values/text.ts';
import { quote, usageError } from '../../errors.ts';
import { posixWord } from '../../shell-line.ts';
import { describeSystemError } from '../../store/problem.ts';

/** Loads the sandbox: the only import of it, so that the client cannot share its code. */
export const loadSandbox = () => import('../../../sandbox/server.ts');

const MAX_SERVICES = 10_000;

/** The options of every command with a sandbox. */
export const PLATFORM_OPTIONS = {
  fault: list('rule', 'break requests, as in restart:503*2 (svc help faults)'),
  services: option('number', `how many services there are, 4 to ${MAX_SERVICES}`, (text, field) =>
    parseWholeNumber(text, field, { min: 4, max: MAX_SERVICES }),
  ),
  limit: option('rate', 'refuse requests above this rate with 429, as in 50/s', parseRate),
};

/** The values of {@link PLATFORM_OPTIONS}; the tour has none. */
export type PlatformOptions = Partial<Values<typeof PLATFORM_OPTIONS>>;

/** @throws CliError `usage` for a fault that makes no sense. */
export async function startPlatform(
  { fault = [], services, limit }: PlatformOptions,
  options: SandboxOptions,
): Promise<Sandbox> {
  const { parseFault, startSandbox } = await loadSandbox();
  const faults = fault.map(parseFault);
  return startSandbox({ ...options, faults, services, requestsPerSecond: limit });
}

const RATE = /^(?:[1-9]\d{0,2}|1000)\/s$/;

function parseRate(text: string, field: string) {
  if (RATE.test(text)) return Number.parseInt(text, 10);
  const perSecond = `${text}/s`;
  throw usageError(
    `${field} ${quote(text)} is not a rate from 1/s to 1000/s.`,
    example(field, '50/s'),
  ).withMeantText(text, RATE.test(perSecond) ? perSecond : undefined);
}

/** A sandbox with an environment for the commands that use it. */
export type SandboxSession = Awaited<ReturnType<typeof createSession>>;

/**
 * Names svc itself for `svc.cmd`: cmd reads files in the code page of the machine, which may lack
 * letters of a path.
 */
const OWN_PROGRAM = 'SANDBOX_SVC';

/** Starts a sandbox on a free port, does the work, and removes both. */
export async function withSandbox<T>(
  context: Needs<'io' | 'time' | 'env' | 'program'>,
  options: PlatformOptions,
  work: (session: SandboxSession) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-sandbox-')).catch((error: unknown) => {
    const why = `Cannot make a folder in ${tmpdir()}: ${describeSystemError(error)}.`;
    throw usageError(why, 'Set TMPDIR to a folder that you can write.');
  });
  try {
    const sandbox = await startPlatform(options, { port: 0, intervalSeconds: 1 });
    const session = createSession(context, sandbox, folder);
    return await session.then(work).finally(sandbox.close);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function createSession(
  { env, program }: Needs<'env' | 'program'>,
  sandbox: Sandbox,
  folder: string,
) {
  const { url, token, services } = sandbox.listing;
  const configFolder = join(folder, 'config');
  await mkdir(configFolder, { mode: 0o700 });
  const cache = { version: 1, names: { [url]: sandbox.names } };
  await writeFile(getCachePath(configFolder), JSON.stringify(cache));

  const bin = await createOwnProgram(program, folder);
  const sessionEnv = {
    ...env,
    // These would turn a command away from the sandbox.
    SVC_TOKEN_FILE: undefined,
    SVC_SESSION_TOKEN: undefined,
    SVC_PROFILE: undefined,
    SVC_ASSUME: undefined,
    [OWN_PROGRAM]: program.runtime.self.map((part) => `"${part}"`).join(' '),
    PATH: `${bin}${delimiter}${env['PATH'] ?? ''}`,
    SVC_API_URL: url,
    SVC_TOKEN: token,
    // Set both, so that a link file of the folder sets neither.
    SVC_ORG: sandbox.organization,
    SVC_SERVICE: services.find(({ kind }) => kind === 'wordpress')?.id,
    SVC_DNS_SERVER: sandbox.dnsServer,
    SVC_DASHBOARD: url,
    SVC_CONFIG_DIR: configFolder,
  };
  return { sandbox, env: sessionEnv, folder };
}

/** Makes a folder in which `svc` is this program, so that scripts need no installed one. */
async function createOwnProgram(program: ProgramFacts, folder: string) {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  // Git for Windows has a POSIX shell as well.
  const script = `#!/bin/sh\nexec ${program.runtime.self.map(posixWord).join(' ')} "$@"\n`;
  await writeFile(join(bin, 'svc'), script, { mode: 0o755 });
  if (program.platform === 'win32') {
    await writeFile(join(bin, 'svc.cmd'), `@%${OWN_PROGRAM}% %*\r\n`);
  }
  return bin;
}
