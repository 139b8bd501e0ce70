import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Context, Vault } from '../../command/context.ts';
import { findLink } from '../../command/link-file.ts';
import { CliError } from '../../errors.ts';
import { readProxies } from '../../http/proxy.ts';
import type { Check } from './check.ts';

const OTHER_FOLDER = 'SVC_CONFIG_DIR=<another folder>, or use SVC_TOKEN';

/** Whether sign-ins can be saved. */
export function checkFolder(context: Context): Check {
  const name = 'files';
  const folder = context.vault.folder();
  const { unmerged, warnings } = readSignIns(context);
  if (!isWritable(folder)) return { name, state: 'note', found: `${folder} cannot be written`, fix: OTHER_FOLDER };
  if (warnings.length > 0) return { name, state: 'note', found: warnings.join(' '), fix: null };
  if (unmerged > 0)
    return { name, state: 'note', found: `${unmerged} sign-in waits to be merged`, fix: 'svc profiles use <name>' };
  return { name, state: 'good', found: folder, fix: null };
}

function readSignIns(context: Context): ReturnType<Vault['signIns']> {
  try {
    return context.vault.signIns();
  } catch (error) {
    throw error instanceof CliError && error.details.hint === undefined ? error.with({ hint: OTHER_FOLDER }) : error;
  }
}

/** Which link file counts here. */
export function checkLink(context: Context): Check {
  const { link, ignored } = findLink(context.system.cwd, context.system);
  if (ignored.length > 0)
    return { name: 'folder link', state: 'note', found: ignored.join(' '), fix: 'svc link <service>' };
  const found =
    link === undefined ? 'none; svc link <service> makes one' : `${link.path}: ${link.service ?? 'no service'}`;
  return { name: 'folder link', state: 'good', found, fix: null };
}

/** Whether requests go through a proxy. Its address may hold a password, so only its host is shown. */
export function checkProxy({ system: { env }, settings }: Context): Check {
  const address = settings.findApiUrl();
  const proxy = address && readProxies(env)(new URL(address.value));
  return { name: 'proxy', state: 'good', found: proxy === undefined ? 'none' : proxy.host, fix: null };
}

/** Whether the shell can complete svc's commands. */
export async function checkCompletion(context: Context): Promise<Check> {
  const { completionOf } = await import('../completion/shells.ts');
  const completion = completionOf(context);
  if (completion === undefined)
    return { name: 'completion', state: 'note', found: 'the shell is not known', fix: null };
  const installed = existsSync(completion.path);
  return {
    name: 'completion',
    state: installed ? 'good' : 'note',
    found: installed ? completion.path : `not installed for ${completion.shell}`,
    fix: installed ? null : `svc completion install ${completion.shell}`,
  };
}

function isWritable(folder: string): boolean {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(current) || dirname(current) === current) return canWrite(current);
  }
}

function canWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
