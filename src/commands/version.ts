import { defineCommand } from '../kit/define.ts';
import { document } from '../kit/result.ts';
import { buildOf } from './shared/build.ts';

/** What `svc --version` shows. */
export default defineCommand({
  path: 'version',
  summary: 'Show the version of svc',
  effect: 'local',
  args: {},
  options: {},
  examples: [],

  run: async ({ system }) => document('version', buildOf(system)),

  human(screen, { version }) {
    screen.line(version);
  },
});
