import { listSignInVariables } from '../../environment.ts';
import { CliError, listNames, usageError } from '../../errors.ts';
import { isLoopback, parseBaseUrl } from '../../http/address.ts';
import { repeatLine } from '../../shell-line.ts';
import { getArguments, type TypedLine } from '../define/command.ts';
import { type Context, type Needs, orCancelled } from '../define/context.ts';
import type { Command } from '../define/define.ts';
import {
  findServiceOfDeployment,
  getCachedAddresses,
  getCachedNames,
} from '../define/name-cache.ts';
import type { KnownName } from '../define/name-notes.ts';
import { classifyNext } from '../define/next-kind.ts';
import { formatTerm, formatUsage } from '../help/describe.ts';
import { requireCredential } from '../settings/unauthenticated.ts';
import { parseService } from '../values/names.ts';
import {
  findTableOption,
  getNameKind,
  NAMED_KINDS,
  type NameKind,
  type Parameter,
  readOptions,
} from '../values/parameters.ts';
import { asValidation } from '../values/text.ts';

/** A question; `hasBack` says whether Esc leads to one before. */
export type QuestionInTurn = (hasBack: boolean) => Promise<void>;

/**
 * Asks one question after the other. Esc goes back to the one before.
 * @param hasBack whether a question comes before the first
 */
export async function askInTurn(
  questions: readonly QuestionInTurn[],
  hasBack = false,
): Promise<void> {
  for (let at = 0; at < questions.length; ) {
    try {
      await questions[at]?.(hasBack || at > 0);
      at += 1;
    } catch (error) {
      const isBack = error instanceof CliError && error.details.isBack;
      if (at === 0 || !isBack) throw error;
      at -= 1;
    }
  }
}

/** The place where people find an id. */
const PLACES: Readonly<Partial<Record<NameKind, string>>> = {
  services: 'in the dashboard: Services › your service › Settings',
  databases: 'in the dashboard',
  deployments: 'in the dashboard',
};

/** How svc asks for a name that it does not know; of other kinds only a known one can be picked. */
const QUESTIONS: Readonly<Partial<Record<NameKind, string>>> = {
  services: `Service id (${PLACES.services})`,
  organizations: 'Organization id or slug',
  databases: `Database id (${PLACES.databases})`,
  deployments: `Deployment id (${PLACES.deployments})`,
  actions: 'Action, such as cache.flush',
  jobs: 'Job id',
  plans: 'Plan id, such as plan_wp_pro',
};

/** The choice after which the answer is typed; no name has a space. */
const OTHER = 'another one';

/** A question for a name of `kind`; `read` throws for a text that is none. */
interface NameQuestion {
  readonly kind: NameKind;
  readonly names: readonly KnownName[];
  readonly read: (text: string) => unknown;
  /** The service that this folder is linked to. */
  readonly linked?: string | undefined;
}

/** Lets a person pick a name, or type another one. */
export async function pickName(
  { io }: Needs<'io'>,
  { kind, names, read, linked }: NameQuestion,
  hasBack = false,
): Promise<string> {
  const noun = kind.replace(/s$/, '');
  const article = /^[aeiou]/.test(noun) ? 'an' : 'a';
  const request = `Enter ${article} ${noun} id`;
  // What people call it comes first: `kola-blog (svc_1)`.
  const choices = names.map(({ name, about = '' }) => {
    const [first, second] = NAMED_KINDS.includes(kind) ? [about, name] : [name, about];
    const label = about === '' ? name : `${first} (${second})`;
    return { value: name, label: name === linked ? `${label}, linked now` : label };
  });
  const seen = choices.map(({ label }) => label);
  const other = QUESTIONS[kind] === undefined ? [] : [{ value: OTHER, label: `${request}…` }];
  const validate = (text: string) => {
    if (text.trim() === '') return `${request}, or press Ctrl-C to cancel.`;
    return asValidation(read)(text);
  };

  let picked = OTHER;
  const choose: QuestionInTurn = async (back) => {
    picked = await io.select(`Which ${noun}?`, [...choices, ...other], { back });
  };
  const type: QuestionInTurn = async (back) => {
    if (picked !== OTHER) return;
    picked = await io.ask(`${QUESTIONS[kind]}`, { validate, seen, back });
  };
  await askInTurn(choices.length > 0 ? [choose, type] : [type], hasBack);
  return picked;
}

/** Returns the service that is given or set, or that a person picks. */
export async function chooseService(
  context: Needs<'io' | 'globals' | 'settings' | 'store'>,
  givenId: string | undefined,
): Promise<string> {
  const { io, globals, settings } = context;
  const known = givenId ?? settings.service();
  if (known !== undefined || !io.interactive || globals.json) return settings.serviceId(givenId);
  requireCredential(settings);
  const names = getCachedNames(context, 'services');
  return parseService(await pickName(context, { kind: 'services', names, read: parseService }));
}

/** Asks for an address, and says which token will go there. */
export async function askAddress(
  context: Needs<'io' | 'settings' | 'store' | 'env'>,
): Promise<string> {
  const [variable] = listSignInVariables(context.env);
  await context.io.note(
    variable
      ? `The token of ${variable} will be sent to this address. Choose the one it belongs to.`
      : 'You are not signed in. Which platform do you want to sign in to?',
  );
  return orCancelled('Nothing was sent.', () => pickAddress(context));
}

/**
 * Lets a person pick an address that svc knows, or type one, which is checked like `--api-url`.
 */
export async function pickAddress({
  io,
  settings,
  store,
}: Needs<'io' | 'settings' | 'store'>): Promise<string> {
  const addresses = getCachedAddresses({ store });
  await io.note('No account yet? svc sandbox lets you try everything on this machine.');
  const question = {
    placeholder: 'https://api.example.com',
    seen: addresses,
    validate: asValidation((text) =>
      parseBaseUrl(withScheme(text), { field: 'The address', allowHttp: settings.allowHttp }),
    ),
  };

  let picked = OTHER;
  const choose: QuestionInTurn = async () => {
    const choices = addresses.map((value) => ({ value, label: value }));
    choices.push({ value: OTHER, label: 'Enter an address…' });
    picked = await io.select('Which platform address?', choices);
  };
  const type: QuestionInTurn = async (back) => {
    if (picked !== OTHER) return;
    picked = withScheme(await io.ask('Platform address', { ...question, back }));
  };
  await askInTurn(addresses.length > 0 ? [choose, type] : [type]);
  return picked;
}

/** Adds what people leave out: they type `api.example.com`. */
function withScheme(text: string): string {
  const typed = text.trim();
  if (typed === '' || typed.includes('://')) return typed;
  const isLocal = isLoopback(typed.split(/[:/]/)[0] ?? '');
  return isLocal ? `http://${typed}` : `https://${typed}`;
}

/**
 * Asks for what the line leaves out.
 * @throws CliError `usage` if svc cannot ask, or an option is invalid
 */
export async function askForMissing(line: TypedLine, context: Context): Promise<TypedLine> {
  const { command, items } = line;
  const texts = new Map(line.texts);
  if (!items) {
    const options = readOptions(command.options, texts);
    command.check?.(context, { ...options, csv: findTableOption(texts) });
  }

  const questions: QuestionInTurn[] = [];
  for (const [key, parameter] of line.missing) {
    const question = await planQuestion(key, parameter, command, context);
    if (!question) continue;
    questions.push(async (hasBack) => {
      const [deployment] = texts.get('deploymentId') ?? [];
      if (key === 'service' && findServiceOfDeployment(context, deployment)) return;
      texts.set(key, [await pickName(context, question, hasBack)]);
    });
  }
  await askInTurn(questions);
  return { ...line, texts };
}

/**
 * Plans how to ask; undefined if the command can do without an answer, or tells itself how to give
 * it.
 */
async function planQuestion(
  key: string,
  parameter: Parameter,
  command: Command,
  context: Context,
): Promise<NameQuestion | undefined> {
  const { io, globals, settings } = context;
  const kind = getNameKind(parameter);
  const isRequired = 'required' in parameter && parameter.required;
  const canAsk = io.interactive && !globals.json;
  if (kind === 'services' && settings.service()) return undefined;
  if (!isRequired && (!kind || !canAsk)) return undefined;

  if (kind && canAsk && kind !== 'profiles') requireCredential(settings);
  const names = kind ? await lookUpNames(kind, canAsk, command, context) : [];
  const canAnswer = kind && (names.length > 0 || QUESTIONS[kind] !== undefined);
  if (!canAsk || !canAnswer) throw missingError(key, command, { kind, names }, context);
  return { kind, names, read: (text) => parameter.read([text], `The ${key}`) };
}

/** Looks names up; off a terminal only those that files of this machine have. */
async function lookUpNames(
  kind: NameKind,
  canAsk: boolean,
  { names }: Command,
  context: Context,
): Promise<readonly KnownName[]> {
  const mayLook = canAsk || kind === 'jobs' || kind === 'orders';
  if (mayLook && names) return names(context);
  const known = getCachedNames(context, kind);
  if (kind !== 'deployments') return known;

  const services = getCachedNames(context, 'services');
  return known.map(({ name, about }) => {
    const service = services.find((one) => one.name === about);
    return { name, about: service?.about ?? about };
  });
}

const MAX_PROPOSED = 3;

/** Refuses a line that leaves a name out. Only a line that looks is proposed with a known one. */
function missingError(
  key: string,
  command: Command,
  { kind, names }: { readonly kind: NameKind | undefined; readonly names: readonly KnownName[] },
  context: Needs<'line'>,
): CliError {
  const path = `svc ${command.path}`;
  const argument = getArguments(command)[key];
  const term = argument ? formatTerm(key, argument).replace('...', '') : `--${key}`;
  const ids = names.map(({ name }) => name);
  const lines = ids
    .slice(0, MAX_PROPOSED)
    .map((id) => repeatLine(context.line, ...(argument ? [id] : [`--${key}`, id])));
  const isLook = lines.length > 0 && classifyNext(lines) === 'look';
  const place = kind && PLACES[kind];
  return usageError(
    `"${path}" needs ${term}.`,
    isLook ? { say: 'Name one of them:', run: lines } : `${path} --help`,
  ).withLines(
    `Usage: ${formatUsage(command, path)}`,
    ...(ids.length === 0 ? [] : [`Seen before: ${listNames(ids)}`]),
    ...(place === undefined ? [] : [`Find the id ${place}.`]),
  );
}
