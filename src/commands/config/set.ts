import { defineCommand, document } from '../../cli/define/define.ts';
import { required } from '../../cli/values/parameters.ts';
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
    const path = await writeConfig(context, key, value);
    return document('config set', {
      name,
      value,
      path,
      overriddenBy: findStrongerSetting(context, name),
    });
  },

  human(screen, { name, value, path, overriddenBy }) {
    screen.success(`${name} is now ${value}.`);
    screen.fields([['Saved in', filePath(path)]]);
    showOverride(screen, overriddenBy);
  },
});
