import { type Context, type Needs, orCancelled } from '../cli/define/context.ts';
import { listSignInVariables } from '../environment.ts';
import { CliError, type Hint, type Settling, tryOr, usageError } from '../errors.ts';
import { parseBaseUrl } from '../http/address.ts';
import { commandLine, type LineOptions } from '../shell-line.ts';
import { formatDistance } from '../terminal/format.ts';
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
    const canResume = !orderId && isKeyFresh(entry, getKeyLifetimeMs(assume), time.clock.now());
    const resume = commandLine(['buy'], { resume: key, ...signIn, org, yes });
    return {
      resume: canResume ? getEnvPrefix(entry, context) + resume : undefined,
      placed: settle({ placed: orderId ?? '<orderId>' }).replace("'<orderId>'", '<orderId>'),
      notPlaced: settle({ 'not-placed': true }),
    };
  };
}

/** Says how to end an order without sending it again, in one line. */
export function describeSettling({
  resume,
  placed,
  notPlaced,
}: {
  readonly resume?: string | null | undefined;
  readonly placed: string;
  readonly notPlaced: string;
}): string {
  if (!resume) return `Look the order up, and settle it: ${placed} (or --not-placed)`;
  return `Or look the order up, and settle it: ${notPlaced} (or --placed <orderId>)`;
}

/**
 * Says what to do about an order in doubt.
 * @param commands undefined if the journal does not have it: only the user keeps the key
 */
export function howToResolve(entry: OrderEntry, commands: ResolveCommands | undefined): Settling {
  const { key, orderId } = entry;
  const existence =
    commands && !commands.resume
      ? 'The order may exist. The platform may have forgotten this key by now:'
      : 'The order may exist. If the platform honours this key, it will not place the order twice:';
  if (!commands) {
    return { lines: [existence, key], hint: 'Repeat the command: it carries the key.' };
  }

  const hint = suggestNextStep(entry, commands);
  if (orderId) return { lines: ['Until it is settled, svc places no other order unasked.'], hint };
  return { lines: [existence, key, describeSettling(commands)], hint };
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
  if (!resume) {
    return {
      say: 'Look the order up, then settle it (--not-placed if there is none):',
      run: [placed],
      by: 'person',
    };
  }
  const { account } = entry;
  if (isMine || account.profile !== undefined) return resume;
  return {
    say: `Set SVC_TOKEN to the token that ends in ${account.tokenEnding}, then:`,
    run: [resume],
  };
}

/** Returns what takes away the variables that take precedence over `--profile`. */
function getEnvPrefix({ account }: OrderEntry, { env, program }: Needs<'env' | 'program'>): string {
  if (account.profile === undefined || program.platform === 'win32') return '';
  const words = listSignInVariables(env).map((name) => `-u ${name} `);
  return words.length === 0 ? '' : `env ${words.join('')}`;
}

function getSignIn(
  { account: { profile }, address }: OrderEntry,
  env: Needs<'env'>['env'],
): LineOptions {
  // A profile has its address, unless the environment names another one.
  const text = env['SVC_API_URL']?.trim();
  const url = text && tryOr(() => parseBaseUrl(text, { allowHttp: true }), text);
  const isNamed = url === address || (profile && !url);
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
  const named = (await readOrders(context)).filter(
    (entry) => isOpen(entry) && (key === true || entry.key === key),
  );
  const ownOrders = named.filter((entry) => isOwnOrder(entry, context));
  const found = ownOrders.length === 0 ? named : ownOrders;

  const [first] = found;
  if (!first) {
    if (key === true) throw usageError('No order is in doubt.');
    throw usageError(`No order in doubt has the key ${key}.`, 'svc orders');
  }
  if (found.length === 1) return first;
  if (!io.interactive || key !== true) {
    throw new CliError('usage', `${found.length} orders are in doubt. Choose one:`, {
      lines: found.map(
        (entry) => `${entry.key}  ${describeAccount(entry.account)}: ${entry.summary}`,
      ),
      hint: { say: 'For each:', run: found.map(getCommand) },
    });
  }

  const choices = found.map(({ key: value, summary: label, createdAt }) => {
    return { value, label, hint: formatDistance(Date.parse(createdAt), time.clock.now()) };
  });
  const chosen = await orCancelled('Nothing was sent.', () => io.select('Which order?', choices));
  return found.find((entry) => entry.key === chosen) ?? first;
}

/**
 * Returns the order in doubt that `--resume` names.
 * @throws CliError `usage` as `chooseInDoubt` does, and for another address, account or
 * organization, where it would be another order
 */
export async function chooseToResume(key: string | true, context: Context): Promise<OrderEntry> {
  const getCommands = createResolveCommands(context);
  const getCommand = (entry: OrderEntry) => {
    const { resume, placed } = getCommands(entry);
    return resume ?? placed;
  };
  const entry = await chooseInDoubt(key, getCommand, context);

  const { address, account, org } = entry;
  const current = context.settings.org();
  // An organization of the environment or a file was not asked for now.
  const isOtherOrg = org === undefined ? current?.origin === 'flag' : current?.value !== org;
  const isOwn = isOwnOrder(entry, context);
  if (isOwn && !isOtherOrg) return entry;

  const place = org ? `for the organization ${org}` : 'without an organization';
  throw usageError(
    `This order was sent to ${address} with ${describeAccount(account)}, ${place}. Nothing was sent.`,
    suggestNextStep(entry, getCommands(entry), isOwn),
  );
}

function isOwnOrder(entry: OrderEntry, { settings }: Needs<'settings'>): boolean {
  const credential = settings.credential();
  if (!credential || entry.address !== settings.findApiUrl()?.value) return false;
  return isSameAccount(entry, { ...entry, account: getAccount(credential) });
}
