import type { Context } from '../../command/context.ts';
import { shellWord } from '../../command/shell-word.ts';
import type { PurchaseRecord } from '../../purchase/record.ts';

/** The command line that goes on with a purchase, to be pasted where this one was typed. */
export function resumeCommand(
  { globals, settings, io }: Pick<Context, 'globals' | 'settings' | 'io'>,
  { key, address, org }: Pick<PurchaseRecord, 'key' | 'address' | 'org'>,
): string {
  const url = settings.findApiUrl();
  const isHere = url?.value === address;
  const words = [
    'svc',
    'buy',
    // A key that starts with a hyphen would be an option of its own.
    ...(key.startsWith('-') ? [`--resume=${key}`] : ['--resume', key]),
    ...(isHere && globals.profile !== undefined ? ['--profile', globals.profile] : []),
    ...(isHere && url.origin !== 'flag' ? [] : ['--api-url', address]),
    ...(org === undefined ? [] : ['--org', org]),
    ...(globals.yes || !io.interactive ? ['--yes'] : []),
  ];
  return words.map(shellWord).join(' ');
}
