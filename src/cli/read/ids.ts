import {
  type CliError,
  cancelledError,
  type ErrorDetails,
  quote,
  usageError,
} from '../../errors.ts';
import { repeatLine } from '../../shell-line.ts';
import type { View } from '../../terminal/terminal.ts';
import { listTypedNames, type TypedLine } from '../define/command.ts';
import type { Needs } from '../define/context.ts';
import { getCachedNames } from '../define/name-cache.ts';
import type { KnownName } from '../define/name-notes.ts';
import type { Setting } from '../settings/settings.ts';
import { NAMED_KINDS, type NameKind } from '../values/parameters.ts';
import { closest } from '../values/text.ts';

/**
 * Puts ids in the place of the names that people type, and asks before a change to what a name
 * means. What spends money or moves DNS asks by itself.
 */
export async function replaceNames(
  line: TypedLine,
  context: Needs<'io' | 'settings' | 'store'>,
): Promise<TypedLine> {
  const { path, effect } = line.command;
  const texts = new Map(line.texts);
  for (const { key, kind, names } of listTypedNames(line)) {
    if (!NAMED_KINDS.includes(kind)) continue;
    const typed = names.map((text) => text.trim());
    const ids = typed.map((name) => findNamedId(name, kind, context));
    texts.set(key, ids);
    const [name = ''] = typed;
    const [id = ''] = ids;
    if (id === name || effect !== 'changes' || texts.has('dryRun')) continue;
    const isAgreed = await context.io.confirm(`Run svc ${path} for ${name} (${id})?`);
    if (!isAgreed) throw cancelledError('usage', 'Nothing was sent.');
  }
  return { ...line, texts, values: undefined };
}

/**
 * Finds the id that has a name in this organization, in any case; the text itself if none has.
 * @throws CliError `usage` if several have it
 */
function findNamedId(text: string, kind: NameKind, context: Needs<'settings' | 'store'>): string {
  const known = getCachedNames(context, kind);
  if (known.some(({ name }) => name === text)) return text;

  const org = kind === 'organizations' ? undefined : context.settings.org()?.value;
  const named = known.filter(
    (one) => one.org === org && one.about?.toLowerCase() === text.toLowerCase(),
  );
  const exact = named.filter(({ about }) => about === text);
  const ids = (exact.length > 0 ? exact : named).map(({ name }) => name);
  if (ids.length < 2) return ids[0] ?? text;
  throw usageError(
    `${quote(text)} is the name of several ${kind}.`,
    `Give the id of one: ${ids.join(', ')}`,
  );
}

/** Returns how to find the page of an id that svc knows; undefined without a dashboard. */
export function createPageFinder(context: Needs<'assume' | 'settings' | 'store'>): View['pageOf'] {
  const { assume, settings } = context;
  const base = settings.dashboard()?.value;
  if (base === undefined) return undefined;

  const kinds = [
    ['services', 'dashboard.service', settings.service()],
    ['organizations', 'dashboard.org', settings.org()],
  ] as const;
  const pages = new Map<string, string>();
  for (const [kind, assumption, inUse] of kinds) {
    const template = assume(assumption);
    const ids = getCachedNames(context, kind).map(({ name }) => name);
    for (const id of inUse ? [inUse.value, ...ids] : ids)
      pages.set(id, `${base}${template.replace('{id}', () => encodeURIComponent(id))}`);
  }
  return (text) => pages.get(/\(([^\s()]+)\)$/.exec(text)?.[1] ?? text);
}

/** The other kinds that an id may be of, and the line that shows one. */
const OTHER_KINDS = [
  ['a service', 'services', 'svc metrics'],
  ['a deployment', 'deployments', 'svc deployments inspect'],
  ['a database', 'databases', 'svc db inspect'],
  ['an organization', 'organizations', 'svc whoami --org'],
  ['a plan', 'plans', 'svc buy --plan'],
] as const;

const DOMAIN = /^[a-z0-9-]+\.[a-z0-9.-]+$/i;
/** Fewer characters are the beginning of many ids. */
const MIN_CUT = 4;

/** Parameters that are no id have words of their own, which may look like a domain. */
const ID_KINDS: readonly NameKind[] = [...NAMED_KINDS, 'deployments'];

/**
 * Explains what an unknown id is, or which one was meant. For a change, and off a terminal, the
 * line never works on a neighbour of what was typed.
 */
export function explainUnknownId(
  error: CliError,
  line: TypedLine,
  context: Needs<'io' | 'settings' | 'store' | 'line'>,
): CliError {
  const isSeen = context.io.interactive && line.command.effect === 'reads';
  for (const { kind, names } of listTypedNames(line)) {
    const [text] = names;
    if (text === undefined || !ID_KINDS.includes(kind)) continue;
    const details = findMeantId(text, kind, isSeen, context);
    if (details) return error.with(details);
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
  const ids = known.map(({ name }) => name);
  if (ids.includes(text)) return undefined;

  const propose = (sentence: string, ...words: readonly string[]): ErrorDetails => {
    const line = context.line.flatMap((word) => (word === text ? words : word));
    return { lines: [sentence], hint: { run: [repeatLine(line)], kind: 'other' } };
  };
  const [named, ...others] = known.filter(
    ({ about }) => about?.toLowerCase() === text.toLowerCase(),
  );
  // What is said of a deployment is its service.
  if (named && others.length === 0 && kind !== 'deployments') {
    const start = `${text} is the name of ${named.name}`;
    const org = kind === 'organizations' ? undefined : context.settings.org();
    return explainName(start, named, org, propose);
  }
  if (text.includes(',')) return propose('Separate ids with spaces.', ...text.split(','));
  if (text === 'all') return { lines: ['Name each one: the API lists none.'], hint: undefined };

  const other = findOtherKind(text, context);
  if (other) return other;
  const isSeries = getCachedNames(context, 'series').some(({ name }) => name.startsWith(text));
  if (isSeries && context.line.includes('metrics')) {
    return propose(`${text} is a series.`, '--series', text);
  }

  const longer = ids.filter((id) => text.length >= MIN_CUT && id.startsWith(text));
  const [whole = ''] = longer;
  if (longer.length === 1) return propose(`${text} is the beginning of ${whole}.`, whole);
  const near = isSeen && longer.length === 0 ? closest(text, ids) : undefined;
  return near === undefined ? undefined : propose(`Did you mean ${near}?`, near);
}

/**
 * Says in which organization a text is a name, and proposes the line that works there.
 * @param start the beginning of the sentence: whose name it is
 */
function explainName(
  start: string,
  named: KnownName,
  org: Setting | undefined,
  propose: (sentence: string, ...words: readonly string[]) => ErrorDetails,
): ErrorDetails {
  if (named.org === org?.value) {
    return propose(`${start}. Scripts and lists take ids.`, named.name);
  }
  const sentence = `${start} in ${named.org ?? 'your first organization'}.`;
  const isTyped = org?.origin === 'flag';
  if (named.org === undefined || isTyped) return { lines: [sentence], hint: 'svc orgs' };
  return propose(sentence, named.name, '--org', named.org);
}

/** Says what else the text is, and how to look at it. */
function findOtherKind(
  text: string,
  context: Needs<'settings' | 'store'>,
): ErrorDetails | undefined {
  for (const [what, kind, line] of OTHER_KINDS) {
    const isKnown = getCachedNames(context, kind).some(({ name }) => name === text);
    if (isKnown) return { lines: [`${text} is ${what}.`], hint: `${line} ${text}` };
  }
  if (!DOMAIN.test(text)) return undefined;
  return { lines: [`${text} is a domain.`], hint: `svc domains import ${text}` };
}
