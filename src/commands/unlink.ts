import { dirname } from 'node:path';
import { defineCommand, document } from '../cli/define/define.ts';
import { commandLine } from '../shell-line.ts';
import { findLink } from '../store/link-file.ts';
import { filePath } from '../terminal/screen.ts';
import { editLink } from './shared/link-edit.ts';

export default defineCommand({
  summary: 'Forget the default service and organization of this folder',
  effect: 'local',
  isDestructiveLocally: true,
  examples: [
    ['svc unlink', 'leave this folder without a default service'],
    ['svc unlink --json', 'the same as JSON, for scripts'],
  ],

  async run(context) {
    if (context.globals.profile !== undefined) context.settings.profile();
    const folder = context.program.cwd();
    const owner = { machine: context.store.machine, env: context.env };
    const { link } = findLink(folder, owner);
    const { path, changed: removed } = editLink(
      folder,
      { service: undefined, org: undefined },
      owner,
    );
    const { link: above } = findLink(dirname(folder), owner);
    const isInherited = dirname(folder) !== folder && (above?.service ?? above?.org) !== undefined;
    const ending = { path, removed, inherited: isInherited ? above?.path : undefined };
    return { ...document('unlink', ending), value: { ...ending, link } };
  },

  human(screen, { path, removed, inherited, link }) {
    if (removed) screen.success(['Unlinked: ', filePath(path)]);
    else screen.line('This folder has no link of its own.');
    if (removed && link !== undefined) {
      const words = ['link', link.service].filter((word) => word !== undefined);
      screen.next([[commandLine(words, {}, link), 'link it again']]);
    }
    if (inherited === undefined) return;
    screen.warning(['The link of a folder above still applies here: ', filePath(inherited)]);
    screen.next([`cd ${dirname(inherited)} && svc unlink`]);
  },
});
