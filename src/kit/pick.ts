import { listed, usageError } from '../errors.ts';
import { isLoopback, parseBaseUrl } from '../http/address.ts';
import { againWith, parseService, SERVICE_IDS } from './ask.ts';
import type { Context } from './context.ts';
import { argumentsOf, type Command, type ParsedLine } from './define.ts';
import { termOf, usageOf } from './describe.ts';
import { addressesSeen, namesSeen } from './known.ts';
import { type NameKind, nameKindOf, type Parameter } from './parameters.ts';
import { readOptions } from './read-values.ts';
import type { KnownName } from './result.ts';
import { requireCredential } from './unauthenticated.ts';
import { asValidation } from './values/choice.ts';

interface Kind {
  /** Asks for a name that this machine has not seen; without it only known names can be picked. */
  readonly typed?: string;
  /** Where its ids are found, in a sentence. */
  readonly where?: string;
}

const KINDS: Readonly<Partial<Record<NameKind, Kind>>> = {
  services: { typed: 'Service id', where: SERVICE_IDS },
  organizations: { typed: 'Organization id or slug' },
  databases: { typed: 'Database id', where: 'Find the id in the dashboard.' },
  deployments: { typed: 'Deployment id', where: 'Find the id in the dashboard.' },
  actions: { typed: 'Action, such as cache.flush' },
  plans: { typed: 'Plan id, such as plan_wp_pro' },
};

/** Lets a person pick a name of a kind, or type another one. `read` throws for a text that is no such name. */
export async function pick(
  { io }: Pick<Context, 'io'>,
  kind: NameKind,
  names: readonly KnownName[],
  read: (text: string) => unknown,
): Promise<string> {
  const one = kind.replace(/s$/, '');
  const { typed, where } = KINDS[kind] ?? {};
  if (names.length > 0) {
    const choices = names.map(({ name, about }) => ({ value: name, label: about ? `${name} (${about})` : name }));
    // No name has a space.
    const another = `another ${one}`;
    const picked = await io.select(`Which ${one}?`, typed === undefined ? choices : [...choices, { value: another }]);
    if (picked !== another) return picked;
  }
  const question = where === undefined ? `${typed}` : `${typed}. ${where.replace(/\.$/, '')}`;
  return io.ask(question, { validate: asValidation(read) });
}

/** Returns the service that is given or set. On a terminal, lets a person pick one if there is none. */
export async function chooseService(context: Context, given: string | undefined): Promise<string> {
  const { io, settings } = context;
  const isKnown = given !== undefined || settings.service() !== undefined;
  if (isKnown || !io.interactive || settings.globals.json) return settings.serviceId(given);
  requireCredential(settings);
  return parseService(await pick(context, 'services', namesSeen(context, 'services'), parseService));
}

/** Lets a person pick an address that this machine has seen, or type another one, which is checked like `--api-url`. */
export async function pickAddress(context: Pick<Context, 'io' | 'vault' | 'settings'>): Promise<string> {
  const { io, settings } = context;
  const addresses = addressesSeen(context);
  await io.note('No account yet? svc sandbox lets you try everything on this machine.');
  if (addresses.length > 0) {
    const another = 'another address';
    const choices = [...addresses, another].map((value) => ({ value }));
    const picked = await io.select('Which service address?', choices);
    if (picked !== another) return picked;
  }
  const check = (text: string) =>
    parseBaseUrl(withScheme(text), { field: 'The address', allowHttp: settings.allowHttp });
  const placeholder = 'https://api.example.com';
  return withScheme(await io.ask('Service address', { placeholder, validate: asValidation(check) }));
}

/** Completes an address as people type it, such as `api.example.com`. */
function withScheme(text: string): string {
  const typed = text.trim();
  if (typed === '' || typed.includes('://')) return typed;
  return `${isLoopback(typed.split(/[:/]/)[0] ?? '') ? 'http' : 'https'}://${typed}`;
}

/**
 * Asks for what a line leaves out, and returns it with the answers.
 * @throws CliError `usage` for a missing argument if svc cannot ask, and before the first question for an invalid option.
 */
export async function askForMissing(line: ParsedLine, context: Context): Promise<ParsedLine> {
  const { command, missing, items } = line;
  const texts = new Map(line.texts);
  if (items === undefined) {
    const options = readOptions(command.options, texts);
    command.check?.(context, { ...options, csv: texts.has('csv') });
  }
  for (const [key, parameter] of missing) {
    const answer = await askFor(key, parameter, command, context);
    if (answer !== undefined) texts.set(key, [answer]);
  }
  return { ...line, texts };
}

/** Asks for one parameter. Returns undefined if the command can do without it, or names the ways to give it itself. */
async function askFor(
  key: string,
  parameter: Parameter,
  command: Command,
  context: Context,
): Promise<string | undefined> {
  const { io, settings } = context;
  const kind = nameKindOf(parameter);
  const isRequired = 'required' in parameter && parameter.required;
  const canAsk = io.interactive && !settings.globals.json;
  if (kind === 'services' && settings.service() !== undefined) return undefined;
  if (!isRequired && (kind === undefined || !canAsk)) return undefined;
  if (kind === undefined) throw missing(command, key, kind, [], context);
  if (!canAsk) throw missing(command, key, kind, namesSeen(context, kind), context);
  if (kind !== 'profiles') requireCredential(settings);
  const names = command.names ? await command.names(context) : namesSeen(context, kind);
  const canType = KINDS[kind]?.typed !== undefined;
  if (names.length === 0 && !canType) throw missing(command, key, kind, names, context);
  return pick(context, kind, names, (text) => parameter.read([text], `The ${key}`));
}

function missing(
  command: Command,
  key: string,
  kind: NameKind | undefined,
  names: readonly KnownName[],
  context: Context,
) {
  const path = `svc ${command.path}`;
  const argument = argumentsOf(command)[key];
  const term = argument === undefined ? `--${key}` : termOf(key, argument).replace('...', '');
  const where = kind && KINDS[kind]?.where;
  const flag = argument === undefined ? [`--${key}`] : [];
  const known = againWith(context, ...names.map(({ name }) => [...flag, name]));
  const hint = known.length === 0 ? `${path} --help` : { say: 'Name one of them:', run: known };
  return usageError(`"${path}" needs ${term}.`, hint).with({
    lines: [
      `Usage: ${usageOf(command, path)}`,
      ...(names.length === 0 ? [] : [`Seen before: ${listed(names.map(({ name }) => name))}`]),
      ...(where === undefined ? [] : [where]),
    ],
  });
}
