import type { Context } from '../../command/context.ts';
import { shellWord } from '../../command/shell-word.ts';
import type { Env } from '../../environment.ts';
import { parseBaseUrl } from '../../http/address.ts';
import type { PurchaseRecord } from '../../purchase/record.ts';

/** Variables that beat `--profile`. */
const TOKENS = ['SVC_TOKEN', 'SVC_TOKEN_FILE', 'SVC_SESSION_TOKEN'];

/** The command line that sends a purchase again, to be pasted where this one was typed. */
export function resumeCommand(
  { io, settings: { globals }, system: { env, platform } }: Context,
  { key, address, org, account }: Pick<PurchaseRecord, 'key' | 'address' | 'org' | 'account'>,
): string {
  const profile = 'profile' in account ? account.profile : undefined;
  const inTheWay =
    profile === undefined || platform === 'win32' ? [] : TOKENS.filter((name) => env[name] !== undefined);
  // A profile brings its address, unless the environment names another one.
  const url = addressOf(env);
  const isNamed = url === address || (profile !== undefined && url === undefined);
  const words = [
    ...(inTheWay.length === 0 ? [] : ['env', ...inTheWay.flatMap((name) => ['-u', name])]),
    'svc',
    'buy',
    // A key that starts with a hyphen would be an option of its own.
    ...(key.startsWith('-') ? [`--resume=${key}`] : ['--resume', key]),
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(isNamed ? [] : ['--api-url', address]),
    ...(org === undefined ? [] : ['--org', org]),
    ...(globals.yes || !io.interactive ? ['--yes'] : []),
  ];
  return words.map(shellWord).join(' ');
}

/** The address that the environment gives, in its normal form; its own text where it has none. */
function addressOf(env: Env): string | undefined {
  const text = env['SVC_API_URL']?.trim();
  if (!text) return undefined;
  try {
    return parseBaseUrl(text, { allowHttp: true });
  } catch {
    return text;
  }
}
