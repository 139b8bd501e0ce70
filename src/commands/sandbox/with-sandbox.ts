import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Context } from '../../command/context.ts';
import { shellWord } from '../../command/next.ts';
import { runChild } from '../../command/programs.ts';
import type { Sandbox } from '../../sandbox/server.ts';

/** Loads the sandbox; the only door to it, so that the client and the sandbox share nothing but the service's document. */
export const loadSandbox = () => import('../../sandbox/server.ts');

/** A sandbox with a clean environment around it. */
export interface Workshop {
  readonly sandbox: Sandbox;
  /** The environment in which a command finds the sandbox, signed in, and nothing of the user's own set-up. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A folder for this workshop alone; removed at its end. */
  readonly folder: string;
  /** Runs a command with the streams of this process; resolves with its exit code. */
  run(command: readonly string[]): Promise<number>;
}

/** Variables of the user that would lead a command away from the sandbox. */
const UNSET = ['SVC_TOKEN_FILE', 'SVC_SESSION_TOKEN', 'SVC_PROFILE', 'SVC_ASSUME', 'SVC_DNS_SERVER'];

/** Seconds between the polls of a device login here. */
const POLL_INTERVAL_SECONDS = 1;

/** Starts a sandbox on a free port, does the work, and leaves nothing behind. */
export async function withSandbox<T>(context: Context, work: (workshop: Workshop) => Promise<T>): Promise<T> {
  const { startSandbox } = await loadSandbox();
  const folder = await mkdtemp(join(tmpdir(), 'svc-sandbox-'));
  const sandbox = await startSandbox({ port: 0, intervalSeconds: POLL_INTERVAL_SECONDS });
  try {
    const env = await environment(context, sandbox, folder);
    const run = (command: readonly string[]) =>
      runChild(command, {
        env,
        cwd: context.system.cwd,
        signal: context.system.signal,
        sharesTerminal: context.io.stdinIsTty,
      });
    return await work({ sandbox, env, folder, run });
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function environment(context: Context, sandbox: Sandbox, folder: string): Promise<Workshop['env']> {
  const { url, token, services } = sandbox.listing;
  const config = join(folder, 'config');
  await mkdir(config, { mode: 0o700 });
  return {
    ...context.system.env,
    ...Object.fromEntries(UNSET.map((name) => [name, undefined])),
    PATH: `${await ownProgram(context, folder)}${delimiter}${context.system.env['PATH'] ?? ''}`,
    SVC_API_URL: url,
    SVC_TOKEN: token,
    // Both are said, so that a link of the folder says neither.
    SVC_ORG: sandbox.organization,
    SVC_SERVICE: services.find(({ kind }) => kind === 'wordpress')?.id,
    SVC_CONFIG_DIR: config,
  };
}

/** A folder in which `svc` is this very program, so that scripts need no installation. */
async function ownProgram({ system: { self, platform } }: Context, folder: string): Promise<string> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  if (platform === 'win32') {
    await writeFile(join(bin, 'svc.cmd'), `@${self.map((part) => `"${part}"`).join(' ')} %*\r\n`);
  } else {
    const words = self.map(shellWord).join(' ');
    await writeFile(join(bin, 'svc'), `#!/bin/sh\nexec ${words} "$@"\n`);
    await chmod(join(bin, 'svc'), 0o755);
  }
  return bin;
}
