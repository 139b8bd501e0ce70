import { type CliError, cancelled, type ErrorDetails, quoted, usageError } from '../../errors.ts';
import { repeatLine } from '../../shell-line.ts';
import type { View } from '../../terminal/terminal.ts';
import type { TypedLine } from '../define/command.ts';
import type { Needs } from '../define/context.ts';
import type { Command } from '../define/define.ts';
import { getCachedNames } from '../define/name-cache.ts';
import { closest } from '../values/choice.ts';
import { getNameKind, type NameKind } from '../values/parameters.ts';
import type { Texts } from '../values/read-values.ts';

const NAMED: readonly (NameKind | undefined)[] = ['services', 'organizations', 'databases'];

const PAGES = { services: 'dashboard.service', organizations: 'dashboard.org' } as const;

/** Puts ids in the place of names that were seen at this address in this organization, for people. */
export async function idsIn(
  line: TypedLine,
  context: Needs<'io' | 'settings' | 'store'>,
): Promise<TypedLine> {
  const { command } = line;
  const texts = new Map(line.texts);
  for (const [key, parameter] of Object.entries({ ...command.options, ...command.args })) {
    const kind = getNameKind(parameter);
    const given = texts.get(key);
    if (kind === undefined || !NAMED.includes(kind) || given === undefined) continue;
    const ids = given.map((text) => idNamed(text.trim(), kind, context));
    texts.set(key, ids);
    const [text = '', id = ''] = [given[0]?.trim(), ids[0]];
    if (id !== text) await agree(text, id, command, texts, context);
  }
  return { ...line, texts, values: undefined };
}

async function agree(
  name: string,
  id: string,
  { effect, path }: Command,
  texts: Texts,
  { io }: Needs<'io'>,
) {
  await io.note(`${name} is ${id}.`);
  // What spends money or moves DNS asks by itself, with the id.
  if (effect !== 'changes' || texts.has('dryRun')) return;
  if (!(await io.confirm(`Run svc ${path} for ${name} (${id})?`)))
    throw cancelled('usage', 'Nothing was sent.');
}

/** Pages of ids that were seen; undefined without a dashboard. */
export function pagesOf(context: Needs<'assume' | 'settings' | 'store'>): View['pageOf'] {
  const { assume, settings } = context;
  const base = settings.dashboard()?.value;
  if (base === undefined) return undefined;
  const inUse = { services: settings.service()?.value, organizations: settings.org()?.value };
  const known = new Map<string, string>();
  for (const kind of ['services', 'organizations'] as const) {
    const template = assume(PAGES[kind]);
    for (const id of [
      inUse[kind] ?? [],
      getCachedNames(context, kind).map(({ name }) => name),
    ].flat())
      known.set(id, `${base}${template.replace('{id}', () => encodeURIComponent(id))}`);
  }
  return (text) => known.get(/\(([^\s()]+)\)$/.exec(text)?.[1] ?? text);
}

/** The text itself if no such name was seen. */
function idNamed(text: string, kind: NameKind, context: Needs<'settings' | 'store'>): string {
  const { settings } = context;
  const known = getCachedNames(context, kind);
  if (known.some(({ name }) => name === text)) return text;
  const org = kind === 'organizations' ? undefined : settings.org()?.value;
  const named = known.filter(
    (one) => one.org === org && one.about?.toLowerCase() === text.toLowerCase(),
  );
  const exact = named.filter(({ about }) => about === text);
  const ids = (exact.length > 0 ? exact : named).map(({ name }) => name);
  if (ids.length > 1)
    throw usageError(
      `${quoted(text)} is the name of several ${kind}.`,
      `Give the id of one: ${ids.join(', ')}`,
    );
  return ids[0] ?? text;
}

/** What an id may be instead, and a line about it. */
const ABOUT = {
  'a service': ['services', 'svc metrics'],
  'a deployment': ['deployments', 'svc deployments inspect'],
  'a database': ['databases', 'svc db inspect'],
  'an organization': ['organizations', 'svc whoami --org'],
  'a plan': ['plans', 'svc buy --plan'],
} as const;

const DOMAIN = /^[a-z0-9-]+\.[a-z0-9.-]+$/i;
/** Fewer characters are the beginning of many ids. */
const MIN_CUT = 4;

/** Parameters that are no id have words of their own, which may look like a domain. */
const IDS: readonly (NameKind | undefined)[] = [...NAMED, 'deployments'];

/**
 * Names what this machine has seen, and was probably meant. For a change, and off a terminal, the
 * line never works on a neighbour of what was typed.
 */
export function explainUnknownId(
  error: CliError,
  { command, texts }: TypedLine,
  context: Needs<'io' | 'settings' | 'store' | 'line'>,
): CliError {
  const isSeen = context.io.interactive && command.effect === 'reads';
  for (const [key, parameter] of Object.entries({ ...command.args, ...command.options })) {
    const kind = getNameKind(parameter);
    const text = texts.get(key)?.[0];
    if (kind === undefined || text === undefined || !IDS.includes(kind)) continue;
    const found = findMeantId(text, kind, isSeen, context);
    if (found !== undefined) return error.with(found);
  }
  return error;
}

/** @param isSeen whether a person sees the line before it is run, and it changes nothing */
function findMeantId(
  text: string,
  kind: NameKind,
  isSeen: boolean,
  context: Needs<'settings' | 'store' | 'line'>,
): ErrorDetails | undefined {
  const known = getCachedNames(context, kind);
  const names = known.map(({ name }) => name);
  if (names.includes(text)) return undefined;

  const propose = (sentence: string, ...words: readonly string[]): ErrorDetails => ({
    lines: [sentence],
    hint: {
      run: [repeatLine(context.line.flatMap((word) => (word === text ? words : word)))],
      kind: 'other',
    },
  });
  // What is said of a deployment is its service.
  const sameName = known.filter(
    ({ about }) => kind !== 'deployments' && about?.toLowerCase() === text.toLowerCase(),
  );
  const [named, ...others] = sameName;
  if (named !== undefined && others.length === 0) {
    const sentence = `${text} is the name of ${named.name}. Scripts and lists take ids.`;
    return propose(sentence, named.name);
  }
  if (text.includes(',')) return propose('Separate ids with spaces.', ...text.split(','));
  if (text === 'all') return { lines: ['Name each one: the API lists none.'], hint: undefined };

  const other = findOtherKind(text, context);
  if (other !== undefined) return other;
  const series = getCachedNames(context, 'series').find(({ name }) => name.startsWith(text));
  if (series !== undefined && context.line.includes('metrics')) {
    return propose(`${text} is a series.`, '--series', text);
  }

  const longer = names.filter((name) => text.length >= MIN_CUT && name.startsWith(text));
  const [whole] = longer;
  if (whole !== undefined && longer.length === 1) {
    return propose(`${text} is the beginning of ${whole}.`, whole);
  }
  const near = longer.length === 0 ? closest(text, names) : undefined;
  if (near === undefined) return undefined;
  return isSeen ? propose(`Did you mean ${near}?`, near) : undefined;
}

/** Says what else the text is, and how to look at it. */
function findOtherKind(
  text: string,
  context: Needs<'settings' | 'store'>,
): ErrorDetails | undefined {
  for (const [what, [kind, line]] of Object.entries(ABOUT)) {
    const isSeen = getCachedNames(context, kind).some(({ name }) => name === text);
    if (isSeen) return { lines: [`${text} is ${what}.`], hint: `${line} ${text}` };
  }
  if (!DOMAIN.test(text)) return undefined;
  return { lines: [`${text} is a domain.`], hint: `svc domains import ${text}` };
}
