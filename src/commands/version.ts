import type { Context } from '../cli/define/context.ts';
import { defineCommand } from '../cli/define/define.ts';
import { document } from '../cli/define/document.ts';
import type { DocumentOf } from '../contract/fields/documents.ts';

export default defineCommand({
  path: 'version',
  summary: 'Show the version of svc',
  effect: 'local',
  args: {},
  options: {},
  examples: [],

  run: async (context) => document('version', buildOf(context)),

  human(screen, { version }) {
    screen.line(version);
  },
});

/** Which svc this is. */
export function buildOf({ version, commit, built, runtime }: Context): DocumentOf<'version'> {
  const node = runtime.name === 'node' ? runtime.version : null;
  return {
    version,
    commit: commit || null,
    built: built || null,
    node,
    runtime: `${runtime.name}/${runtime.version}`,
  };
}
