import { defineCommand, document } from '../../cli/define/define.ts';
import { required } from '../../cli/values/parameters.ts';
import { commandLine } from '../../shell-line.ts';
import { filePath } from '../../terminal/screen.ts';
import { showOverride } from '../shared/override.ts';
import {
  findStrongerSetting,
  NAME_ARGUMENT,
  parseKey,
  parseValue,
  writeConfig,
} from './settings.ts';

export default defineCommand({
  summary: 'Change a setting for every folder',
  effect: 'local',
  args: { name: NAME_ARGUMENT, value: required('its value') },
  examples: [
    ['svc config set org kola-studio', 'use this organization by default'],
    ['svc config set dashboard https://dashboard.example.com', 'the pages that svc open opens'],
  ],

  async run(context, { name, value: text }) {
    const key = parseKey(name);
    const value = parseValue(key, text, context);
    const { path, before } = await writeConfig(context, key, value);
    const overriddenBy = findStrongerSetting(context, name);
    const setting = { name, value, path, overriddenBy };
    return { ...document('config set', setting), value: { ...setting, before } };
  },

  human(screen, { name, value, path, overriddenBy, before }) {
    screen.success(`${name} is now ${value}.`);
    screen.fields([['Saved in', filePath(path)]]);
    showOverride(screen, overriddenBy);
    // Where another source wins, nothing has changed that a person could want back.
    if (overriddenBy !== null || before === value) return;
    const back = before === undefined ? ['unset', name] : ['set', name, before];
    screen.next([[commandLine(['config', ...back]), 'go back to what it was']]);
  },
});
