import { isOn, SIGN_IN_VARIABLES } from '../../environment.ts';
import { quote, tryOr, usageError } from '../../errors.ts';
import { repeatLine, splitAtDoubleDash, unsetVariable } from '../../shell-line.ts';
import { isForAddress } from '../../sign-in/credentials.ts';
import { describeSoonExpiry } from '../../sign-in/expiry.ts';
import { describeOddPrefix } from '../../sign-in/token.ts';
import { changeDocument, readDocument } from '../../store/document.ts';
import { CACHE, getCachePath } from '../define/name-cache.ts';
import type { ChosenCredential, Setting } from '../settings/setting.ts';
import { signInCommand } from '../settings/unauthenticated.ts';
import type { RunWithSettings } from './start.ts';

/**
 * Refuses a sign-in of the environment beside a profile with another one, or at another address
 * than it is stored for.
 */
export function checkSignIn(
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
export async function warnOfToken(run: RunWithSettings): Promise<void> {
  const { io, world, settings } = run;
  const credential = settings.credential();
  const record = credential?.record;
  if (!record) {
    const isToken = credential?.kind === 'bearer';
    const odd = isToken && describeOddPrefix(credential.token, credential.source);
    if (odd) await io.warn(odd, 'odd_token');
    return;
  }
  const notice = describeSoonExpiry(record, world.clock.now(), signInCommand(settings));
  if (notice === undefined || io.quiet) return;
  const isDue = isOn(world.env['CI']) || (await isFirstToday(record.profile, run));
  if (isDue) await io.warn(notice, 'token_expires');
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
