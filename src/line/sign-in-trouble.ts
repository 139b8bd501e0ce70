import { isOn } from '../environment.ts';
import { type CliError, quoted, usageError } from '../errors.ts';
import { sameLine } from '../kit/globals.ts';
import { CACHE, cachePath } from '../kit/known.ts';
import type { ChosenCredential, Setting, Settings } from '../kit/setting.ts';
import { signInCommand } from '../kit/unauthenticated.ts';
import { unsetVariable } from '../shell-line.ts';
import { expiryNotice } from '../sign-in/expiry.ts';
import { tokenWarning } from '../sign-in/token.ts';
import type { CredentialRecord } from '../sign-in/types.ts';
import { changeDocument, type DocumentPlace, readDocument } from '../store/document.ts';
import type { Io } from '../terminal/terminal.ts';
import type { World } from '../world.ts';

/** A profile is named, and the environment has another sign-in. */
export function namedBeside(
  { source }: ChosenCredential,
  { where, value, origin }: Setting,
  argv: readonly string[],
): CliError {
  return usageError(
    `${source} is set, and ${where} selects the profile ${quoted(value)}, which stores another sign-in. Nothing was sent.`,
    {
      say: `Unset ${source} to use the profile, or leave out ${where} to use ${source}:`,
      run: [unsetVariable(source), origin === 'flag' ? lineWithout(argv, where) : unsetVariable(where)],
    },
  );
}

/** The token of the environment would go to another address than the one it is stored for. */
export function storedElsewhere(
  { source }: ChosenCredential,
  { baseUrl, profile }: CredentialRecord,
  address: Setting,
): CliError {
  return usageError(
    `The token in ${source} is stored for ${baseUrl} (profile ${quoted(profile)}), and would go to ${address.value} (${address.where}). Nothing was sent.`,
    {
      say: `Unset ${source}, or name the address that the token belongs to: --api-url ${baseUrl}`,
      run: [unsetVariable(source)],
    },
  );
}

/** Writes a command line as it was typed, without an option and its value. */
function lineWithout(argv: readonly string[], flag: string): string {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const isLeftOut = (word: string, at: number): boolean =>
    at < end && (word === flag || word.startsWith(`${flag}=`) || argv[at - 1] === flag);
  return sameLine(
    argv.filter((word, at) => !isLeftOut(word, at)),
    [],
  );
}

interface Reminding {
  readonly io: Pick<Io, 'warn' | 'quiet'>;
  readonly settings: Settings;
  readonly world: Pick<World, 'machine' | 'clock' | 'env'>;
  readonly folder: () => string;
}

/**
 * Warns if the token of the environment looks wrong, or the stored one expires soon. What scripts read on stderr ends with
 * an error or with counts, so this comes before the first request.
 */
export async function warnOfToken(token: Reminding): Promise<void> {
  const credential = token.settings.credential();
  if (credential?.record !== undefined) return remindOfExpiry(token);
  const odd = credential?.kind === 'bearer' ? tokenWarning(credential.token, credential.source) : undefined;
  if (odd !== undefined) await token.io.warn(odd, 'odd_token');
}

/** Once a day, or every time in CI, where nothing is kept. */
async function remindOfExpiry({ io, settings, world: { machine, clock, env }, folder }: Reminding): Promise<void> {
  const record = settings.credential()?.record;
  if (record === undefined || io.quiet) return;
  const notice = expiryNotice(record, clock.now(), signInCommand(settings));
  if (notice === undefined) return;
  const place = { path: cachePath(folder()), machine, clock };
  const isDue = isOn(env['CI']) || (await isFirstToday(place, record.profile));
  if (isDue) await io.warn(notice, 'token_expires');
}

/** Whether this is the first reminder of a profile today (UTC), as the cache says; always if it cannot be used. */
async function isFirstToday(place: DocumentPlace, profile: string): Promise<boolean> {
  const today = new Date(place.clock.now()).toISOString().slice(0, 10);
  const saidToday = ({ reminders }: typeof CACHE.empty): readonly string[] =>
    Object.entries(reminders).flatMap(([name, day]) => (day === today ? [name] : []));
  let isFirst = true;
  try {
    if (saidToday(readDocument(place.path, CACHE, place.machine).content).includes(profile)) return false;
    await changeDocument(place, CACHE, ({ content, write }) => {
      const said = saidToday(content);
      isFirst = !said.includes(profile);
      if (isFirst) write({ reminders: Object.fromEntries([...said, profile].map((name) => [name, today])) });
    });
  } catch {
    // A second reminder does no harm.
  }
  return isFirst;
}
