import type { Needs } from '../cli/define/context.ts';
import { defineCommand, document } from '../cli/define/define.ts';
import type { DocumentOf } from '../contract/fields/documents.ts';

export default defineCommand({
  summary: 'Show the version of svc',
  effect: 'local',

  run: async (context) => document('version', describeBuild(context)),

  human(screen, { version }) {
    screen.line(version);
  },
});

/** Describes which svc this is. */
export function describeBuild({ program }: Needs<'program'>): DocumentOf<'version'> {
  const node = program.runtime.name === 'node' ? program.runtime.version : null;
  return {
    version: program.version,
    commit: program.commit || null,
    built: program.built || null,
    node,
    runtime: `${program.runtime.name}/${program.runtime.version}`,
  };
}
