import { signInVariablesIn } from '../environment.ts';
import { CliError, cancelled, listed, stepOf } from '../errors.ts';
import { againWith, parseService, SERVICE_IDS } from '../kit/ask.ts';
import { configPath } from '../kit/config-file.ts';
import type { Context } from '../kit/context.ts';
import { defineCommand } from '../kit/define.ts';
import { namesSeen } from '../kit/known.ts';
import { findLink, type Link } from '../kit/link-file.ts';
import { option, optional } from '../kit/parameters.ts';
import { pick } from '../kit/pick.ts';
import { asCliError } from '../kit/report.ts';
import { document, type KnownName, type Result } from '../kit/result.ts';
import { parseIdentifier } from '../kit/values/identifier.ts';
import { chooseStep } from '../metrics/spacing.ts';
import { getMetricsHistory } from '../service/operations.ts';
import type { DocumentOf } from '../spec/fields/documents.ts';
import { filePath } from '../terminal/screen.ts';
import { editConfig } from './shared/config-edit.ts';
import { editLink } from './shared/link-edit.ts';

/** How long a person may wait to learn that an id is right. */
const CHECK_MS = 10_000;
const HOUR_MS = 3_600_000;

interface Linked extends DocumentOf<'link'> {
  /** Why the id was not checked; undefined if it was, or if none was given. */
  readonly unchecked?: string | undefined;
}

export default defineCommand({
  path: 'link',
  summary: 'Use a service by default in this folder',
  effect: 'reads',
  args: {
    service: optional(
      'id of the service (default: svc asks); with --org or --profile, the organization or the sign-in is kept as well',
      { read: parseService, offer: 'services' },
    ),
  },
  options: {
    service: option('id', 'the same as the argument', parseService, { offer: 'services' }),
  },
  examples: [
    ['svc link svc_wp_7k2m9qx4', 'every command in this folder works on this service'],
    ['svc link svc_app_3n8v5tzd --org kola-studio', 'and in this organization'],
    ['svc link svc_app_3n8v5tzd --profile work', 'and with this sign-in; only your own configuration names it'],
  ],
  exitCodes: [[6, 'the platform knows no such service; nothing was linked']],

  async run(context, { service: given }): Promise<Result<Linked>> {
    const { io, system, settings } = context;
    const { globals } = settings;
    const { link: current, ignored } = findLink(system.cwd, system);
    const isEmpty = given === undefined && globals.org === undefined && globals.profile === undefined;
    const asks = isEmpty && io.interactive && !globals.json;
    const service = asks ? parseService(await ask(context, current)) : given;
    const org = globals.org === undefined ? undefined : parseIdentifier(globals.org, '--org');
    // Refuses a profile that is not there.
    const profile = globals.profile === undefined ? undefined : settings.profile()?.profile;
    if (isEmpty && service === undefined) return document('link', existing(context, current, ignored));
    const unchecked = service === undefined ? undefined : await check(context, service);
    const fields = { ...(service && { service }), ...(org && { org }) };
    const written = service === undefined && org === undefined ? undefined : editLink(system.cwd, fields, system);
    const kept = profile === undefined ? undefined : await editConfig(context, ['profiles', system.cwd], profile);
    const { link } = findLink(system.cwd, system);
    await warnOfStronger(context, service, profile);
    const linked = document('link', {
      path: (written ?? kept)?.path ?? '',
      service: link?.service,
      org: link?.org,
      profile: profile ?? linkedProfile(context),
      changed: written?.changed === true || kept?.changed === true,
    });
    const seen = { services: service === undefined ? [] : [{ name: service }] };
    return { ...linked, value: { ...linked.value, unchecked }, seen };
  },

  human(screen, { path, service, org, profile, changed, unchecked }) {
    if (unchecked !== undefined) screen.warning(['Linked for this folder and those below it. ', unchecked]);
    else if (changed) screen.success('This folder and those below it are linked.');
    screen.fields([
      ['Service', service],
      ['Organization', org],
      ['Profile', profile],
      [changed ? 'Saved in' : 'From', filePath(path)],
    ]);
    screen.next([unchecked === undefined ? 'svc metrics' : ['svc metrics', 'to test it'], 'svc unlink']);
  },
});

/**
 * Looks whether the platform knows the service, by reading its usage. Returns why it could not be told, if so: that must
 * keep nobody from linking.
 * @throws CliError `not_found` or `forbidden` if it does not, unless a person or `--yes` says to go on
 */
async function check(context: Context, service: string): Promise<string | undefined> {
  const { api, io, settings, system } = context;
  const { globals } = settings;
  try {
    if (settings.credential() === undefined || settings.findApiUrl() === undefined)
      return 'The id is not checked: you are not signed in.';
    const end = system.clock.now();
    const at = (ms: number) => new Date(ms).toISOString();
    const range = { start: at(end - HOUR_MS), end: at(end), stepSeconds: chooseStep(end - HOUR_MS, end) };
    const clients = await api.gatedClients({ signal: system.signal, org: settings.org(), atOnce: 1 });
    const client = clients({ deadlineMs: CHECK_MS, retry: false });
    await io.during(`Looking for ${service}`, () => getMetricsHistory(client, api.assume, service, range));
    return undefined;
  } catch (error) {
    system.signal.throwIfAborted();
    const { code, message, details } = asCliError(error);
    if (code !== 'not_found' && code !== 'forbidden') return `The id is not checked: ${message}`;
    const asks = io.interactive && !globals.json && !globals.yes;
    if (!asks && !globals.yes) {
      const { say = '', run } = stepOf(details.hint);
      const hint = { say: `${say} To link it anyway, add --yes.`.trimStart(), run };
      throw new CliError(code, message, { ...details, hint });
    }
    if (asks && !(await io.confirm(`${message} Link it anyway?`))) throw cancelled('usage', 'Nothing was linked.');
    return message;
  }
}

/** Warns of what wins over the link in this shell. */
async function warnOfStronger({ io, system: { env } }: Context, service?: string, profile?: string): Promise<void> {
  const [token] = signInVariablesIn(env);
  const stronger = [
    service !== undefined && env['SVC_SERVICE'] ? 'SVC_SERVICE' : undefined,
    profile !== undefined ? token : undefined,
  ];
  for (const name of stronger) {
    if (name !== undefined) await io.warn(`${name} is set and takes precedence over this link.`, 'link_overridden');
  }
}

function linkedProfile({ settings }: Context): string | undefined {
  const named = settings.profileName();
  return named?.origin === 'link' ? named.value : undefined;
}

/** Asks for a service among those that this machine has seen, since no operation lists them. */
async function ask(context: Context, current: Link | undefined): Promise<string> {
  const linked = current?.service;
  const first: readonly KnownName[] = linked === undefined ? [] : [{ name: linked, about: 'linked now' }];
  const others = namesSeen(context, 'services').filter(({ name }) => name !== linked);
  return pick(context, 'services', [...first, ...others], parseService);
}

function existing(context: Context, link: Link | undefined, ignored: readonly string[]): DocumentOf<'link'> {
  const profile = linkedProfile(context);
  if (link !== undefined) return { ...link, profile, changed: false };
  if (profile !== undefined)
    return { path: configPath(context.vault.folder(), context.system.machine), profile, changed: false };
  const known = namesSeen(context, 'services').map(({ name }) => name);
  const run = againWith(context, ...known.map((name) => [name]));
  throw new CliError('usage', 'This folder is linked to no service.', {
    lines: [...ignored, ...(known.length === 0 ? [] : [`Seen before: ${listed(known)}`]), SERVICE_IDS],
    hint: { say: 'To link it: svc link <service>', run },
  });
}
