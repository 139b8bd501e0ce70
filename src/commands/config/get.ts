import { defineCommand, document } from '../../cli/define/define.ts';
import { CliError } from '../../errors.ts';
import { listSettings, NAME_ARGUMENT, parseKey } from './settings.ts';

export default defineCommand({
  summary: 'Print one setting in effect',
  effect: 'local',
  args: { name: NAME_ARGUMENT },
  examples: [
    ['svc config get api-url', 'the address that requests go to'],
    ['svc config get assume.job.path', 'what svc assumes about the API'],
  ],
  exitCodes: [[6, 'the setting has no value']],

  async run(context, { name }) {
    const listed = listSettings(context).find(({ setting }) => setting.name === name);
    if (listed === undefined) parseKey(name);
    if (listed === undefined || listed.setting.value === null) {
      throw new CliError('not_found', `${name} is not set.`, {
        hint: `To set it: svc config set ${name} <value>`,
      });
    }
    return { ...document('config get', listed.setting), warnings: listed.warnings };
  },

  human(screen, { value }) {
    screen.line(value ?? '');
  },
});
