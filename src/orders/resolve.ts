import { type Context, type Needs, orCancelled } from '../cli/define/context.ts';
import { listSignInVariables } from '../environment.ts';
import { CliError, type Hint, type Settling, usageError } from '../errors.ts';
import { parseBaseUrl } from '../http/address.ts';
import { tryOr } from '../once.ts';
import { commandLine, type LineOptions } from '../shell-line.ts';
import { formatDistance } from '../terminal/dates.ts';
import {
  describeAccount,
  getAccount,
  getKeyLifetimeMs,
  isKeyFresh,
  isOpen,
  isSameAccount,
  type OrderEntry,
} from './entry.ts';
import { readOrders } from './journal.ts';

/** The command lines that end an order in doubt, for the shell that svc runs in. */
interface ResolveCommands {
  /** Sends it again with its key. Undefined for an order that exists, and for one too old. */
  readonly resume: string | undefined;
  /** Records that a person has found the order; `<orderId>` is to be filled in. */
  readonly placed: string;
  /** Records that a person has not found it. */
  readonly notPlaced: string;
}

/** Makes the commands for an order. */
export type GetResolveCommands = (entry: OrderEntry) => ResolveCommands;

/** Makes commands with the flags that find the same account again. */
export function createResolveCommands(context: Context): GetResolveCommands {
  const { assume, io, globals, env, time } = context;
  const yes = globals.yes || !io.interactive;

  return (entry) => {
    const { key, org, orderId } = entry;
    const signIn = getSignIn(entry, env);

    const settle = (end: LineOptions) => {
      // Several accounts may have chosen the same key.
      const account = entry.ownKey ? signIn : {};
      return commandLine(['orders', 'settle', key], { ...end, ...account });
    };
    const isFresh = isKeyFresh(entry, getKeyLifetimeMs(assume), time.clock.now());
    const canResume = orderId === undefined && isFresh;
    const resume = commandLine(['buy'], { resume: key, ...signIn, org, yes });
    return {
      resume: canResume ? getEnvPrefix(entry, context) + resume : undefined,
      placed: settle({ placed: orderId ?? '<orderId>' }).replace("'<orderId>'", '<orderId>'),
      notPlaced: settle({ 'not-placed': true }),
    };
  };
}

/** Says how to end an order without sending it again, in one line. */
export function describeSettling({ resume, placed, notPlaced }: ResolveCommands): string {
  if (resume === undefined) return `Look the order up, and settle it: ${placed} (or --not-placed)`;
  return `Or look the order up, and settle it: ${notPlaced} (or --placed <orderId>)`;
}

/** Says what to do about an order in doubt that the journal has. */
export function howToResolve(entry: OrderEntry, commands: ResolveCommands): Settling {
  const hint = suggestNextStep(entry, commands);
  if (entry.orderId !== undefined) {
    return { lines: ['Until it is settled, svc places no other order unasked.'], hint };
  }
  const existence = commands.resume === undefined ? mayBeForgotten(entry.key) : mayExist(entry.key);
  return { lines: [...existence, describeSettling(commands)], hint };
}

/** Says what to do about an order in doubt of which only the user keeps the key. */
export function howToResolveByKey(key: string): Settling {
  return { lines: mayExist(key), hint: 'Repeat the command: it carries the key.' };
}

function mayExist(key: string): readonly string[] {
  return [
    'The order may exist. If the platform honours this key, it will not place the order twice:',
    key,
  ];
}

function mayBeForgotten(key: string): readonly string[] {
  return ['The order may exist. The platform may have forgotten this key by now:', key];
}

/**
 * Returns the next step for an order that was sent before. To resume an order of another bare
 * token, the token must be set first.
 */
export function suggestNextStep(
  entry: OrderEntry,
  { resume, placed }: ResolveCommands,
  isMine = true,
): Hint {
  if (!isOpen(entry)) return 'svc orders';
  if (resume === undefined) {
    return {
      say: 'Look the order up, then settle it (--not-placed if there is none):',
      run: [placed],
      by: 'person',
    };
  }
  const { account } = entry;
  if (isMine || 'profile' in account) return resume;
  return {
    say: `Set SVC_TOKEN to the token that ends in ${account.tokenEnding}, then:`,
    run: [resume],
  };
}

/** Returns what takes away the variables that take precedence over `--profile`. */
function getEnvPrefix({ account }: OrderEntry, { env, program }: Needs<'env' | 'program'>): string {
  if (!('profile' in account) || program.platform === 'win32') return '';
  const words = listSignInVariables(env).map((name) => `-u ${name} `);
  return words.length === 0 ? '' : `env ${words.join('')}`;
}

function getSignIn({ account, address }: OrderEntry, env: Needs<'env'>['env']): LineOptions {
  const profile = 'profile' in account ? account.profile : undefined;
  // A profile has its address, unless the environment names another one.
  const text = env['SVC_API_URL']?.trim();
  const url = text && tryOr(() => parseBaseUrl(text, { allowHttp: true }), text);
  const isNamed = url === address || (profile !== undefined && !url);
  return { profile, 'api-url': isNamed ? undefined : address };
}

/**
 * Returns the order in doubt with a key; that of the sign-in in use if several accounts have chosen
 * it.
 * @param key true for the only one, or the one that a person picks
 * @param getCommand the command that an error proposes for each of several
 * @throws CliError `usage` if there is none, or several and nobody to ask
 */
export async function chooseInDoubt(
  key: string | true,
  getCommand: (entry: OrderEntry) => string,
  context: Needs<'io' | 'settings' | 'store' | 'time'>,
): Promise<OrderEntry> {
  const { io, time } = context;
  const inDoubt = (await readOrders(context)).filter(isOpen);
  const named = key === true ? inDoubt : inDoubt.filter((entry) => entry.key === key);
  const ownOrders = named.filter((entry) => isOwnOrder(entry, context));
  const found = ownOrders.length === 0 ? named : ownOrders;

  const [first] = found;
  if (first === undefined) {
    if (key === true) throw usageError('No order is in doubt.');
    throw usageError(`No order in doubt has the key ${key}.`, 'svc orders');
  }
  if (found.length === 1) return first;
  if (!io.interactive || key !== true) throw severalInDoubtError(found, getCommand);

  const choices = found.map(({ key: value, summary: label, createdAt }) => {
    return { value, label, hint: formatDistance(Date.parse(createdAt), time.clock.now()) };
  });
  const chosen = await orCancelled('Nothing was sent.', () => io.select('Which order?', choices));
  return found.find((entry) => entry.key === chosen) ?? first;
}

function severalInDoubtError(
  entries: readonly OrderEntry[],
  getCommand: (entry: OrderEntry) => string,
): CliError {
  return new CliError('usage', `${entries.length} orders are in doubt. Choose one:`, {
    lines: entries.map(
      (entry) => `${entry.key}  ${describeAccount(entry.account)}: ${entry.summary}`,
    ),
    hint: { say: 'For each:', run: entries.map(getCommand) },
  });
}

/**
 * Throws a usage error for another address, account or organization, where it would be another
 * order.
 */
export function checkCanResume(
  entry: OrderEntry,
  commands: ResolveCommands,
  context: Needs<'settings'>,
): void {
  const { address, account, org } = entry;
  const current = context.settings.org();
  // An organization of the environment or a file was not asked for now.
  const isOtherOrg = org === undefined ? current?.origin === 'flag' : current?.value !== org;
  const isOwn = isOwnOrder(entry, context);
  if (isOwn && !isOtherOrg) return;

  const place = org === undefined ? 'without an organization' : `for the organization ${org}`;
  throw usageError(
    `This order was sent to ${address} with ${describeAccount(account)}, ${place}. Nothing was sent.`,
    suggestNextStep(entry, commands, isOwn),
  );
}

function isOwnOrder(entry: OrderEntry, { settings }: Needs<'settings'>): boolean {
  const credential = settings.credential();
  if (credential === undefined || entry.address !== settings.findApiUrl()?.value) return false;
  return isSameAccount(entry, { ...entry, account: getAccount(credential) });
}
