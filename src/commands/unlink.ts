import { dirname } from 'node:path';
import { defineCommand } from '../command/define.ts';
import { editLink, findLink } from '../command/link-file.ts';
import { document } from '../command/result.ts';

interface Unlinked {
  /** The link file of this folder. */
  readonly path: string;
  readonly removed: boolean;
  /** The link file of a folder above, which still counts here. */
  readonly inherited: string | undefined;
}

export default defineCommand({
  path: 'unlink',
  summary: 'Forget the default service and organization of this folder',
  effect: 'local',
  args: {},
  options: {},
  examples: [
    ['svc unlink', 'leave this folder without a default service'],
    ['svc unlink --json', 'the same as JSON, for scripts'],
  ],

  async run({ system }) {
    const { cwd } = system;
    const { path, changed } = editLink(cwd, { service: undefined, org: undefined }, system);
    const { link: above } = findLink(dirname(cwd), system);
    const inherited = above?.service === undefined && above?.org === undefined ? undefined : above.path;
    const unlinked: Unlinked = { path, removed: changed, inherited: dirname(cwd) === cwd ? undefined : inherited };
    return document(unlinked);
  },

  human(screen, { path, removed, inherited }) {
    if (removed) screen.success(`Unlinked: ${path}`);
    else screen.line('This folder has no link of its own.');
    if (inherited === undefined) return;
    screen.warning(`The link of a folder above still counts here: ${inherited}`);
    screen.next([`cd ${dirname(inherited)} && svc unlink`]);
  },
});
