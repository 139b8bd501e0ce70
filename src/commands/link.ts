import type { Context } from '../command/context.ts';
import type { Attach, Declaration } from '../command/declaration.ts';
import { addName, knownNames } from '../command/known-names.ts';
import { editLink } from '../command/link-edit.ts';
import { findLink, type Link } from '../command/link-file.ts';
import { asValidation } from '../command/parse/as-validation.ts';
import { parseIdentifier } from '../command/parse/identifier.ts';
import { document, type Result } from '../command/result.ts';
import { CliError, listed } from '../errors.ts';
import type { Screen } from '../io/screen.ts';

export interface LinkOptions {
  /** The service's id. */
  readonly service?: string;
}

interface Linked {
  /** The file that says it. */
  readonly path: string;
  readonly service: string | undefined;
  readonly org: string | undefined;
  /** Whether the file was written now. */
  readonly changed: boolean;
}

export function define(parent: Declaration, attach: Attach): void {
  const command = parent
    .command('link')
    .description('Make a service the default in this folder and those below it')
    .argument('[service]', 'id of the service (default: svc asks); with --org, the organization is saved as well');
  attach(command, {
    run,
    human,
    examples: [
      ['svc link svc_wp_7k2m9qx4', 'every command in this folder works on this service'],
      ['svc link svc_app_3n8v5tzd --org kola-studio', 'and in this organization'],
    ],
  });
}

export async function run(context: Context, options: LinkOptions): Promise<Result<Linked>> {
  const {
    io,
    system: { cwd },
    settings: { globals },
  } = context;
  const { link: current, ignored } = findLink(cwd, context.system);
  const asks = options.service === undefined && globals.org === undefined && io.interactive && !globals.json;
  const given = asks ? await ask(context, current) : options.service;
  const service = given === undefined ? undefined : parseIdentifier(given, 'The service id');
  const org = globals.org === undefined ? undefined : parseIdentifier(globals.org, '--org');
  if (service === undefined && org === undefined) return document(existing(context, current, ignored));
  const own = editLink(cwd, { ...(service && { service }), ...(org && { org }) }, context.system);
  if (service !== undefined) addName(context, 'services', service);
  const { link } = findLink(cwd, context.system);
  if (context.system.env['SVC_SERVICE'] && service !== undefined) {
    await io.warn('SVC_SERVICE is set and wins over this link.');
  }
  return document({ path: own.path, service: link?.service, org: link?.org, changed: own.changed });
}

export function human(screen: Screen, { path, service, org, changed }: Linked): void {
  if (changed) screen.success('This folder and those below it are linked.');
  screen.fields([
    ['Service', service],
    ['Organization', org],
    [changed ? 'Saved in' : 'From', path],
  ]);
  screen.next(['svc metrics', 'svc unlink']);
}

/** No operation lists services; those that were linked before are known. */
async function ask(context: Context, current: Link | undefined): Promise<string> {
  const known = new Set([
    ...(current?.service === undefined ? [] : [current.service]),
    ...knownNames(context, 'services'),
  ]);
  if (known.size === 0) return await askForId(context, current);
  const choices = [...known].map((value) => ({ value, ...(value === current?.service && { hint: 'linked now' }) }));
  const picked = await context.io.select('Which service?', [...choices, { value: ANOTHER }]);
  return picked === ANOTHER ? await askForId(context, undefined) : picked;
}

/** No id has a space. */
const ANOTHER = 'another service';

function askForId({ io }: Context, current: Link | undefined): Promise<string> {
  return io.ask('Id of the service', {
    ...(current?.service === undefined ? {} : { default: current.service }),
    validate: asValidation((id) => parseIdentifier(id, 'The service id')),
  });
}

function existing(context: Context, link: Link | undefined, ignored: readonly string[]): Linked {
  if (link === undefined) {
    const known = knownNames(context, 'services');
    throw new CliError('usage', 'This folder is linked to no service.', {
      lines: [...ignored, ...(known.length === 0 ? [] : [`Linked before: ${listed(known)}`])],
      hint: 'svc link <service>',
    });
  }
  return { ...link, changed: false };
}
