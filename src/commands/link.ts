import type { Context } from '../command/context.ts';
import { defineCommand } from '../command/define.ts';
import { knownNames } from '../command/known.ts';
import { findLink, type Link } from '../command/link-file.ts';
import { option, optional } from '../command/parameters.ts';
import { document } from '../command/result.ts';
import { asValidation } from '../command/values/choice.ts';
import { parseIdentifier } from '../command/values/identifier.ts';
import { CliError, listed } from '../errors.ts';
import { editLink } from './shared/link-edit.ts';

interface Linked {
  /** The link file. */
  readonly path: string;
  readonly service: string | undefined;
  readonly org: string | undefined;
  readonly changed: boolean;
}

export default defineCommand({
  path: 'link',
  summary: 'Use a service by default in this folder',
  effect: 'local',
  args: {
    service: optional('id of the service (default: svc asks); with --org, the organization is saved as well', {
      read: parseService,
      offer: 'services',
    }),
  },
  options: { service: option('id', 'the same as the argument', parseService, { offer: 'services' }) },
  examples: [
    ['svc link svc_wp_7k2m9qx4', 'every command in this folder works on this service'],
    ['svc link svc_app_3n8v5tzd --org kola-studio', 'and in this organization'],
  ],

  async run(context, { service: given }) {
    const { io, system, settings } = context;
    const { globals } = settings;
    const { link: current, ignored } = findLink(system.cwd, system);
    const asks = given === undefined && globals.org === undefined && io.interactive && !globals.json;
    const service = asks ? parseService(await ask(context, current)) : given;
    const org = globals.org === undefined ? undefined : parseIdentifier(globals.org, '--org');
    if (service === undefined && org === undefined) return document(existing(context, current, ignored));
    const { path, changed } = editLink(system.cwd, { ...(service && { service }), ...(org && { org }) }, system);
    const { link } = findLink(system.cwd, system);
    if (system.env['SVC_SERVICE'] && service !== undefined) {
      await io.warn('SVC_SERVICE is set and wins over this link.');
    }
    const linked: Linked = { path, service: link?.service, org: link?.org, changed };
    return { ...document(linked), seen: { services: service === undefined ? [] : [{ name: service }] } };
  },

  human(screen, { path, service, org, changed }) {
    if (changed) screen.success('This folder and those below it are linked.');
    screen.fields([
      ['Service', service],
      ['Organization', org],
      [changed ? 'Saved in' : 'From', path],
    ]);
    screen.next(['svc metrics', 'svc unlink']);
  },
});

function parseService(text: string): string {
  return parseIdentifier(text, 'The service id');
}

/** Asks for a service among those that this machine has seen, since no operation lists them. */
async function ask(context: Context, current: Link | undefined): Promise<string> {
  const linked = current?.service;
  const known = new Set([...(linked === undefined ? [] : [linked]), ...knownServices(context)]);
  if (known.size > 0) {
    const choices = [...known].map((value) => ({ value, ...(value === linked && { hint: 'linked now' }) }));
    // No id has a space.
    const another = 'another service';
    const picked = await context.io.select('Which service?', [...choices, { value: another }]);
    if (picked !== another) return picked;
  }
  return context.io.ask('Id of the service', { validate: asValidation(parseService) });
}

/** Returns the services that this machine has seen at the address in use, latest first. */
function knownServices({ settings, vault }: Context): readonly string[] {
  try {
    const address = settings.findApiUrl()?.value;
    return address === undefined ? [] : knownNames(vault.folder(), address, 'services').map(({ name }) => name);
  } catch {
    // A folder can be linked without an address.
    return [];
  }
}

function existing(context: Context, link: Link | undefined, ignored: readonly string[]): Linked {
  if (link !== undefined) return { ...link, changed: false };
  const known = knownServices(context);
  throw new CliError('usage', 'This folder is linked to no service.', {
    lines: [...ignored, ...(known.length === 0 ? [] : [`Seen before: ${listed(known)}`])],
    hint: 'To link it: svc link <service>',
  });
}
