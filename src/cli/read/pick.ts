import { listSignInVariables } from '../../environment.ts';
import { CliError, listed, usageError } from '../../errors.ts';
import { isLoopback, parseBaseUrl } from '../../http/address.ts';
import { commandLine } from '../../shell-line.ts';
import { orCancelled, parseService, proposeRepeats } from '../define/ask.ts';
import { getArguments, type TypedLine } from '../define/command.ts';
import type { Context, Needs } from '../define/context.ts';
import type { Command } from '../define/define.ts';
import {
  findServiceOfDeployment,
  getCachedAddresses,
  getCachedNames,
} from '../define/name-cache.ts';
import type { KnownName } from '../define/result.ts';
import { termOf, usageOf } from '../help/describe.ts';
import { requireCredential } from '../settings/unauthenticated.ts';
import { asValidation } from '../values/choice.ts';
import { getNameKind, type NameKind, type Parameter } from '../values/parameters.ts';
import { findTableOption, readOptions } from '../values/read-values.ts';

/** `back` says whether Esc leads to a question before. */
export type QuestionInTurn = (back: boolean) => Promise<void>;

/** Esc goes back to the question before; `back` says whether one comes before the first. */
export async function askInTurn(questions: readonly QuestionInTurn[], back = false): Promise<void> {
  for (let at = 0; at < questions.length; ) {
    try {
      await questions[at]?.(back || at > 0);
      at += 1;
    } catch (error) {
      if (at === 0 || !(error instanceof CliError && error.details.isBack)) throw error;
      at -= 1;
    }
  }
}

const WHERE: Readonly<Partial<Record<NameKind, string>>> = {
  services: 'in the dashboard: Services › your service › Settings',
  databases: 'in the dashboard',
  deployments: 'in the dashboard',
};

/** The answer will be typed; no name has a space. */
const OTHER = 'another one';

/** How to ask for a name that was not seen; of other kinds only a known one can be picked. */
const TYPED: Readonly<Partial<Record<NameKind, string>>> = {
  services: `Service id (${WHERE.services})`,
  organizations: 'Organization id or slug',
  databases: `Database id (${WHERE.databases})`,
  deployments: `Deployment id (${WHERE.deployments})`,
  actions: 'Action, such as cache.flush',
  jobs: 'Job id',
  plans: 'Plan id, such as plan_wp_pro',
};

/** A person picks a name, or types another one: `read` throws for a text that is none. */
export async function pick(
  { io }: Needs<'io'>,
  kind: NameKind,
  names: readonly KnownName[],
  read: (text: string) => unknown,
  back = false,
): Promise<string> {
  const one = kind.replace(/s$/, '');
  const choices = names.map(({ name, about }) => ({
    value: name,
    label: about ? `${name} (${about})` : name,
  }));
  const seen = choices.map(({ label }) => label);
  const enter = `Enter ${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one} id`;
  const another = TYPED[kind] === undefined ? [] : [{ value: OTHER, label: `${enter}…` }];
  const validate = (text: string) =>
    text.trim() === '' ? `${enter}, or press Ctrl-C to cancel.` : asValidation(read)(text);
  return chooseOrType(
    choices.length > 0 &&
      ((isBack) => io.select(`Which ${one}?`, [...choices, ...another], { back: isBack })),
    (isBack) => io.ask(`${TYPED[kind]}`, { validate, seen, back: isBack }),
    back,
  );
}

type Answered = (back: boolean) => Promise<string>;

async function chooseOrType(
  choose: Answered | false,
  type: Answered,
  back = false,
): Promise<string> {
  let picked = OTHER;
  const choosing: QuestionInTurn = async (isBack) => {
    if (choose) picked = await choose(isBack);
  };
  const typing: QuestionInTurn = async (isBack) => {
    if (picked === OTHER) picked = await type(isBack);
  };
  await askInTurn(choose ? [choosing, typing] : [typing], back);
  return picked;
}

/** The service that is given or set, or that a person picks. */
export async function chooseService(
  context: Needs<'io' | 'globals' | 'settings' | 'store'>,
  given: string | undefined,
): Promise<string> {
  const { io, globals, settings } = context;
  const isKnown = given !== undefined || settings.service() !== undefined;
  if (isKnown || !io.interactive || globals.json) return settings.serviceId(given);
  requireCredential(settings);
  return parseService(
    await pick(context, 'services', getCachedNames(context, 'services'), parseService),
  );
}

/** Says which token will go to the address that a person names. */
export async function askAddress(
  context: Needs<'io' | 'settings' | 'store' | 'env'>,
): Promise<string> {
  const [variable] = listSignInVariables(context.env);
  await context.io.note(
    variable === undefined
      ? 'You are not signed in. Which platform do you want to sign in to?'
      : `The token of ${variable} will be sent to this address. Choose the one it belongs to.`,
  );
  return orCancelled('Nothing was sent.', () => pickAddress(context));
}

/** A person picks an address that was seen, or types one, which is checked like `--api-url`. */
export async function pickAddress(context: Needs<'io' | 'settings' | 'store'>): Promise<string> {
  const { io, settings } = context;
  const seen = getCachedAddresses(context);
  await io.note('No account yet? svc sandbox lets you try everything on this machine.');
  const options = { field: 'The address', allowHttp: settings.allowHttp };
  const validate = asValidation((text) => parseBaseUrl(withScheme(text), options));
  const choices = [
    ...seen.map((value) => ({ value })),
    { value: OTHER, label: 'Enter an address…' },
  ];
  const placeholder = 'https://api.example.com';
  return chooseOrType(
    seen.length > 0 && (() => io.select('Which platform address?', choices)),
    async (back) =>
      withScheme(await io.ask('Platform address', { placeholder, validate, seen, back })),
  );
}

/** People type `api.example.com`. */
function withScheme(text: string): string {
  const typed = text.trim();
  if (typed === '' || typed.includes('://')) return typed;
  return `${isLoopback(typed.split(/[:/]/)[0] ?? '') ? 'http' : 'https'}://${typed}`;
}

/**
 * With answers for what the line leaves out. Throws a usage error if svc cannot ask, or an option
 * is invalid.
 */
export async function askForMissing(line: TypedLine, context: Context): Promise<TypedLine> {
  const { command, items } = line;
  const texts = new Map(line.texts);
  if (items === undefined) {
    const options = readOptions(command.options, texts);
    command.check?.(context, { ...options, csv: findTableOption(texts) });
  }
  const questions: QuestionInTurn[] = [];
  for (const [key, parameter] of line.missing) {
    if (key === 'service' && findServiceOfDeployment(context, texts.get('deploymentId')?.[0]))
      continue;
    const ask = await questionFor(key, parameter, command, context);
    if (ask === undefined) continue;
    questions.push(async (back) => void texts.set(key, [await ask(back)]));
  }
  await askInTurn(questions);
  return { ...line, texts };
}

/** Undefined if the command can do without it, or names the ways to give it itself. */
async function questionFor(
  key: string,
  parameter: Parameter,
  command: Command,
  context: Context,
): Promise<Answered | undefined> {
  const { io, globals, settings } = context;
  const kind = getNameKind(parameter);
  const isRequired = 'required' in parameter && parameter.required;
  const canAsk = io.interactive && !globals.json;
  if (kind === 'services' && settings.service() !== undefined) return undefined;
  if (!isRequired && (kind === undefined || !canAsk)) return undefined;
  if (kind === undefined) throw missing(command, key, kind, [], context);
  // Those on record are files of this machine; others may be asked of the platform.
  const isOnRecord = kind === 'jobs' || kind === 'orders';
  const mayLook = isOnRecord || canAsk;
  if (canAsk && kind !== 'profiles') requireCredential(settings);
  const names =
    mayLook && command.names ? await command.names(context) : getCachedNames(context, kind);
  if (!canAsk || (names.length === 0 && TYPED[kind] === undefined))
    throw missing(command, key, kind, names, context);
  return (back) => pick(context, kind, names, (text) => parameter.read([text], `The ${key}`), back);
}

function missing(
  command: Command,
  key: string,
  kind: NameKind | undefined,
  seen: readonly KnownName[],
  context: Needs<'io' | 'line'>,
): CliError {
  const names = seen.map(({ name }) => name);
  const path = `svc ${command.path}`;
  const argument = getArguments(command)[key];
  const term = argument === undefined ? `--${key}` : termOf(key, argument).replace('...', '');
  const where = kind && WHERE[kind];
  const known = proposeRepeats(
    context,
    ...names.map((name) => (argument === undefined ? [`--${key}`, name] : [name])),
  );
  const [first] = names;
  const one =
    first === undefined || argument === undefined
      ? `${path} --help`
      : commandLine([...command.path.split(' '), first]);
  const hint = known.length === 0 ? one : { say: 'Name one of them:', run: known };
  const lines = [
    `Usage: ${usageOf(command, path)}`,
    ...(names.length === 0 ? [] : [`Seen before: ${listed(names)}`]),
    ...(where === undefined ? [] : [`Find the id ${where}.`]),
  ];
  return usageError(`"${path}" needs ${term}.`, hint).with({ lines });
}
