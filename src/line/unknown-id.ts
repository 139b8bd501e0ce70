import type { CliError, Hint } from '../errors.ts';
import type { TypedLine } from '../kit/command.ts';
import type { Context } from '../kit/context.ts';
import { namesSeen } from '../kit/known.ts';
import { type NameKind, nameKindOf } from '../kit/parameters.ts';
import { closest } from '../kit/values/choice.ts';

/** What an id may be instead, and the line that is about it. */
const KINDS: ReadonlyArray<readonly [kind: NameKind, one: string, about: string]> = [
  ['services', 'a service', 'svc metrics'],
  ['deployments', 'a deployment', 'svc deployments inspect'],
  ['databases', 'a database', 'svc db inspect'],
  ['organizations', 'an organization', 'svc whoami --org'],
  ['plans', 'a plan', 'svc buy --plan'],
];

const DOMAIN = /^[a-z0-9-]+\.[a-z0-9.-]+$/i;
/** Fewer characters are the beginning of many ids. */
const MIN_CUT = 4;

/** Explains that the platform does not know an id, where this machine has seen what was probably meant. */
export function explainUnknownId(error: CliError, { command, texts }: TypedLine, context: Context): CliError {
  for (const [key, parameter] of Object.entries({ ...command.args, ...command.options })) {
    const kind = nameKindOf(parameter);
    const text = texts.get(key)?.[0];
    if (kind === undefined || text === undefined || isSeen(text, kind, context)) continue;
    const found = meantById(text, kind, context);
    if (found !== undefined) return error.with(found);
  }
  return error;
}

function isSeen(text: string, kind: NameKind, context: Context): boolean {
  return namesSeen(context, kind).some(({ name }) => name === text);
}

function meantById(text: string, kind: NameKind, context: Context): { lines: string[]; hint: Hint } | undefined {
  const known = namesSeen(context, kind);
  const instead = (say: string, id: string) => ({ lines: [say], hint: context.lineWith(text, id) });
  // What is said of a deployment is its service.
  const isNamed = kind !== 'deployments';
  const named = known.find(({ about }) => isNamed && about?.toLowerCase() === text.toLowerCase())?.name;
  if (named !== undefined) return instead(`${text} is the name of ${named}. Scripts and lists take ids.`, named);
  const other = KINDS.find(([one]) => one !== kind && isSeen(text, one, context));
  if (other !== undefined) return { lines: [`${text} is ${other[1]}.`], hint: `${other[2]} ${text}` };
  if (DOMAIN.test(text)) return { lines: [`${text} is a domain.`], hint: `svc domains status ${text}` };
  const names = known.map(({ name }) => name);
  const isCut = (name: string) => text.length >= MIN_CUT && name.startsWith(text);
  const meant = names.find(isCut) ?? closest(text, names);
  return meant === undefined ? undefined : instead(`Did you mean ${meant}?`, meant);
}
