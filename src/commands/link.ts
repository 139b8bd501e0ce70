import { proposeRepeats } from '../cli/define/context.ts';
import { defineCommand, document } from '../cli/define/define.ts';
import { getCachedNames } from '../cli/define/name-cache.ts';
import { pickName } from '../cli/read/pick.ts';
import { SERVICE_IDS } from '../cli/settings/settings.ts';
import { parseIdentifier, parseService } from '../cli/values/names.ts';
import { OPTIONAL_SERVICE_OPTION, optional } from '../cli/values/parameters.ts';
import { CliError } from '../errors.ts';
import { findLink } from '../store/link-file.ts';
import { filePath } from '../terminal/screen.ts';
import { editLink } from './shared/link-edit.ts';

export default defineCommand({
  summary: 'Use a service by default in this folder',
  effect: 'local',
  args: {
    service: optional(
      'id of the service (default: svc asks); --org keeps the organization as well',
      {
        read: parseService,
        offer: 'services',
      },
    ),
  },
  options: {
    service: { ...OPTIONAL_SERVICE_OPTION.service, meaning: 'the same as the argument' },
  },
  examples: [
    ['svc link svc_wp_7k2m9qx4', 'every command in this folder works on this service'],
    ['svc link svc_app_3n8v5tzd --org kola-studio', 'and in this organization'],
  ],

  async run(context, { service: given }) {
    const { io, globals, env } = context;
    // Throws for a profile that is not there: nothing would use it.
    if (globals.profile !== undefined) context.settings.profile();
    const folder = context.program.cwd();
    const owner = { machine: context.store.machine, env };
    const { link: current, ignored } = findLink(folder, owner);
    const listKnown = () => getCachedNames(context, 'services');
    const isEmpty = given === undefined && globals.org === undefined;
    const asks = isEmpty && io.interactive && !globals.json;
    const linked = current?.service;
    const service = asks
      ? parseService(
          await pickName(context, {
            kind: 'services',
            names: putFirst(listKnown(), linked),
            read: parseService,
            linked,
          }),
        )
      : given;
    const org = globals.org === undefined ? undefined : parseIdentifier(globals.org, '--org');
    if (isEmpty && service === undefined) {
      if (current !== undefined) return document('link', { ...current, changed: false });
      throw new CliError('usage', 'This folder is linked to no service.', {
        lines: [...ignored, SERVICE_IDS],
        hint: {
          say: 'To link it: svc link <service>',
          run: proposeRepeats(context, ...listKnown().map(({ name }) => [name])),
        },
      });
    }
    const { path, changed } = editLink(
      folder,
      { ...(service && { service }), ...(org && { org }) },
      owner,
    );
    const stronger = env['SVC_SERVICE'] || service;
    if (stronger !== service) {
      await io.warn('SVC_SERVICE is set and takes precedence over this link.', 'link_overridden');
    }
    const { link } = findLink(folder, owner);
    return document('link', { path, service: link?.service, org: link?.org, changed });
  },

  human(screen, { path, service, org, changed }) {
    if (changed) screen.success('This folder and those below it are linked.');
    screen.fields([
      ['Service', service],
      ['Organization', org],
      [changed ? 'Saved in' : 'From', filePath(path)],
    ]);
    screen.next(['svc metrics', 'svc unlink']);
  },
});

function putFirst(known: ReturnType<typeof getCachedNames>, id: string | undefined) {
  if (id === undefined) return known;
  const first = known.find(({ name }) => name === id) ?? { name: id };
  return [first, ...known.filter((service) => service !== first)];
}
