import { signInVariablesIn } from '../environment.ts';
import { CliError, listed, usageError } from '../errors.ts';
import { isLoopback, parseBaseUrl } from '../http/address.ts';
import { shellWord } from '../shell-line.ts';
import { againWith, orCancelled, parseService } from './ask.ts';
import { argumentsOf, type TypedLine } from './command.ts';
import type { Context } from './context.ts';
import type { Command } from './define.ts';
import { termOf, usageOf } from './describe.ts';
import { addressesSeen, namesSeen, serviceOfDeployment } from './known.ts';
import { type NameKind, nameKindOf, type Parameter } from './parameters.ts';
import { askedTable, readOptions } from './read-values.ts';
import type { KnownName } from './result.ts';
import { requireCredential } from './unauthenticated.ts';
import { asValidation } from './values/choice.ts';

/** A question among several. `back` says whether Esc leads to one before it. */
export type QuestionInTurn = (back: boolean) => Promise<void>;

/** Asks one question after the other. Esc goes back to the one before; `back` says whether one comes before the first. */
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

/** Stands for an answer that is typed; no name has a space. */
const OTHER = 'another one';

interface Kind {
  /** Asks for a name that this machine has not seen; without it only known names can be picked. */
  readonly typed?: string;
  readonly where?: string;
}

const KINDS: Readonly<Partial<Record<NameKind, Kind>>> = {
  services: { typed: 'Service id', where: 'in the dashboard: Services › your service › Settings' },
  organizations: { typed: 'Organization id or slug' },
  databases: { typed: 'Database id', where: 'in the dashboard' },
  deployments: { typed: 'Deployment id', where: 'in the dashboard' },
  actions: { typed: 'Action, such as cache.flush' },
  jobs: { typed: 'Job id' },
  plans: { typed: 'Plan id, such as plan_wp_pro' },
};

/**
 * Lets a person pick a name of a kind, or type another one. `read` throws for a text that is no such name, and `back` says
 * whether Esc leads to a question before.
 */
export async function pick(
  { io }: Pick<Context, 'io'>,
  kind: NameKind,
  names: readonly KnownName[],
  read: (text: string) => unknown,
  back = false,
): Promise<string> {
  const one = kind.replace(/s$/, '');
  const { typed, where } = KINDS[kind] ?? {};
  const choices = names.map(({ name, about }) => ({ value: name, label: about ? `${name} (${about})` : name }));
  const enter = `Enter ${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one} id`;
  const another = typed === undefined ? [] : [{ value: OTHER, label: `${enter}…` }];
  const question = where === undefined ? `${typed}` : `${typed} (${where})`;
  const seen = choices.map(({ label }) => label);
  const isEmpty = (text: string) => (text.trim() === '' ? `${enter}, or press Ctrl-C to cancel.` : undefined);
  const validate = (text: string) => isEmpty(text) ?? asValidation(read)(text);
  return chooseOrType(
    choices.length > 0 && ((isBack) => io.select(`Which ${one}?`, [...choices, ...another], { back: isBack })),
    (isBack) => io.ask(question, { validate, seen, back: isBack }),
    back,
  );
}

type Answered = (back: boolean) => Promise<string>;

/** Asks for one of a list, if there is one, and for a text if none of it is meant. */
async function chooseOrType(choose: Answered | false, type: Answered, back = false): Promise<string> {
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

/** Returns the service that is given or set. On a terminal, lets a person pick one if there is none. */
export async function chooseService(context: Context, given: string | undefined): Promise<string> {
  const { io, settings } = context;
  const isKnown = given !== undefined || settings.service() !== undefined;
  if (isKnown || !io.interactive || settings.globals.json) return settings.serviceId(given);
  requireCredential(settings);
  return parseService(await pick(context, 'services', namesSeen(context, 'services'), parseService));
}

/** Asks for the address that the run needs, and says which token will go there. */
export async function askAddress(context: Context): Promise<string> {
  const [variable] = signInVariablesIn(context.env);
  await context.io.note(
    variable === undefined
      ? 'You are not signed in. Which platform do you want to sign in to?'
      : `The token of ${variable} will be sent to this address. Choose the one it belongs to.`,
  );
  return orCancelled('Nothing was sent.', () => pickAddress(context));
}

/** Lets a person pick an address that this machine has seen, or type another one, which is checked like `--api-url`. */
export async function pickAddress(context: Context): Promise<string> {
  const { io, settings } = context;
  const addresses = addressesSeen(context);
  await io.note('No account yet? svc sandbox lets you try everything on this machine.');
  const check = (text: string) =>
    parseBaseUrl(withScheme(text), { field: 'The address', allowHttp: settings.allowHttp });
  const choices = [...addresses.map((value) => ({ value })), { value: OTHER, label: 'Enter an address…' }];
  const typed = { placeholder: 'https://api.example.com', validate: asValidation(check), seen: addresses };
  return chooseOrType(addresses.length > 0 && (() => io.select('Which platform address?', choices)), async (back) =>
    withScheme(await io.ask('Platform address', { ...typed, back })),
  );
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
export async function askForMissing(line: TypedLine, context: Context): Promise<TypedLine> {
  const { command, missing, items } = line;
  const texts = new Map(line.texts);
  if (items === undefined) {
    const options = readOptions(command.options, texts);
    command.check?.(context, { ...options, csv: askedTable(texts) });
  }
  const questions: QuestionInTurn[] = [];
  for (const [key, parameter] of missing) {
    if (key === 'service' && serviceOfDeployment(context, texts.get('deploymentId')?.[0])) continue;
    const ask = await questionFor(key, parameter, command, context);
    if (ask === undefined) continue;
    questions.push(async (back) => void texts.set(key, [await ask(back)]));
  }
  await askInTurn(questions);
  return { ...line, texts };
}

/** Returns how to ask for a parameter; undefined if the command can do without it, or names the ways to give it itself. */
async function questionFor(
  key: string,
  parameter: Parameter,
  command: Command,
  context: Context,
): Promise<Answered | undefined> {
  const { io, settings } = context;
  const kind = nameKindOf(parameter);
  const isRequired = 'required' in parameter && parameter.required;
  const canAsk = io.interactive && !settings.globals.json;
  if (kind === 'services' && settings.service() !== undefined) return undefined;
  if (!isRequired && (kind === undefined || !canAsk)) return undefined;
  if (kind === undefined) throw missing(command, key, kind, [], context);
  const isOnRecord = kind === 'jobs' || kind === 'orders';
  const onRecord = isOnRecord && command.names ? await command.names(context) : namesSeen(context, kind);
  if (!canAsk) throw missing(command, key, kind, onRecord, context);
  if (kind !== 'profiles') requireCredential(settings);
  const names = command.names && !isOnRecord ? await command.names(context) : onRecord;
  if (names.length === 0 && KINDS[kind]?.typed === undefined) throw missing(command, key, kind, names, context);
  return (back) => pick(context, kind, names, (text) => parameter.read([text], `The ${key}`), back);
}

function missing(
  command: Command,
  key: string,
  kind: NameKind | undefined,
  seen: readonly KnownName[],
  context: Context,
): CliError {
  const names = seen.map(({ name }) => name);
  const path = `svc ${command.path}`;
  const argument = argumentsOf(command)[key];
  const term = argument === undefined ? `--${key}` : termOf(key, argument).replace('...', '');
  const where = kind && KINDS[kind]?.where;
  const flag = argument === undefined ? [`--${key}`] : [];
  const known = againWith(context, ...names.map((name) => [...flag, name]));
  const [first] = names;
  const one = first === undefined || argument === undefined ? `${path} --help` : `${path} ${shellWord(first)}`;
  const hint = known.length === 0 ? one : { say: 'Name one of them:', run: known };
  return usageError(`"${path}" needs ${term}.`, hint).with({
    lines: [
      `Usage: ${usageOf(command, path)}`,
      ...(names.length === 0 ? [] : [`Seen before: ${listed(names)}`]),
      ...(where === undefined ? [] : [`Find the id ${where}.`]),
    ],
  });
}
