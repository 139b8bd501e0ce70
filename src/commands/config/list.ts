import { defineCommand, document } from '../../cli/define/define.ts';
import { tryOr } from '../../errors.ts';
import { createTable } from '../../terminal/csv.ts';
import { dim, filePath } from '../../terminal/screen.ts';
import { listSettings } from './settings.ts';

const COLUMNS = { setting: 'name', value: 'value', from: 'where', origin: 'origin' } as const;

export default defineCommand({
  summary: 'Show the settings in effect and their sources',
  effect: 'local',
  examples: [
    ['svc config list', 'the settings in effect here, and where each comes from'],
    ['svc config list --json', 'the same as JSON, for scripts'],
  ],

  async run(context) {
    // A machine without a home has none.
    const folder = tryOr(() => context.store.configFolder(), undefined);
    const listed = listSettings(context);
    const settings = listed.map(({ setting }) => setting);
    const warnings = listed.flatMap((row) => row.warnings);
    return { ...document('config list', { folder, settings }), warnings };
  },

  human(screen, { folder, settings }) {
    const chosen = settings.filter(({ origin }) => origin !== 'default');
    screen.table({
      head: [{ name: 'Setting', whole: true }, { name: 'Value', whole: true }, 'From'],
      rows: chosen.map(({ name, value, where }) => [
        name,
        value ?? dim('not set'),
        where && filePath(where),
      ]),
    });
    const others = settings.length - chosen.length;
    screen.line(dim(`${others} more settings are at their defaults (svc config list --json).`));
    screen.line();
    screen.fields([['Folder', folder === undefined ? 'none' : filePath(folder)]]);
  },

  csv: {
    what: 'the settings',
    columns: Object.keys(COLUMNS),
    table: ({ settings }) => createTable(settings, COLUMNS),
  },
});
