import { cancelled, quoted, usageError } from '../errors.ts';
import type { TypedLine } from '../kit/command.ts';
import type { Context } from '../kit/context.ts';
import type { Command } from '../kit/define.ts';
import { namesSeen } from '../kit/known.ts';
import { type NameKind, nameKindOf } from '../kit/parameters.ts';
import type { Texts } from '../kit/read-values.ts';
import { isWebAddress } from '../kit/values/identifier.ts';
import { parseUrl } from '../parse-url.ts';
import type { AssumptionName } from '../spec/assumptions.ts';
import type { View } from '../terminal/terminal.ts';

/** What has a name for people, and the template of its page in the dashboard. */
const NAMED = {
  services: 'dashboard.service',
  organizations: 'dashboard.org',
  databases: undefined,
} as const satisfies Readonly<Partial<Record<NameKind, AssumptionName | undefined>>>;

type NamedKind = keyof typeof NAMED;

/**
 * Puts ids in place of addresses of the dashboard. On a terminal and without `--yes`, also in place of names that this
 * machine has seen at the same address and in the same organization: a note says which id it took, and a change asks
 * first. Lists and scripts have ids only, and an id that was seen is never taken for a name.
 * @throws CliError `usage` for a name of several, and if the answer is no
 */
export async function idsIn(line: TypedLine, context: Context): Promise<TypedLine> {
  const { command } = line;
  const texts = new Map(line.texts);
  for (const [key, parameter] of Object.entries({ ...command.options, ...command.args })) {
    const kind = nameKindOf(parameter);
    const given = texts.get(key);
    if (kind === undefined || !isNamed(kind) || given === undefined) continue;
    const ids = given.map((text) =>
      isWebAddress(text) ? idInAddress(text, kind, context) : idNamed(text, kind, context),
    );
    texts.set(key, ids);
    const [text = '', id = ''] = [given[0]?.trim(), ids[0]];
    if (id !== text && !isWebAddress(text)) await agree(`${text} is ${id}.`, command, texts, context);
  }
  return { ...line, texts, values: undefined };
}

async function agree(taken: string, { effect }: Command, texts: Texts, { io }: Context): Promise<void> {
  await io.note(taken);
  // What spends money or moves DNS asks by itself, with the id.
  if (effect !== 'changes' || texts.has('dryRun')) return;
  if (!(await io.confirm('Go on with this id?'))) throw cancelled('usage', 'Nothing was sent.');
}

/** Returns how to find the page of an id that this machine has seen; undefined without a dashboard. */
export function pagesOf(context: Context): View['pageOf'] {
  const { settings, assume } = context;
  const base = settings.dashboard()?.value;
  if (base === undefined) return undefined;
  const inUse: Readonly<Partial<Record<NameKind, string | undefined>>> = {
    services: settings.service()?.value,
    organizations: settings.org()?.value,
  };
  const pages = (['services', 'organizations'] as const).flatMap((kind) => {
    const ids = [inUse[kind] ?? [], namesSeen(context, kind).map(({ name }) => name)].flat();
    const template = assume(NAMED[kind]);
    return ids.map((id) => [id, `${base}${template.replace('{id}', () => encodeURIComponent(id))}`] as const);
  });
  const known = new Map(pages);
  return (text) => known.get(/\(([^\s()]+)\)$/.exec(text)?.[1] ?? text);
}

/** Returns the text itself if it is no address of a page that svc knows. */
function idInAddress(text: string, kind: NamedKind, { assume, settings }: Context): string {
  const template = NAMED[kind];
  const url = parseUrl(text.trim());
  const base = settings.dashboard()?.value;
  if (template === undefined || url === undefined) return text;
  if (base !== undefined && !url.href.startsWith(`${base}/`)) return text;
  const [before = '', after = ''] = assume(template).split('{id}');
  const path = `${url.pathname}/`;
  const start = path.indexOf(before) + before.length;
  const end = path.indexOf(`${after}/`, start);
  const id = path.slice(start, end);
  const isPage = start >= before.length && end > start && !id.includes('/');
  return isPage ? decoded(id) : text;
}

/** Returns the text itself if it is no name that was seen. */
function idNamed(given: string, kind: NamedKind, context: Context): string {
  const { io, settings } = context;
  const text = given.trim();
  if (!io.interactive || settings.globals.json || settings.globals.yes) return text;
  const known = namesSeen(context, kind);
  if (known.some(({ name }) => name === text)) return text;
  const org = kind === 'organizations' ? undefined : settings.org()?.value;
  const ids = known.filter((one) => one.about === text && one.org === org).map(({ name }) => name);
  if (ids.length > 1)
    throw usageError(`${quoted(text)} is the name of several ${kind}.`, `Give the id of one: ${ids.join(', ')}`);
  return ids[0] ?? text;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isNamed(kind: NameKind): kind is NamedKind {
  return Object.hasOwn(NAMED, kind);
}
