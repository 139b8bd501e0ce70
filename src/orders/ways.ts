import type { Needs } from '../cli/define/context.ts';
import { signInVariablesIn } from '../environment.ts';
import type { Hint, Settling } from '../errors.ts';
import { parseBaseUrl } from '../http/address.ts';
import { tryRead } from '../once.ts';
import { shellWord } from '../shell-line.ts';
import type { OrderEntry } from './order.ts';

/** The command lines that end an order in doubt, for the shell that svc runs in. */
export interface Ways {
  /** Sends it again with its key. Undefined for an order that exists. */
  readonly resume: string | undefined;
  /** For who has found the order; `<orderId>` is to be filled in. */
  readonly placed: string;
  /** For who has not found it. */
  readonly notPlaced: string;
}

/** With the flags that find the same account again. */
export function waysOf(
  context: Needs<'io' | 'globals' | 'env' | 'program'>,
  entry: OrderEntry,
): Ways {
  const { key, state, orderId = '<orderId>' } = entry;
  const { io, globals } = context;
  const yes = globals.yes || !io.interactive ? ['--yes'] : [];
  // A separate word that starts with a hyphen would be another option.
  const isLikeOption = key.startsWith('-');
  const settle = (...end: readonly string[]) =>
    lineOf([
      ...['svc', 'orders', 'settle'],
      ...(isLikeOption ? end : [key, ...end]),
      // Several accounts may have chosen the same key.
      ...(entry.ownKey ? signInWords(context, entry) : []),
      ...(isLikeOption ? ['--', key] : []),
    ]);
  const resumed = [
    ...unsetting(context, entry),
    ...['svc', 'buy', ...(isLikeOption ? [`--resume=${key}`] : ['--resume', key])],
    ...signInWords(context, entry),
    ...(entry.org === undefined ? [] : ['--org', entry.org]),
    ...yes,
  ];
  return {
    resume: state === 'doubtful' ? undefined : lineOf(resumed),
    placed: settle('--placed', orderId).replace("'<orderId>'", '<orderId>'),
    notPlaced: settle('--not-placed'),
  };
}

/** How to end an order without sending it again, in one line. */
export function settleLine({ resume, placed, notPlaced }: Ways): string {
  if (resume === undefined) return `Look the order up, and settle it: ${placed} (or --not-placed)`;
  return `Or look the order up, and settle it: ${notPlaced} (or --placed <orderId>)`;
}

/** If no answer says what became of it. */
export function settlingByJournal(
  context: Needs<'io' | 'globals' | 'env' | 'program'>,
  entry: OrderEntry,
): Settling {
  const ways = waysOf(context, entry);
  return { lines: [...mayExist(entry.key), settleLine(ways)], hint: ways.resume };
}

/** Ways to settle one that exists, and whose answer contradicts itself. */
export function settlingTrouble(
  context: Needs<'io' | 'globals' | 'env' | 'program'>,
  entry: OrderEntry,
  orderId: string,
): Settling {
  const ways = waysOf(context, { ...entry, state: 'doubtful', orderId });
  return {
    lines: ['Until it is settled, svc does not place the same order again.'],
    hint: lookUp(ways),
  };
}

function lookUp({ placed }: Ways): Hint {
  return {
    say: 'Look the order up, then settle it (--not-placed if there is none):',
    run: [placed],
    by: 'person',
  };
}

/** If it is not in the journal, because the user keeps its key. */
export function settlingByKey(key: string): Settling {
  return { lines: mayExist(key), hint: 'Repeat the command: it carries the key.' };
}

function mayExist(key: string): readonly string[] {
  return [
    'The order may exist. If the platform honours this key, it will not place the order twice:',
    key,
  ];
}

/** The next step. To resume an order of another bare token, the token must be set first. */
export function doubtStep({ account }: OrderEntry, ways: Ways, isMine: boolean): Hint {
  const { resume } = ways;
  if (resume === undefined) return lookUp(ways);
  if (isMine || 'profile' in account) return resume;
  return {
    say: `Set SVC_TOKEN to the token that ends in ${account.tokenEnding}, then:`,
    run: [resume],
  };
}

function lineOf(words: readonly string[]): string {
  return words.map((word) => shellWord(word)).join(' ');
}

/** Variables that take precedence over `--profile` are taken away. */
function unsetting(
  { env, program }: Needs<'env' | 'program'>,
  { account }: OrderEntry,
): readonly string[] {
  const unset =
    !('profile' in account) || program.platform === 'win32' ? [] : signInVariablesIn(env);
  return unset.length === 0 ? [] : ['env', ...unset.flatMap((name) => ['-u', name])];
}

function signInWords({ env }: Needs<'env'>, { account, address }: OrderEntry): readonly string[] {
  const profile = 'profile' in account ? account.profile : undefined;
  // A profile has its address, unless the environment names another one.
  const text = env['SVC_API_URL']?.trim() || undefined;
  const url = text && tryRead(() => parseBaseUrl(text, { allowHttp: true }), text);
  const isNamed = url === address || (profile !== undefined && url === undefined);
  return [
    ...(profile === undefined ? [] : ['--profile', profile]),
    ...(isNamed ? [] : ['--api-url', address]),
  ];
}
